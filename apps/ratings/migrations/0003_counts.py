"""Counts that PostgreSQL keeps (`apps/core/database/paging.py`).

Ratings wait while theirs are counted: a tenth of a second at 100,000.
"""

import django.db.models.deletion
from django.db import migrations, models

from apps.core.database.paging import counting_sql

PLACE = 'session_participant_id'


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0007_rows_count'),
        ('competition', '0002_addresses_without_nul'),
        ('ratings', '0002_decisions'),
    ]

    operations = [
        migrations.CreateModel(
            name='DecidedRatingCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
            ],
            options={
                'db_table': 'decided_rating_counts',
            },
        ),
        migrations.CreateModel(
            name='PerformanceRatingCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('approved', models.BooleanField()),
                ('score', models.PositiveSmallIntegerField()),
            ],
            options={
                'db_table': 'performance_rating_counts',
            },
        ),
        migrations.CreateModel(
            name='PieceMarkCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('piece_id', models.BigIntegerField()),
                ('score', models.PositiveSmallIntegerField()),
            ],
            options={
                'db_table': 'piece_mark_counts',
            },
        ),
        migrations.CreateModel(
            name='PieceRatingCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('piece_id', models.BigIntegerField()),
                ('approved', models.BooleanField()),
            ],
            options={
                'db_table': 'piece_rating_counts',
            },
        ),
        migrations.CreateModel(
            name='RecommendationCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('recommendation', models.CharField(choices=[('up', 'Up'), ('down', 'Down')], max_length=4)),
            ],
            options={
                'db_table': 'advance_recommendation_counts',
            },
        ),
        migrations.AddField(
            model_name='decidedratingcount',
            name='decision',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='counts', to='ratings.decision'),
        ),
        migrations.AddField(
            model_name='performanceratingcount',
            name='session_participant',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant'),
        ),
        migrations.AddField(
            model_name='piecemarkcount',
            name='session_participant',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant'),
        ),
        migrations.AddField(
            model_name='pieceratingcount',
            name='session_participant',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant'),
        ),
        migrations.AddField(
            model_name='recommendationcount',
            name='session_participant',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.sessionparticipant'),
        ),
        migrations.AddIndex(
            model_name='decidedratingcount',
            index=models.Index(fields=['decision'], name='decided_rating_count'),
        ),
        migrations.AddIndex(
            model_name='performanceratingcount',
            index=models.Index(fields=['session_participant', 'approved', 'score'], name='performance_rating_counted'),
        ),
        migrations.AddIndex(
            model_name='piecemarkcount',
            index=models.Index(fields=['session_participant', 'piece_id', 'score'], name='piece_mark_counted'),
        ),
        migrations.AddIndex(
            model_name='pieceratingcount',
            index=models.Index(fields=['session_participant', 'piece_id', 'approved'], name='piece_rating_counted'),
        ),
        migrations.AddIndex(
            model_name='recommendationcount',
            index=models.Index(fields=['session_participant', 'recommendation'], name='recommendation_counted'),
        ),
        migrations.RunSQL(*counting_sql('piece_ratings', 'piece_rating_counts', PLACE, 'piece_id', 'approved')),
        migrations.RunSQL(
            *counting_sql('piece_ratings', 'piece_mark_counts', PLACE, 'piece_id', 'score', where='approved')
        ),
        migrations.RunSQL(
            *counting_sql('performance_ratings', 'performance_rating_counts', PLACE, 'approved', 'score')
        ),
        migrations.RunSQL(
            *counting_sql('advance_recommendations', 'advance_recommendation_counts', PLACE, 'recommendation')
        ),
        migrations.RunSQL(*counting_sql('decided_ratings', 'decided_rating_counts', 'decision_id')),
    ]
