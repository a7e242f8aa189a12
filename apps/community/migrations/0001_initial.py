"""The tables of the community, with their counts, which PostgreSQL keeps (`apps/core/database/paging.py`)."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models

from apps.core.database.paging import counting_sql


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0011_rate_limits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Post',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.TextField()),
                ('image_url', models.CharField(blank=True, max_length=2048)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('is_hidden', models.BooleanField(db_default=False, default=False)),
                ('user', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'posts',
            },
        ),
        migrations.CreateModel(
            name='PostComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.TextField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('is_hidden', models.BooleanField(db_default=False, default=False)),
                ('post', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='community.post')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'post_comments',
            },
        ),
        migrations.CreateModel(
            name='PostCommentCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('post', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='community.post')),
            ],
            options={
                'db_table': 'post_comment_counts',
            },
        ),
        migrations.CreateModel(
            name='PostReactionCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('type', models.CharField(choices=[('applause', 'Applause'), ('boo', 'Boo')], max_length=10)),
                ('post', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='community.post')),
            ],
            options={
                'db_table': 'post_reaction_counts',
            },
        ),
        migrations.CreateModel(
            name='PostReactionRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('type', models.CharField(choices=[('applause', 'Applause'), ('boo', 'Boo')], max_length=10)),
                ('post', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='community.post')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'post_reactions',
            },
        ),
        migrations.AddIndex(
            model_name='post',
            index=models.Index(condition=models.Q(('is_hidden', False)), fields=['-created_at', '-id'], name='community_post_newest'),
        ),
        migrations.AddIndex(
            model_name='post',
            index=models.Index(fields=['user', '-created_at', '-id'], name='community_post_of_user'),
        ),
        migrations.AddConstraint(
            model_name='post',
            constraint=models.CheckConstraint(condition=models.Q(('content__regex', '^\\S(.*\\S)?$')), name='community_post_written', violation_error_message='Content is required.'),
        ),
        migrations.AddConstraint(
            model_name='post',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('content'), 5000), name='community_post_length', violation_error_message='Content must be no more than 5,000 characters long.'),
        ),
        migrations.AddConstraint(
            model_name='post',
            constraint=models.CheckConstraint(condition=models.Q(('image_url', ''), ('image_url__regex', '^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$'), _connector='OR'), name='community_post_image_is_picture', violation_error_message='A picture needs an https:// address.'),
        ),
        migrations.AddIndex(
            model_name='postcomment',
            index=models.Index(fields=['post', '-id'], name='post_comment_newest'),
        ),
        migrations.AddConstraint(
            model_name='postcomment',
            constraint=models.CheckConstraint(condition=models.Q(('content__regex', '^\\S(.*\\S)?$')), name='post_comment_written', violation_error_message='Content is required.'),
        ),
        migrations.AddConstraint(
            model_name='postcomment',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('content'), 2000), name='post_comment_length', violation_error_message='Content must be no more than 2,000 characters long.'),
        ),
        migrations.AddIndex(
            model_name='postcommentcount',
            index=models.Index(fields=['post'], name='post_comment_count_of_post'),
        ),
        migrations.AddIndex(
            model_name='postreactioncount',
            index=models.Index(fields=['post', 'type'], name='post_reaction_count_of_post'),
        ),
        migrations.AddConstraint(
            model_name='postreactionrow',
            constraint=models.CheckConstraint(condition=models.Q(('type__in', ['applause', 'boo'])), name='post_reaction_type_known'),
        ),
        migrations.AddConstraint(
            model_name='postreactionrow',
            constraint=models.UniqueConstraint(fields=('user', 'post'), name='post_reaction_once'),
        ),
        migrations.RunSQL(*counting_sql('post_reactions', 'post_reaction_counts', 'post_id', 'type')),
        migrations.RunSQL(*counting_sql('post_comments', 'post_comment_counts', 'post_id', where='NOT is_hidden')),
    ]
