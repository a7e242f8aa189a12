"""The schema of release 1 (ADR 22)."""

import apps.core.text_rules
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('news', '0002_former_members'),
        ('news', '0003_addresses_without_nul'),
        ('news', '0004_pictures_of_our_own'),
        ('news', '0005_dated_by_the_database'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BlogPost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200)),
                ('content', models.TextField()),
                ('excerpt', models.CharField(max_length=1000)),
                ('image_url', models.CharField(blank=True, max_length=2048, validators=[django.core.validators.ProhibitNullCharactersValidator('A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.RegexValidator('(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?\\Z)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\Z)', 'A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.MaxLengthValidator(2048), apps.core.text_rules.validate_other_host])),
                ('is_published', models.BooleanField(default=False)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='blog_posts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'blog_posts',
                'indexes': [models.Index(condition=models.Q(('is_published', True)), fields=['-published_at', '-id'], name='post_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('is_published', True), ('published_at__isnull', False)), models.Q(('is_published', False), ('published_at__isnull', True)), _connector='OR'), name='post_published_with_time'), models.CheckConstraint(condition=models.Q(('title__regex', '^\\S(.*\\S)?$')), name='post_title_written', violation_error_message='Title is required.'), models.CheckConstraint(condition=models.Q(('excerpt__regex', '^\\S(.*\\S)?$')), name='post_excerpt_written', violation_error_message='Excerpt is required.'), models.CheckConstraint(condition=models.Q(('content__regex', '^\\S(.*\\S)?$')), name='post_content_written', violation_error_message='Content is required.'), models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('content'), 100000), name='post_content_length', violation_error_message='Content must be no more than 100,000 characters long.'), models.CheckConstraint(condition=models.Q(('image_url', ''), ('image_url__regex', '(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'), _connector='OR'), name='post_image_is_picture', violation_error_message='A picture needs an https:// address or a static file of this site.')],
            },
        ),
    ]
