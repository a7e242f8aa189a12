"""A comment on a session is about the performer who is on stage when it is written.

Older comments get the performer by the recorded times on stage: of overlapping times the one that began last.
"""

import django.db.models.deletion
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "It writes comments about no performance, which is what a comment in an interval is. The rows that are updated get "
    "a value only in the new column."
)
ABOUT = """
UPDATE session_comments AS comment SET session_participant_id = during.session_participant_id
FROM (
    SELECT DISTINCT ON (written.id) written.id, time_on_stage.session_participant_id
    FROM session_comments AS written
    JOIN session_participants AS appearance ON appearance.session_id = written.session_id
    JOIN performing_times AS time_on_stage ON time_on_stage.session_participant_id = appearance.id
        AND time_on_stage.began_at <= written.created_at
        AND coalesce(time_on_stage.ended_at, 'infinity') > written.created_at
    ORDER BY written.id, time_on_stage.began_at DESC
) AS during
WHERE during.id = comment.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0010_repeated_appearances'),
        ('live', '0008_applause_of_moments'),
    ]

    operations = [
        migrations.AddField(
            model_name='sessioncomment',
            name='session_participant',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='competition.sessionparticipant'),
        ),
        migrations.RunSQL(ABOUT, migrations.RunSQL.noop),
        migrations.RunSQL('SET CONSTRAINTS ALL IMMEDIATE', migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='sessioncomment',
            index=models.Index(condition=models.Q(('session_participant__isnull', False)), fields=['session_participant', 'is_hidden', '-created_at', '-id'], name='session_comment_about'),
        ),
    ]
