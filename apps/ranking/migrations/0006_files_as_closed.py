"""Names of a run's performances as its files have them, rows that stay without the appearance, left-out sheets."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0001_initial'),
        ('ranking', '0005_interval_runs'),
    ]

    operations = [
        migrations.AddField('RankingRow', 'label', models.TextField(db_default='', default='')),
        migrations.AlterField(
            'RankingRow',
            'appearance',
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+',
                to='competition.sessionparticipant',
            ),
        ),
        migrations.AddField(
            'RankingMissingSheet', 'is_left_out', models.BooleanField(db_default=False, default=False),
        ),
    ]
