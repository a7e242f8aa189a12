import apps.core.text_rules
import django.core.validators
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('news', '0003_addresses_without_nul'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # Paths of this site that are no static files: only administrators could give them, and none shows a picture.
        migrations.RunSQL(
            r"""
            UPDATE blog_posts SET image_url = '' WHERE image_url LIKE '/%' AND image_url !~ '^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$';
            """,
            migrations.RunSQL.noop,
        ),
        migrations.RemoveConstraint(
            model_name='blogpost',
            name='post_image_is_picture',
        ),
        migrations.AlterField(
            model_name='blogpost',
            name='image_url',
            field=models.CharField(blank=True, max_length=2048, validators=[django.core.validators.ProhibitNullCharactersValidator('A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.RegexValidator('(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?\\Z)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\Z)', 'A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.MaxLengthValidator(2048), apps.core.text_rules.validate_other_host]),
        ),
        migrations.AddConstraint(
            model_name='blogpost',
            constraint=models.CheckConstraint(condition=models.Q(('image_url', ''), ('image_url__regex', '(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'), _connector='OR'), name='post_image_is_picture', violation_error_message='A picture needs an https:// address or a static file of this site.'),
        ),
    ]
