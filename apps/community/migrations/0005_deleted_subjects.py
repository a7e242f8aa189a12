"""Posts keep that they were about a performance which is deleted.

Posts whose performance was deleted before this migration cannot be told from posts about none, and stay unmarked.
"""

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "It leaves the new column False, which the constraint allows. It deletes a performance without marking its posts."
)


class Migration(migrations.Migration):

    dependencies = [
        ('community', '0004_posts_about_performances'),
    ]

    operations = [
        migrations.AddField(
            model_name='post',
            name='is_subject_deleted',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name='post',
            constraint=models.CheckConstraint(condition=models.Q(('is_subject_deleted', False), ('session_participant', None), _connector='OR'), name='community_post_one_subject'),
        ),
    ]
