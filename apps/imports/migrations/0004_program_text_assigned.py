"""Whose program a pasted text became in part."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0001_initial'),
        ('imports', '0003_rows_saved'),
    ]

    operations = [
        migrations.AddField(
            model_name='programtext',
            name='assigned_to',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='competition.sessionparticipant'),
        ),
    ]
