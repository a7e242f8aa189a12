"""What calendars publish of sessions and appearances, kept by triggers also after a deletion."""

import django.db.models.deletion
from django.db import migrations, models

from apps.core.database.sql_files import sql_text

UNDO = (
    'DROP FUNCTION calendar_session_keep() CASCADE; DROP FUNCTION calendar_appearance_keep() CASCADE;'
    'DROP FUNCTION calendar_name_keep() CASCADE; DROP FUNCTION calendar_entry_keep(bigint, bigint)'
)


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0013_planned_times_and_start_numbers'),
    ]

    operations = [
        migrations.CreateModel(
            name='CalendarEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_id', models.BigIntegerField()),
                ('title', models.CharField(max_length=200)),
                ('starts_at', models.DateTimeField()),
                ('planned_end', models.DateTimeField(null=True)),
                ('order_number', models.PositiveSmallIntegerField(null=True)),
                ('planned_start', models.DateTimeField(null=True)),
                ('sequence', models.PositiveIntegerField()),
                ('changed_at', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(null=True)),
                ('participant', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.participant')),
            ],
            options={
                'db_table': 'calendar_entries',
                'constraints': [models.UniqueConstraint(fields=('session_id', 'participant'), name='calendar_entry_once', nulls_distinct=False)],
            },
        ),
        migrations.RunSQL(sql_text('competition', 'calendar_entries'), UNDO),
    ]
