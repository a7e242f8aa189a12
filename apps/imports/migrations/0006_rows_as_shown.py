"""The order in which rows of a file are shown: those that cannot be saved first."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('imports', '0005_file_encodings'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='participantimportrow',
            index=models.Index(models.F('participant_import'), models.Case(models.When(status__in=('new', 'existing'), then=models.Value(1)), default=models.Value(0)), models.F('position'), name='import_rows_as_shown'),
        ),
    ]
