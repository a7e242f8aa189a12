"""Columns that say whether the author's account is open; the next migration fills and keeps them.

By itself, for it locks the tables for readers too, for a moment: no row is written.
"""

from django.db import migrations, models

TABLES = (
    'piecerating',
    'performancerating',
    'advancerecommendation',
    'performanceratingcount',
    'recommendationcount',
)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0011_unused_lookups'),
    ]

    operations = [
        migrations.AddField(
            model_name=table,
            name='is_author_active',
            field=models.BooleanField(db_default=True, editable=False),
        )
        for table in TABLES
    ]
