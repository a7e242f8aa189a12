import apps.core.text_rules
import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0002_addresses_without_nul'),
    ]

    operations = [
        # Paths of this site that are no static files: only administrators could give them, and none shows a picture.
        migrations.RunSQL(
            r"""
            UPDATE participants SET avatar_url = '' WHERE avatar_url LIKE '/%' AND avatar_url !~ '^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$';
            """,
            migrations.RunSQL.noop,
        ),
        migrations.RemoveConstraint(
            model_name='participant',
            name='participant_avatar_is_picture',
        ),
        migrations.AlterField(
            model_name='participant',
            name='avatar_url',
            field=models.CharField(blank=True, max_length=2048, validators=[django.core.validators.ProhibitNullCharactersValidator('A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.RegexValidator('(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?\\Z)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\Z)', 'A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.MaxLengthValidator(2048), apps.core.text_rules.validate_other_host]),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.CheckConstraint(condition=models.Q(('avatar_url', ''), ('avatar_url__regex', '(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'), _connector='OR'), name='participant_avatar_is_picture', violation_error_message='A picture needs an https:// address or a static file of this site.'),
        ),
    ]
