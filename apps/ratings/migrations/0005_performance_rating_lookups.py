"""What lists of ratings of performances are looked up by.

One transaction, so a failure leaves nothing half done; writes of this table wait for it, about a second at 100,000
rows, and reads do not.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0004_piece_rating_lookups'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='performancerating',
            index=models.Index(fields=['-created_at', '-id'], name='performancerating_all_new'),
        ),
        migrations.AddIndex(
            model_name='performancerating',
            index=models.Index(fields=['user', '-created_at', '-id'], name='performancerating_of_user'),
        ),
        migrations.AddIndex(
            model_name='performancerating',
            index=models.Index(fields=['session_participant', '-created_at', '-id'], name='performancerating_place_all'),
        ),
        migrations.AddIndex(
            model_name='performancerating',
            index=models.Index(condition=models.Q(('approved', True)), fields=['session_participant', '-created_at', '-id'], name='performancerating_place_new'),
        ),
        migrations.AddIndex(
            model_name='performancerating',
            index=models.Index(condition=models.Q(('approved', False)), fields=['session_participant', '-updated_at', '-id'], name='performancerating_place_wait'),
        ),
    ]
