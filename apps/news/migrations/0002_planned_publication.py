"""A draft may have a time at which it is published."""

from django.conf import settings
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "It leaves the new column empty. A planned draft that it publishes by hand is refused: its time is removed first."
)


class Migration(migrations.Migration):

    dependencies = [
        ('news', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='blogpost',
            name='publish_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name='blogpost',
            index=models.Index(condition=models.Q(('publish_at__isnull', False)), fields=['publish_at'], name='post_planned'),
        ),
        migrations.AddConstraint(
            model_name='blogpost',
            constraint=models.CheckConstraint(condition=models.Q(('is_published', False), ('publish_at__isnull', True), _connector='OR'), name='post_planned_is_draft'),
        ),
    ]
