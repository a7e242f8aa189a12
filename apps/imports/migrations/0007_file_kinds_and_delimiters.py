"""How a participant file is read (kind, delimiter, people only), refused files, and the extra columns of rows."""

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "The changed constraint allows all that the one before did; the new ones are of new columns."


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0006_rows_as_shown'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='participantimport',
            name='participant_import_saved_when',
        ),
        migrations.AddField(
            model_name='participantimport',
            name='delimiter',
            field=models.CharField(choices=[('bar', 'Bar |'), ('semicolon', 'Semicolon ;'), ('tab', 'Tab'), ('comma', 'Comma ,')], db_default='bar', default='bar', max_length=9),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='delimiter_found',
            field=models.CharField(choices=[('bar', 'Bar |'), ('semicolon', 'Semicolon ;'), ('tab', 'Tab'), ('comma', 'Comma ,')], db_default='bar', default='bar', max_length=9),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='is_people_only',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='kind',
            field=models.CharField(choices=[('text', 'Text'), ('xlsx', 'Excel workbook')], db_default='text', default='text', max_length=4),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='refusal',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='sheet',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='sheets',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='unused_columns',
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='biography',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='birth_year',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='start_number',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name='participantimport',
            name='state',
            field=models.CharField(choices=[('preview', 'Preview'), ('saved', 'Saved'), ('undone', 'Taken back'), ('refused', 'Refused')], default='preview', max_length=7),
        ),
        migrations.AlterField(
            model_name='participantimportrow',
            name='problem',
            field=models.CharField(blank=True, choices=[('', ''), ('piece', 'Invalid piece format'), ('piece_key', 'Invalid piece format: it does not fit opus and number'), ('piece_several', 'Invalid piece format: several pieces fit'), ('name_missing', 'First name, last name and country are required.'), ('name_long', 'A name or country is too long.'), ('name_unreadable', 'This name has no letters.'), ('columns', 'Fewer columns than the header'), ('longer', 'More columns than the header: quote a cell that contains the dividing sign'), ('number', 'A start number is a whole number from 1 to 9999'), ('number_taken', 'Another participant has this start number'), ('number_twice', 'An earlier line has this start number'), ('year', 'A birth year is a year from 1900 to this one, not a date'), ('biography', 'The biography is too long'), ('program', 'The program is too long'), ('repeated', 'The same as an earlier line'), ('perhaps', 'Perhaps the same person'), ('same', 'The same person'), ('another', 'Another person')], max_length=15),
        ),
        migrations.AddConstraint(
            model_name='participantimport',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['text', 'xlsx']), ('delimiter__in', ['bar', 'semicolon', 'tab', 'comma']), ('delimiter_found__in', ['bar', 'semicolon', 'tab', 'comma'])), name='participant_import_reading_known'),
        ),
        migrations.AddConstraint(
            model_name='participantimport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('refusal__isnull', False), ('state', 'refused')), models.Q(models.Q(('state', 'refused'), _negated=True), ('refusal__isnull', True)), _connector='OR'), name='participant_import_refused_why'),
        ),
        migrations.AddConstraint(
            model_name='participantimport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('saved_at__isnull', True), ('state__in', ('preview', 'refused'))), models.Q(('saved_at__isnull', False), ('state__in', ('saved', 'undone'))), _connector='OR'), name='participant_import_saved_when'),
        ),
    ]
