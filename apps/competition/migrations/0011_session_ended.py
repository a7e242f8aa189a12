"""A session knows when it ended: when it was live for the last time.

Of sessions from before, those that are over and had a performer on stage get the end of their last time on stage: only
a live session had one. All others have no recorded end, and stay without one.
"""

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "It leaves the new column alone. It cannot set a session live that has ended: an upgrade is not made during one."
)
ENDED = """
UPDATE sessions SET ended_at = played.until
FROM (
    SELECT session_id, max(stay.ended_at) AS until
    FROM session_participants AS appearance JOIN performing_times AS stay ON stay.session_participant_id = appearance.id
    GROUP BY session_id HAVING count(*) = count(stay.ended_at)
) AS played
WHERE played.session_id = sessions.id AND NOT is_live AND starts_at < now()
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0010_repeated_appearances'),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='ended_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunSQL(ENDED, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('is_live', False), ('ended_at', None), _connector='OR'), name='session_not_live_and_ended'),
        ),
    ]
