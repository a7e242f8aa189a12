"""The comment of a rating can be hidden; its mark shows and counts all the same."""


from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0005_appearances'),
        ('ratings', '0008_rate_limits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='performancerating',
            name='is_comment_hidden',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name='performancerating',
            index=models.Index(condition=models.Q(('is_comment_hidden', True)), fields=['user'], name='performance_comment_hidden'),
        ),
    ]
