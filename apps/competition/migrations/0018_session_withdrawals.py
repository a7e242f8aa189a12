"""Performers who withdrew from a session, with the number that stays theirs."""

import django.db.models.deletion
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "It adds an empty table that the version before does not read."


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0017_stage_programs'),
    ]

    operations = [
        migrations.CreateModel(
            name='SessionWithdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order_number', models.PositiveSmallIntegerField()),
                ('planned_start', models.DateTimeField(blank=True, null=True)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.participant')),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='withdrawals', to='competition.session')),
            ],
            options={
                'db_table': 'session_withdrawals',
                'constraints': [models.UniqueConstraint(fields=('session', 'participant'), name='withdrawn_once_from_a_session'), models.UniqueConstraint(fields=('session', 'order_number'), name='withdrawal_number_once'), models.CheckConstraint(condition=models.Q(('order_number__gte', 1)), name='withdrawal_number_from_one')],
            },
        ),
    ]
