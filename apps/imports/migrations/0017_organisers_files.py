"""Files of organisers: facts of people who are there, the jury's encodings and decimal commas, chosen columns."""

from django.db import migrations, models


BESIDE_THE_VERSION_BEFORE = "The constraint becomes wider: it accepts every kind that the version before writes."


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0016_program_texts_of_many'),
    ]

    operations = [
        migrations.CreateModel(
            name='HeaderChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('participants', 'Participants'), ('jury', 'The jury’s marks')], max_length=12)),
                ('digest', models.CharField(max_length=64)),
                ('columns', models.JSONField(default=dict)),
            ],
            options={
                'db_table': 'import_header_choices',
            },
        ),
        migrations.RemoveConstraint(
            model_name='importcreation',
            name='participant_import_creation_kind',
        ),
        migrations.AddField(
            model_name='importcreation',
            name='values',
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name='juryfile',
            name='content',
            field=models.BinaryField(db_default=b'', default=b'', max_length=5242880),
        ),
        migrations.AddField(
            model_name='juryfile',
            name='encoding',
            field=models.CharField(blank=True, choices=[('utf-8', 'UTF-8'), ('utf-16', 'UTF-16'), ('windows-1250', 'Windows-1250 (Central European)'), ('windows-1252', 'Windows-1252 (Western)'), ('iso-8859-2', 'ISO-8859-2 (Central European)'), ('macintosh', 'MacRoman (Western)'), ('windows-1251', 'Windows-1251 (Cyrillic)'), ('koi8-r', 'KOI8-R (Russian)'), ('windows-1253', 'Windows-1253 (Greek)'), ('windows-1254', 'Windows-1254 (Turkish)'), ('windows-1255', 'Windows-1255 (Hebrew)'), ('windows-1256', 'Windows-1256 (Arabic)'), ('windows-1257', 'Windows-1257 (Baltic)'), ('windows-1258', 'Windows-1258 (Vietnamese)'), ('gb18030', 'GB18030 (Chinese)'), ('big5', 'Big5 (Chinese)'), ('euc-kr', 'EUC-KR (Korean)'), ('shift_jis', 'Shift_JIS (Japanese)'), ('euc-jp', 'EUC-JP (Japanese)')], db_default='', default='', max_length=12),
        ),
        migrations.AddField(
            model_name='juryfile',
            name='encoding_found',
            field=models.CharField(blank=True, choices=[('utf-8', 'UTF-8'), ('utf-16', 'UTF-16'), ('windows-1250', 'Windows-1250 (Central European)'), ('windows-1252', 'Windows-1252 (Western)'), ('iso-8859-2', 'ISO-8859-2 (Central European)'), ('macintosh', 'MacRoman (Western)'), ('windows-1251', 'Windows-1251 (Cyrillic)'), ('koi8-r', 'KOI8-R (Russian)'), ('windows-1253', 'Windows-1253 (Greek)'), ('windows-1254', 'Windows-1254 (Turkish)'), ('windows-1255', 'Windows-1255 (Hebrew)'), ('windows-1256', 'Windows-1256 (Arabic)'), ('windows-1257', 'Windows-1257 (Baltic)'), ('windows-1258', 'Windows-1258 (Vietnamese)'), ('gb18030', 'GB18030 (Chinese)'), ('big5', 'Big5 (Chinese)'), ('euc-kr', 'EUC-KR (Korean)'), ('shift_jis', 'Shift_JIS (Japanese)'), ('euc-jp', 'EUC-JP (Japanese)')], db_default='', default='', max_length=12),
        ),
        migrations.AddField(
            model_name='juryfile',
            name='is_decimal_comma',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='juryfile',
            name='is_encoding_sure',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='changes',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='changes_taken',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='filled_participants',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='participantimport',
            name='header',
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='avatar_url',
            field=models.CharField(blank=True, db_default='', default='', max_length=2048),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='before',
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='candidates',
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='participant_id',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='participantimportrow',
            name='taken',
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AlterField(
            model_name='importcreation',
            name='kind',
            field=models.CharField(choices=[('participant', 'Participant'), ('piece', 'Piece'), ('piano', 'Piano'), ('filled', 'Participant who was there'), ('played', 'Piano of a performance')], max_length=11),
        ),
        migrations.AlterField(
            model_name='participantimportrow',
            name='problem',
            field=models.CharField(blank=True, choices=[('', ''), ('piece', 'Invalid piece format'), ('piece_key', 'Invalid piece format: it does not fit opus and number'), ('piece_several', 'Invalid piece format: several pieces fit'), ('name_missing', 'First name, last name and country are required.'), ('name_long', 'A name or country is too long.'), ('name_unreadable', 'This name has no letters.'), ('columns', 'Fewer columns than the header'), ('longer', 'More columns than the header: quote a cell that contains the dividing sign'), ('number', 'A start number is a whole number from 1 to 9999'), ('number_taken', 'Another participant has this start number'), ('number_twice', 'An earlier line has this start number'), ('year', 'A birth year is a year from 1900 to this one, not a date'), ('biography', 'The biography is too long'), ('program', 'The program is too long'), ('piece_twice', 'Two cells name one piece: it is saved once'), ('error_cell', 'A cell is an error of the spreadsheet'), ('piano_long', 'The piano is too long'), ('picture', 'This is no address of a picture'), ('no_person', 'No participant has this name'), ('several_people', 'Several participants have this name'), ('spelled', 'Spelled in another way in the file'), ('no_session', 'In no session yet: the piano is left out'), ('repeated', 'The same as an earlier line'), ('perhaps', 'Perhaps the same person'), ('same', 'The same person'), ('another', 'Another person')], max_length=15),
        ),
        migrations.AddConstraint(
            model_name='importcreation',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['participant', 'piece', 'piano', 'filled', 'played'])), name='participant_import_creation_kind'),
        ),
        migrations.AddConstraint(
            model_name='headerchoice',
            constraint=models.UniqueConstraint(fields=('kind', 'digest'), name='header_choice_once'),
        ),
        migrations.AddConstraint(
            model_name='headerchoice',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['participants', 'jury'])), name='header_choice_kind'),
        ),
    ]
