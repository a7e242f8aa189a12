"""What ratings of performances were listed by, whatever their authors' accounts; 0013 made others.

By itself, for it locks the table for readers too, for the moment that it takes. The version before this one scans it
while a deploy lasts.
"""

from django.db import migrations

NAMES = (
    'performancerating_newest',
    'performancerating_place_new',
    'performancerating_waiting',
    'performancerating_place_wait',
)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0013_authors'),
    ]

    operations = [migrations.RemoveIndex(model_name='performancerating', name=name) for name in NAMES]
