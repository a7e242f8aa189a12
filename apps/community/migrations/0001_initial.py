"""The schema of release 1 (ADR 22)."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models

from apps.core.database.sql_files import sql_text


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('community', '0002_reports'),
    ]

    dependencies = [
        ('ratings', '0001_initial'),
        ('live', '0001_initial'),
        ('core', '0001_initial'),
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
        migrations.CreateModel(
            name='ReportCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('post', 'Post'), ('post_comment', 'Comment on a post'), ('session_comment', 'Comment on a session'), ('rating_comment', 'Comment of a rating')], max_length=15)),
                ('subject_id', models.BigIntegerField()),
                ('state', models.CharField(choices=[('open', 'Open'), ('hidden', 'Hidden'), ('dismissed', 'Dismissed')], default='open', max_length=9)),
                ('is_hidden_by_audience', models.BooleanField(default=False)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'report_cases',
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('spam', 'Spam'), ('insult', 'Insult'), ('off_topic', 'Off topic'), ('other', 'Something else')], max_length=9)),
                ('words', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='community.reportcase')),
            ],
            options={
                'db_table': 'reports',
            },
        ),
        migrations.CreateModel(
            name='ReportCaseCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('state', models.CharField(choices=[('open', 'Open'), ('hidden', 'Hidden'), ('dismissed', 'Dismissed')], max_length=9)),
                ('kind', models.CharField(choices=[('post', 'Post'), ('post_comment', 'Comment on a post'), ('session_comment', 'Comment on a session'), ('rating_comment', 'Comment of a rating')], max_length=15)),
            ],
            options={
                'db_table': 'report_case_counts',
                'indexes': [models.Index(fields=['state', 'kind'], name='report_case_counted')],
            },
        ),
        migrations.CreateModel(
            name='ReportDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_hidden', models.BooleanField()),
                ('count', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'report_decisions',
            },
        ),
        migrations.CreateModel(
            name='DecidedCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('hidden', 'Hidden'), ('dismissed', 'Dismissed')], max_length=9)),
                ('is_hidden_by_audience', models.BooleanField()),
                ('updated_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='community.reportcase')),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='community.reportdecision')),
            ],
            options={
                'db_table': 'decided_report_cases',
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
        migrations.AddIndex(
            model_name='post',
            index=models.Index(condition=models.Q(('is_hidden', True)), fields=['user'], name='community_post_hidden'),
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
        migrations.AddIndex(
            model_name='postcomment',
            index=models.Index(condition=models.Q(('is_hidden', True)), fields=['user'], name='post_comment_hidden'),
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
        migrations.AddIndex(
            model_name='reportcase',
            index=models.Index(fields=['state', '-updated_at', '-id'], name='report_case_newest'),
        ),
        migrations.AddIndex(
            model_name='reportcase',
            index=models.Index(fields=['state', 'kind', '-updated_at', '-id'], name='report_case_of_kind'),
        ),
        migrations.AddConstraint(
            model_name='reportcase',
            constraint=models.UniqueConstraint(fields=('kind', 'subject_id'), name='report_case_once'),
        ),
        migrations.AddConstraint(
            model_name='reportcase',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['post', 'post_comment', 'session_comment', 'rating_comment'])), name='report_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='reportcase',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['open', 'hidden', 'dismissed'])), name='report_state_known'),
        ),
        migrations.AddConstraint(
            model_name='reportcase',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'open'), models.Q(('decided_at__isnull', False), ('is_hidden_by_audience', False)), _connector='OR'), name='report_case_decided'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('case', 'user'), name='reported_once'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['spam', 'insult', 'off_topic', 'other'])), name='report_reason_known'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(('reason', 'other'), ('words', ''), _negated=True), name='report_words_written'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('words'), 500), name='report_words_length', violation_error_message='Words must be no more than 500 characters long.'),
        ),
        migrations.RunSQL(sql_text('community', 'counts'), migrations.RunSQL.noop),
        migrations.RunSQL(sql_text('community', 'report_cases_end'), 'DROP FUNCTION reported_rewritten(), reported_deleted(), report_cases_end(text, bigint[]) CASCADE'),
    ]
