# More encodings of participant files, whether one is sure, and what was decided about a similar name.

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "The new constraint allows all that the one before did."


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0004_program_text_assigned'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='participantimport',
            name='participant_import_encoding_known',
        ),
        migrations.AddField(
            model_name='participantimport',
            name='is_encoding_sure',
            field=models.BooleanField(db_default=True),
        ),
        migrations.AlterField(
            model_name='participantimport',
            name='encoding',
            field=models.CharField(choices=[('utf-8', 'UTF-8'), ('utf-16', 'UTF-16'), ('windows-1250', 'Windows-1250 (Central European)'), ('windows-1252', 'Windows-1252 (Western)'), ('iso-8859-2', 'ISO-8859-2 (Central European)'), ('macintosh', 'MacRoman (Western)'), ('windows-1251', 'Windows-1251 (Cyrillic)'), ('koi8-r', 'KOI8-R (Russian)'), ('windows-1253', 'Windows-1253 (Greek)'), ('windows-1254', 'Windows-1254 (Turkish)'), ('windows-1255', 'Windows-1255 (Hebrew)'), ('windows-1256', 'Windows-1256 (Arabic)'), ('windows-1257', 'Windows-1257 (Baltic)'), ('windows-1258', 'Windows-1258 (Vietnamese)'), ('gb18030', 'GB18030 (Chinese)'), ('big5', 'Big5 (Chinese)'), ('euc-kr', 'EUC-KR (Korean)'), ('shift_jis', 'Shift_JIS (Japanese)'), ('euc-jp', 'EUC-JP (Japanese)')], max_length=12),
        ),
        migrations.AlterField(
            model_name='participantimport',
            name='encoding_found',
            field=models.CharField(choices=[('utf-8', 'UTF-8'), ('utf-16', 'UTF-16'), ('windows-1250', 'Windows-1250 (Central European)'), ('windows-1252', 'Windows-1252 (Western)'), ('iso-8859-2', 'ISO-8859-2 (Central European)'), ('macintosh', 'MacRoman (Western)'), ('windows-1251', 'Windows-1251 (Cyrillic)'), ('koi8-r', 'KOI8-R (Russian)'), ('windows-1253', 'Windows-1253 (Greek)'), ('windows-1254', 'Windows-1254 (Turkish)'), ('windows-1255', 'Windows-1255 (Hebrew)'), ('windows-1256', 'Windows-1256 (Arabic)'), ('windows-1257', 'Windows-1257 (Baltic)'), ('windows-1258', 'Windows-1258 (Vietnamese)'), ('gb18030', 'GB18030 (Chinese)'), ('big5', 'Big5 (Chinese)'), ('euc-kr', 'EUC-KR (Korean)'), ('shift_jis', 'Shift_JIS (Japanese)'), ('euc-jp', 'EUC-JP (Japanese)')], max_length=12),
        ),
        migrations.AlterField(
            model_name='participantimportrow',
            name='problem',
            field=models.CharField(blank=True, choices=[('', ''), ('piece', 'Invalid piece format'), ('piece_key', 'Invalid piece format: it does not fit opus and number'), ('piece_several', 'Invalid piece format: several pieces fit'), ('name_missing', 'First name, last name and country are required.'), ('name_long', 'A name or country is too long.'), ('name_unreadable', 'This name has no letters.'), ('columns', 'Fewer columns than the header'), ('repeated', 'The same as an earlier line'), ('perhaps', 'Perhaps the same person'), ('same', 'The same person'), ('another', 'Another person')], max_length=15),
        ),
        migrations.AddConstraint(
            model_name='participantimport',
            constraint=models.CheckConstraint(condition=models.Q(('encoding__in', ['utf-8', 'utf-16', 'windows-1250', 'windows-1252', 'iso-8859-2', 'macintosh', 'windows-1251', 'koi8-r', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'gb18030', 'big5', 'euc-kr', 'shift_jis', 'euc-jp']), ('encoding_found__in', ['utf-8', 'utf-16', 'windows-1250', 'windows-1252', 'iso-8859-2', 'macintosh', 'windows-1251', 'koi8-r', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'gb18030', 'big5', 'euc-kr', 'shift_jis', 'euc-jp'])), name='participant_import_encoding_known'),
        ),
    ]
