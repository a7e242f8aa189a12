"""What single marks were listed by; lists are of whole ratings now.

By itself, for it locks both tables for readers too, for the moment that it takes. The version before this one scans
them while a deploy lasts.
"""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0010_submissions'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='performancerating',
            name='performancerating_of_user',
        ),
        migrations.RemoveIndex(
            model_name='piecerating',
            name='piecerating_newest',
        ),
        migrations.RemoveIndex(
            model_name='piecerating',
            name='piecerating_waiting',
        ),
        migrations.RemoveIndex(
            model_name='piecerating',
            name='piecerating_all_new',
        ),
        migrations.RemoveIndex(
            model_name='piecerating',
            name='piecerating_of_user',
        ),
        migrations.RemoveIndex(
            model_name='piecerating',
            name='piecerating_place_new',
        ),
        migrations.RemoveIndex(
            model_name='piecerating',
            name='piecerating_place_wait',
        ),
    ]
