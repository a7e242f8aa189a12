"""Start numbers, planned times of performances and sessions, and intervals, as far as an organiser knows them."""

import django.db.models.deletion
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "It leaves the new columns empty, so that their constraints hold. It cannot move a session behind its planned end: "
    "an upgrade is not made while an evening is planned."
)


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0012_stage_advancements'),
    ]

    operations = [
        migrations.CreateModel(
            name='SessionInterval',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('after_order_number', models.PositiveSmallIntegerField()),
                ('minutes', models.PositiveSmallIntegerField()),
            ],
            options={
                'db_table': 'session_intervals',
            },
        ),
        migrations.AddField(
            model_name='participant',
            name='start_number',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='session',
            name='planned_end',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='sessionparticipant',
            name='planned_start',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.UniqueConstraint(fields=('start_number',), name='start_number_once', violation_error_message='Another participant has this start number.'),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.CheckConstraint(condition=models.Q(('start_number__range', (1, 9999))), name='start_number_possible'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('planned_end__gt', models.F('starts_at'))), name='session_ends_after_start', violation_error_message='A session ends after it starts.'),
        ),
        migrations.AddField(
            model_name='sessioninterval',
            name='session',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='intervals', to='competition.session'),
        ),
        migrations.AddConstraint(
            model_name='sessioninterval',
            constraint=models.UniqueConstraint(fields=('session', 'after_order_number'), name='interval_once_after_a_place', violation_error_message='An interval follows this performance already.'),
        ),
        migrations.AddConstraint(
            model_name='sessioninterval',
            constraint=models.CheckConstraint(condition=models.Q(('after_order_number__gte', 1)), name='interval_after_from_one'),
        ),
        migrations.AddConstraint(
            model_name='sessioninterval',
            constraint=models.CheckConstraint(condition=models.Q(('minutes__range', (1, 600))), name='interval_minutes_possible', violation_error_message='An interval lasts from 1 to 600 minutes.'),
        ),
    ]
