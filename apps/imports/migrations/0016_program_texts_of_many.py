"""One table for pasted programs, of one performer or of many."""

import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "The constraint becomes wider: it accepts every text that the version before writes."
# Texts of many performers that are not assigned yet, for administrators without another text.
COPY = """
INSERT INTO program_texts (user_id, text, updated_at) SELECT user_id, text, updated_at FROM program_batches
ON CONFLICT DO NOTHING
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0017_stage_programs'),
        ('imports', '0015_row_pianos'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='programtext',
            name='program_text_length',
        ),
        migrations.AlterField(
            model_name='participantimportrow',
            name='problem',
            field=models.CharField(blank=True, choices=[('', ''), ('piece', 'Invalid piece format'), ('piece_key', 'Invalid piece format: it does not fit opus and number'), ('piece_several', 'Invalid piece format: several pieces fit'), ('name_missing', 'First name, last name and country are required.'), ('name_long', 'A name or country is too long.'), ('name_unreadable', 'This name has no letters.'), ('columns', 'Fewer columns than the header'), ('longer', 'More columns than the header: quote a cell that contains the dividing sign'), ('number', 'A start number is a whole number from 1 to 9999'), ('number_taken', 'Another participant has this start number'), ('number_twice', 'An earlier line has this start number'), ('year', 'A birth year is a year from 1900 to this one, not a date'), ('biography', 'The biography is too long'), ('program', 'The program is too long'), ('piece_twice', 'Two cells name one piece: it is saved once'), ('error_cell', 'A cell is an error of the spreadsheet'), ('piano_long', 'The piano is too long'), ('no_session', 'In no session yet: the piano is left out'), ('repeated', 'The same as an earlier line'), ('perhaps', 'Perhaps the same person'), ('same', 'The same person'), ('another', 'Another person')], max_length=15),
        ),
        migrations.AddConstraint(
            model_name='programtext',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('text'), 100000), name='program_text_length', violation_error_message='Text must be no more than 100,000 characters long.'),
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
    ]
