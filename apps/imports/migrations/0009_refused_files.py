"""The index of an account's refused file."""

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "The index has the refused files only, which that version does not write."


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0008_program_batches'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='participantimport',
            index=models.Index(condition=models.Q(('state', 'refused')), fields=['user', '-id'], name='participant_import_refused'),
        ),
    ]
