"""Appearances know their stage, and at most one of a participant in a stage is not repeated.

Of existing duplicates the one with more raters counts, of several with as many the first in the order of playing. The
others become repeated; each is a line of the migration's output.
"""

import sys

import django.db.models.deletion
from django.db import migrations, models

from apps.core.database.sql_files import sql_text

BESIDE_THE_VERSION_BEFORE = (
    "A trigger fills the new column. It answers with an error where it would add a second appearance to a stage."
)
STAGES = """
UPDATE session_participants AS appearance SET stage_id = session.stage_id
FROM sessions AS session WHERE session.id = appearance.session_id
"""
# Raters are accounts with an approved mark of a piece. A new database has no marks, and maybe no table of them yet.
RATERS = "(SELECT count(DISTINCT user_id) FROM piece_ratings WHERE session_participant_id = appearance.id AND approved)"
REPEATED = """
WITH counted AS (
    SELECT appearance.id, appearance.stage_id, appearance.participant_id, appearance.session_id, {raters} AS raters
    FROM session_participants AS appearance
    WHERE EXISTS (
        SELECT FROM session_participants AS other
        WHERE other.id <> appearance.id
            AND (other.stage_id, other.participant_id) = (appearance.stage_id, appearance.participant_id)
    )
), ranked AS (
    SELECT counted.*, session.title, row_number() OVER (
        PARTITION BY counted.stage_id, counted.participant_id
        ORDER BY counted.raters DESC, session.starts_at, session.id
    ) AS place
    FROM counted JOIN sessions AS session ON session.id = counted.session_id
), repeated AS (
    UPDATE session_participants AS appearance SET is_repeated = true
    FROM ranked WHERE ranked.id = appearance.id AND ranked.place > 1
    RETURNING appearance.id
)
SELECT participant.name, stage.name, again.title, again.raters, first.title, first.raters
FROM ranked AS again
JOIN ranked AS first
    ON (first.stage_id, first.participant_id) = (again.stage_id, again.participant_id) AND first.place = 1
JOIN participants AS participant ON participant.id = again.participant_id
JOIN stages AS stage ON stage.id = again.stage_id
WHERE again.place > 1 ORDER BY stage.order_number, participant.sort_folded, again.id
"""
LINE = "\n  Repeated in {stage}: {name}, {title} (raters: {raters}). {counting} counts (raters: {most})."


def repeat(apps, schema_editor):
    """Fill the stages, mark all but one appearance of a participant in a stage as repeated, and list them."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(STAGES)
        cursor.execute("SELECT to_regclass('piece_ratings') IS NOT NULL")
        (has_ratings,) = cursor.fetchone()
        cursor.execute(REPEATED.format(raters=RATERS if has_ratings else "0"))
        for name, stage, title, raters, counting, most in cursor.fetchall():
            line = LINE.format(stage=stage, name=name, title=title, raters=raters, counting=counting, most=most)
            sys.stdout.write(line)


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0009_stage_names_and_absent_avatars'),
    ]

    operations = [
        migrations.AddField(
            model_name='sessionparticipant',
            name='stage',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.stage'),
        ),
        migrations.AddField(
            model_name='sessionparticipant',
            name='is_repeated',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunPython(repeat, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='sessionparticipant',
            name='stage',
            field=models.ForeignKey(blank=True, editable=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.stage'),
        ),
        migrations.AddConstraint(
            model_name='sessionparticipant',
            constraint=models.UniqueConstraint(condition=models.Q(('is_repeated', False)), fields=('stage', 'participant'), name='participant_counts_once_per_stage', violation_error_message='Another performance of this participant counts in the stage.'),
        ),
        migrations.RunSQL(
            sql_text('competition', 'appearance_stage'),
            'DROP FUNCTION appearance_stage_set() CASCADE; DROP FUNCTION session_appearances_move() CASCADE',
        ),
    ]
