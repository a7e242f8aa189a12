"""Comments can be hidden; hidden ones and others are counted apart.

Comments wait while they are counted anew: some hundredths of a second at 100,000.
"""

from django.conf import settings
from django.db import migrations, models

from apps.core.database.paging import counting_sql

COUNTS = ('session_comments', 'session_comment_counts', 'session_id')
TOGETHER, APART = counting_sql(*COUNTS), counting_sql(*COUNTS, 'is_hidden')


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0005_appearances'),
        ('live', '0004_rate_limits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(TOGETHER[1], TOGETHER[0]),
        migrations.AddField(
            model_name='sessioncomment',
            name='is_hidden',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name='sessioncomment',
            index=models.Index(condition=models.Q(('is_hidden', True)), fields=['user'], name='session_comment_hidden'),
        ),
        migrations.AddField(
            model_name='commentcount',
            name='is_hidden',
            field=models.BooleanField(default=False),
            preserve_default=False,
        ),
        migrations.RemoveIndex(model_name='commentcount', name='comment_count_of_session'),
        migrations.AddIndex(
            model_name='commentcount',
            index=models.Index(fields=['session', 'is_hidden'], name='comment_count_of_session'),
        ),
        migrations.RunSQL(APART[0], APART[1]),
    ]
