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
        ('ratings', '0002_decisions'),
        ('ratings', '0003_counts'),
        ('ratings', '0004_piece_rating_lookups'),
        ('ratings', '0005_performance_rating_lookups'),
        ('ratings', '0006_place_lookups'),
        ('ratings', '0007_dated_by_the_database'),
        ('ratings', '0008_rate_limits'),
        ('ratings', '0009_hidden_comments'),
        ('ratings', '0010_submissions'),
        ('ratings', '0011_unused_lookups'),
        ('ratings', '0012_author_active'),
        ('ratings', '0013_authors'),
        ('ratings', '0014_author_lookups'),
    ]

    dependencies = [
        ('core', '0001_initial'),
        ('competition', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('approved', models.BooleanField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ('submissions', models.PositiveIntegerField(db_default=1)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'rating_decisions',
            },
        ),
        migrations.CreateModel(
            name='AdvanceRecommendation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recommendation', models.CharField(choices=[('up', 'Up'), ('down', 'Down')], max_length=4)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('is_author_active', models.BooleanField(db_default=True, editable=False)),
                ('session_participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.sessionparticipant')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'advance_recommendations',
                'constraints': [models.UniqueConstraint(fields=('user', 'session_participant'), name='recommended_once'), models.CheckConstraint(condition=models.Q(('recommendation__in', ['up', 'down'])), name='recommendation_known')],
            },
        ),
        migrations.CreateModel(
            name='DecidedRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('performance', 'performance'), ('piece', 'piece')], max_length=11)),
                ('rating_id', models.BigIntegerField()),
                ('changed_at', models.DateTimeField()),
                ('row', models.JSONField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='ratings.decision')),
            ],
            options={
                'db_table': 'decided_ratings',
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['performance', 'piece'])), name='decided_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='PerformanceRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('score', models.PositiveSmallIntegerField()),
                ('approved', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('comment', models.TextField()),
                ('quick_rating', models.CharField(blank=True, choices=[('outstanding', 'Outstanding'), ('great_performance', 'Great Performance'), ('other', 'Other')], max_length=17)),
                ('is_comment_hidden', models.BooleanField(db_default=False, default=False)),
                ('is_author_active', models.BooleanField(db_default=True, editable=False)),
                ('session_participant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.sessionparticipant')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'performance_ratings',
                'abstract': False,
                'indexes': [models.Index(fields=['-created_at', '-id'], name='performancerating_all_new'), models.Index(fields=['session_participant', '-created_at', '-id'], name='performancerating_place_all'), models.Index(condition=models.Q(('is_comment_hidden', True)), fields=['user'], name='performance_comment_hidden'), models.Index(condition=models.Q(('approved', True), ('is_author_active', True)), fields=['-created_at', '-id'], name='performancerating_shown'), models.Index(condition=models.Q(('approved', True), ('is_author_active', True)), fields=['session_participant', '-created_at', '-id'], name='performancerating_place_shown'), models.Index(condition=models.Q(('approved', False), ('is_author_active', True)), fields=['-updated_at', '-id'], name='performancerating_waits'), models.Index(condition=models.Q(('approved', False), ('is_author_active', True)), fields=['session_participant', '-updated_at', '-id'], name='performancerating_place_waits')],
                'constraints': [models.UniqueConstraint(fields=('user', 'session_participant'), name='performance_rated_once'), models.CheckConstraint(condition=models.Q(('score__range', (1, 5))), name='performance_score_in_range'), models.CheckConstraint(condition=models.Q(('quick_rating__in', ['', 'outstanding', 'great_performance', 'other'])), name='quick_rating_known'), models.CheckConstraint(condition=models.Q(('comment__regex', '^\\S(.*\\S)?$')), name='rating_comment_written', violation_error_message='Comment is required.'), models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('comment'), 2000), name='rating_comment_length', violation_error_message='Comment must be no more than 2,000 characters long.')],
            },
        ),
        migrations.CreateModel(
            name='PerformanceRatingCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('approved', models.BooleanField()),
                ('score', models.PositiveSmallIntegerField()),
                ('is_author_active', models.BooleanField(db_default=True, editable=False)),
                ('session_participant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant')),
            ],
            options={
                'db_table': 'performance_rating_counts',
                'indexes': [models.Index(fields=['session_participant', 'approved', 'score'], name='performance_rating_counted')],
            },
        ),
        migrations.CreateModel(
            name='PieceMarkCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('piece_id', models.BigIntegerField()),
                ('score', models.PositiveSmallIntegerField()),
                ('session_participant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant')),
            ],
            options={
                'db_table': 'piece_mark_counts',
                'indexes': [models.Index(fields=['session_participant', 'piece_id', 'score'], name='piece_mark_counted')],
            },
        ),
        migrations.CreateModel(
            name='PieceRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('score', models.PositiveSmallIntegerField()),
                ('approved', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('is_author_active', models.BooleanField(db_default=True, editable=False)),
                ('piece', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.piece')),
                ('session_participant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.sessionparticipant')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'piece_ratings',
                'abstract': False,
                'indexes': [models.Index(fields=['session_participant', '-created_at', '-id'], name='piecerating_place_all')],
                'constraints': [models.UniqueConstraint(fields=('user', 'session_participant', 'piece'), name='piece_rated_once'), models.CheckConstraint(condition=models.Q(('score__range', (1, 25))), name='piece_score_in_range')],
            },
        ),
        migrations.CreateModel(
            name='PieceRatingCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('piece_id', models.BigIntegerField()),
                ('approved', models.BooleanField()),
                ('session_participant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant')),
            ],
            options={
                'db_table': 'piece_rating_counts',
                'indexes': [models.Index(fields=['session_participant', 'piece_id', 'approved'], name='piece_rating_counted')],
            },
        ),
        migrations.CreateModel(
            name='RatingSubmission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('waiting_pieces', models.PositiveSmallIntegerField(db_default=0)),
                ('waiting_points', models.PositiveSmallIntegerField(db_default=0)),
                ('approved_pieces', models.PositiveSmallIntegerField(db_default=0)),
                ('approved_points', models.PositiveSmallIntegerField(db_default=0)),
                ('given_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('shown_at', models.DateTimeField(null=True)),
                ('waiting_at', models.DateTimeField(null=True)),
                ('session_participant', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'rating_submissions',
                'indexes': [models.Index(fields=['user', '-given_at', '-id'], name='submission_of_user'), models.Index(fields=['-given_at', '-id'], name='submission_given'), models.Index(fields=['session_participant', '-given_at', '-id'], name='submission_place_given'), models.Index(condition=models.Q(('shown_at__isnull', False)), fields=['-shown_at', '-id'], name='submission_shown'), models.Index(condition=models.Q(('shown_at__isnull', False)), fields=['session_participant', '-shown_at', '-id'], name='submission_place_shown'), models.Index(condition=models.Q(('waiting_at__isnull', False)), fields=['-waiting_at', '-id'], name='submission_waiting'), models.Index(condition=models.Q(('waiting_at__isnull', False)), fields=['session_participant', '-waiting_at', '-id'], name='submission_place_waiting')],
                'constraints': [models.UniqueConstraint(fields=('user', 'session_participant'), name='submitted_once'), models.CheckConstraint(condition=models.Q(models.Q(('waiting_at__isnull', True), ('waiting_pieces', 0), ('waiting_points', 0)), models.Q(('waiting_at__isnull', False), ('waiting_pieces__gt', 0)), _connector='OR'), name='submission_waiting'), models.CheckConstraint(condition=models.Q(models.Q(('approved_pieces', 0), ('approved_points', 0)), models.Q(('approved_pieces__gt', 0), ('shown_at__isnull', False)), _connector='OR'), name='submission_shown')],
            },
        ),
        migrations.CreateModel(
            name='RatingSubmissionCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('waiting_pieces', models.PositiveSmallIntegerField()),
                ('approved_pieces', models.PositiveSmallIntegerField()),
                ('session_participant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant')),
            ],
            options={
                'db_table': 'rating_submission_counts',
                'indexes': [models.Index(fields=['session_participant', 'waiting_pieces', 'approved_pieces'], name='submission_counted')],
            },
        ),
        migrations.CreateModel(
            name='RecommendationCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('recommendation', models.CharField(choices=[('up', 'Up'), ('down', 'Down')], max_length=4)),
                ('is_author_active', models.BooleanField(db_default=True, editable=False)),
                ('session_participant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant')),
            ],
            options={
                'db_table': 'advance_recommendation_counts',
                'indexes': [models.Index(fields=['session_participant', 'recommendation'], name='recommendation_counted')],
            },
        ),
        migrations.RunSQL(sql_text('ratings', 'counts'), migrations.RunSQL.noop),
        migrations.RunSQL(sql_text('ratings', 'rating_submissions_keep'), 'DROP FUNCTION rating_submissions_keep() CASCADE'),
        migrations.RunSQL(sql_text('ratings', 'author_active'), 'DROP FUNCTION marks_follow_author(), author_active() CASCADE'),
    ]
