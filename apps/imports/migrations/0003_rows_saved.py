"""Which rows of a file are saved: those that are decided later can be saved then."""

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "The rows that are updated are the new columns' own: the version before does not know them."
FILES = """
UPDATE participant_imports SET saved_rows = new_rows + existing_rows WHERE state = 'saved'
"""
ROWS = """
UPDATE participant_import_rows AS one SET is_saved = true FROM participant_imports AS file
WHERE file.id = one.participant_import_id AND file.state = 'saved' AND one.status IN ('new', 'existing')
"""


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='participantimport',
            name='saved_rows',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='is_saved',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(FILES, migrations.RunSQL.noop),
        migrations.RunSQL(ROWS, migrations.RunSQL.noop),
    ]
