"""The order in which rows of a file are shown: those that cannot be saved first."""

from django.db import migrations, models

# Built concurrently it would wait for the transaction in which another process waits for these migrations.
BESIDE_THE_VERSION_BEFORE = "The table has the rows of the last days' files only: writes wait for milliseconds."


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0005_file_encodings'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='participantimportrow',
            index=models.Index(models.F('participant_import'), models.Case(models.When(status__in=('new', 'existing'), then=models.Value(1)), default=models.Value(0)), models.F('position'), name='import_rows_as_shown'),
        ),
    ]
