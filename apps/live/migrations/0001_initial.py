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
        ('live', '0002_comment_counts'),
        ('live', '0003_dated_by_the_database'),
        ('live', '0004_rate_limits'),
        ('live', '0005_hidden_comments'),
        ('live', '0006_reaction_moments'),
    ]

    dependencies = [
        ('core', '0001_initial'),
        ('competition', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CommentCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('is_hidden', models.BooleanField()),
                ('session', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.session')),
            ],
            options={
                'db_table': 'session_comment_counts',
                'indexes': [models.Index(fields=['session', 'is_hidden'], name='comment_count_of_session')],
            },
        ),
        migrations.CreateModel(
            name='ReactionMoment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('second', models.BigIntegerField()),
                ('count', models.PositiveIntegerField()),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.session')),
            ],
            options={
                'db_table': 'session_reaction_moments',
                'constraints': [models.UniqueConstraint(fields=('session', 'second'), name='reaction_moment_once')],
            },
        ),
        migrations.CreateModel(
            name='ReactionTotal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('type', models.CharField(choices=[('heart', 'Heart'), ('thumbsUp', 'Thumbs up'), ('thumbsDown', 'Thumbs down')], max_length=10)),
                ('total', models.PositiveIntegerField()),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.session')),
            ],
            options={
                'db_table': 'session_reaction_totals',
                'constraints': [models.CheckConstraint(condition=models.Q(('type__in', ['heart', 'thumbsUp', 'thumbsDown'])), name='reaction_total_type_known'), models.UniqueConstraint(fields=('session', 'type'), name='reaction_total_once')],
            },
        ),
        migrations.CreateModel(
            name='SessionComment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('is_hidden', models.BooleanField(db_default=False, default=False)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.session')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'session_comments',
                'indexes': [models.Index(fields=['session', '-id'], name='session_comment_newest'), models.Index(fields=['user', '-created_at'], name='session_comment_of_user'), models.Index(condition=models.Q(('is_hidden', True)), fields=['user'], name='session_comment_hidden')],
                'constraints': [models.CheckConstraint(condition=models.Q(('content__regex', '^\\S(.*\\S)?$')), name='session_comment_written', violation_error_message='Content is required.'), models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('content'), 500), name='session_comment_length', violation_error_message='Content must be no more than 500 characters long.')],
            },
        ),
        migrations.CreateModel(
            name='SessionReaction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('type', models.CharField(choices=[('heart', 'Heart'), ('thumbsUp', 'Thumbs up'), ('thumbsDown', 'Thumbs down')], max_length=10)),
                ('timestamp', models.BigIntegerField()),
                ('key', models.UUIDField()),
                ('number', models.PositiveSmallIntegerField()),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.session')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'session_reactions',
                'indexes': [models.Index(fields=['session', 'timestamp'], name='reaction_lately')],
                'constraints': [models.CheckConstraint(condition=models.Q(('type__in', ['heart', 'thumbsUp', 'thumbsDown'])), name='reaction_type_known'), models.UniqueConstraint(fields=('user', 'key', 'number'), name='reaction_once')],
            },
        ),
        migrations.RunSQL(sql_text('live', 'counts'), migrations.RunSQL.noop),
    ]
