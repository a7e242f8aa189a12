"""A moment knows how many of its taps are hearts and thumbs up.

Of taps from before, those of existing accounts have a type. Those of deleted accounts do not count as applause.
"""

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "It leaves the new column to the database, and its `count` only grows, so the constraint holds. Its taps do not "
    "count as applause."
)
APPLAUSE = """
UPDATE session_reaction_moments AS moment SET applause = least(moment.count, tapped.applause)
FROM (
    SELECT session_id, timestamp / 1000 AS second, count(*) AS applause
    FROM session_reactions WHERE type IN ('heart', 'thumbsUp') GROUP BY session_id, timestamp / 1000
) AS tapped
WHERE tapped.session_id = moment.session_id AND tapped.second = moment.second
"""


class Migration(migrations.Migration):

    dependencies = [
        ('live', '0007_left_over_table'),
    ]

    operations = [
        migrations.AddField(
            model_name='reactionmoment',
            name='applause',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunSQL(APPLAUSE, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='reactionmoment',
            constraint=models.CheckConstraint(condition=models.Q(('applause__lte', models.F('count'))), name='reaction_moment_applause_few'),
        ),
    ]
