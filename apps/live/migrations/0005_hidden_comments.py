"""Comments can be hidden; hidden ones are not counted.

Comments wait while they are counted anew: some hundredths of a second at 100,000.
"""

from django.conf import settings
from django.db import migrations, models

from apps.core.database.row_counts import counting_sql

COUNTS = ('session_comments', 'session_comment_counts', 'session_id')
ALL, SHOWN = counting_sql(*COUNTS), counting_sql(*COUNTS, where='NOT is_hidden')


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0005_appearances'),
        ('live', '0004_rate_limits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='sessioncomment',
            name='is_hidden',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name='sessioncomment',
            index=models.Index(condition=models.Q(('is_hidden', True)), fields=['user', 'session'], name='session_comment_hidden'),
        ),
        migrations.RunSQL([ALL[1], SHOWN[0]], [SHOWN[1], ALL[0]]),
    ]
