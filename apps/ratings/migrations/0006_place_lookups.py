"""The index by place alone: those by place and time begin with the same column.

By itself, for it locks both tables for readers too, for the moment that it takes.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0005_performance_rating_lookups'),
    ]

    operations = [
        migrations.AlterField(
            model_name='performancerating',
            name='session_participant',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.sessionparticipant'),
        ),
        migrations.AlterField(
            model_name='piecerating',
            name='session_participant',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.sessionparticipant'),
        ),
    ]
