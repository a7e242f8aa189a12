"""The performer for whom a pasted text was read."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0001_initial'),
        ('imports', '0010_jury_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='programtext',
            name='read_for',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='competition.sessionparticipant'),
        ),
    ]
