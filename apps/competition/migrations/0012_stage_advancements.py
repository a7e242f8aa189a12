"""Who advances from a stage is stored (`docs/adr/0032-who-advances.md`).

Of a stage whose field was drawn, the performers of the stage before who play in it become the rows of the stage before.
A drawn field in which none of them plays leaves no row; each is a line of the migration's output. The column
`stages.field_drawn_at` leaves the model; it is dropped with the release after this one, because processes of the
version before, which run beside the new ones during a restart, read it on the pages of sessions and performers.
"""

import sys

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from apps.core.database.sql_files import sql_text

BESIDE_THE_VERSION_BEFORE = (
    "Rows are added to a table that it does not know. A field that it draws after the migration stays undecided."
)
ADVANCE = """
WITH drawn AS (
    SELECT stage.id, stage.name, stage.field_drawn_at, (
        SELECT before.id FROM stages AS before
        WHERE before.order_number < stage.order_number ORDER BY before.order_number DESC LIMIT 1
    ) AS before_id
    FROM stages AS stage WHERE stage.field_drawn_at IS NOT NULL
), added AS (
    INSERT INTO stage_advancements (stage_id, participant_id, at)
    SELECT DISTINCT drawn.before_id, played.participant_id, drawn.field_drawn_at
    FROM drawn
    JOIN session_participants AS played ON played.stage_id = drawn.before_id
    JOIN session_participants AS plays ON (plays.stage_id, plays.participant_id) = (drawn.id, played.participant_id)
    RETURNING stage_id
)
SELECT drawn.name FROM drawn WHERE before_id IS NOT NULL AND before_id NOT IN (SELECT stage_id FROM added)
ORDER BY drawn.name
"""
LINE = "\n  The field of {stage} was drawn, but no performer of the stage before plays in it: nothing is published."


def advance(apps, schema_editor):
    """Fill the table from the drawn fields, and list those that leave no row."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(ADVANCE)
        for (stage,) in cursor.fetchall():
            sys.stdout.write(LINE.format(stage=stage))


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0011_session_ended'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StageAdvancement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='advancements', to='competition.participant')),
                ('stage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='advancements', to='competition.stage')),
            ],
            options={
                'db_table': 'stage_advancements',
                'constraints': [models.UniqueConstraint(fields=('stage', 'participant'), name='advances_once_from_a_stage')],
            },
        ),
        migrations.RunSQL(
            sql_text('competition', 'advancement_of_performer'),
            'DROP FUNCTION advancement_of_performer() CASCADE',
        ),
        migrations.RunPython(advance, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name='stage', name='field_drawn_at')],
        ),
    ]
