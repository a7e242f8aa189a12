"""The next planned start of a session, with which an appearance ends in calendars, kept by triggers."""

from django.db import migrations, models

from apps.core.database.sql_files import sql_text

BESIDE_THE_VERSION_BEFORE = "The update fills a new column, which the version before neither reads nor writes."
FORMER = sql_text('competition', 'calendar_entries').partition('$$;')[0].replace('CREATE', 'CREATE OR REPLACE', 1)
UNDO = (
    'DROP FUNCTION calendar_next_starts_keep() CASCADE;'
    f'{FORMER}$$; DROP FUNCTION calendar_next_start(bigint, timestamptz)'
)


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0015_participant_name_local'),
    ]

    operations = [
        migrations.AddField(
            model_name='calendarentry',
            name='next_start',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunSQL(sql_text('competition', 'calendar_next_starts'), UNDO),
    ]
