"""One row for a person's rating of a performance, kept by triggers; counted as rows are (`apps/core/database/paging.py`).

Marks wait while theirs are gathered: a second at 100,000. The function takes each changed rating's row before it reads
the marks, so of two transactions that change marks of one rating the later one reads what the earlier one wrote. It
looks them up by pairs of person and place, for which there is one index, also while PostgreSQL still takes the tables
for empty and would scan all of them, or all of a place, for each rating.
`decided_rating_counts` stays for the version before this one while a deploy lasts; the next one drops it.
"""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from apps.core.database.paging import counting_sql

GATHERED = """
    count(*) FILTER (WHERE of_piece AND NOT approved) AS waiting_pieces,
    coalesce(sum(score) FILTER (WHERE of_piece AND NOT approved), 0) AS waiting_points,
    count(*) FILTER (WHERE of_piece AND approved) AS approved_pieces,
    coalesce(sum(score) FILTER (WHERE of_piece AND approved), 0) AS approved_points,
    max(created_at) AS given_at,
    max(created_at) FILTER (WHERE approved) AS shown_at,
    max(updated_at) FILTER (WHERE of_piece AND NOT approved) AS waiting_at
"""
COLUMNS = "user_id, session_participant_id, score, approved, created_at, updated_at"
MARKS = f"SELECT true AS of_piece, {COLUMNS} FROM piece_ratings UNION ALL SELECT false, {COLUMNS} FROM performance_ratings"
CHANGED = f"""
    (SELECT id, {COLUMNS} FROM rows_before EXCEPT SELECT id, {COLUMNS} FROM rows_after)
    UNION ALL
    (SELECT id, {COLUMNS} FROM rows_after EXCEPT SELECT id, {COLUMNS} FROM rows_before)
"""
FUNCTION = f"""
CREATE FUNCTION rating_submissions_keep() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO off AS $$
DECLARE
    users bigint[];
    places bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(user_id), array_agg(session_participant_id) INTO users, places
        FROM (SELECT DISTINCT user_id, session_participant_id FROM rows_after) AS changed;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(user_id), array_agg(session_participant_id) INTO users, places
        FROM (SELECT DISTINCT user_id, session_participant_id FROM rows_before) AS changed;
    ELSE
        SELECT array_agg(user_id), array_agg(session_participant_id) INTO users, places
        FROM (SELECT DISTINCT user_id, session_participant_id FROM ({CHANGED}) AS both_sides) AS changed;
    END IF;
    IF users IS NULL THEN
        RETURN NULL;
    END IF;
    -- takes the rows, in one order, before the marks are read; they are there where marks were
    IF TG_OP = 'INSERT' THEN
        INSERT INTO rating_submissions (user_id, session_participant_id)
        SELECT user_id, place FROM unnest(users, places) AS changed (user_id, place) ORDER BY user_id, place
        ON CONFLICT (user_id, session_participant_id)
        DO UPDATE SET session_participant_id = EXCLUDED.session_participant_id;
    ELSE
        PERFORM FROM rating_submissions AS kept, unnest(users, places) AS changed (user_id, place)
        WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
        ORDER BY kept.user_id, kept.session_participant_id FOR UPDATE OF kept;
    END IF;
    UPDATE rating_submissions AS kept SET
        waiting_pieces = found.waiting_pieces, waiting_points = found.waiting_points,
        approved_pieces = found.approved_pieces, approved_points = found.approved_points,
        given_at = found.given_at, shown_at = found.shown_at, waiting_at = found.waiting_at
    FROM unnest(users, places) AS changed (user_id, place), LATERAL (
        SELECT {GATHERED} FROM ({MARKS}) AS marks
        WHERE (marks.user_id, marks.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
    ) AS found
    WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place) AND found.given_at IS NOT NULL;
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM rating_submissions AS kept USING unnest(users, places) AS changed (user_id, place)
        WHERE (kept.user_id, kept.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place) AND NOT EXISTS (
            SELECT FROM ({MARKS}) AS marks
            WHERE (marks.user_id, marks.session_participant_id) BETWEEN (changed.user_id, changed.place)
            AND (changed.user_id, changed.place)
        );
    END IF;
    RETURN NULL;
END
$$
"""
MOMENTS = (
    ("INSERT", "NEW TABLE AS rows_after"),
    ("UPDATE", "OLD TABLE AS rows_before NEW TABLE AS rows_after"),
    ("DELETE", "OLD TABLE AS rows_before"),
)
TRIGGERS = [
    (
        f"CREATE TRIGGER {table}_submissions_{moment.lower()} AFTER {moment} ON {table} REFERENCING {tables} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION rating_submissions_keep();",
        f"DROP TRIGGER {table}_submissions_{moment.lower()} ON {table};",
    )
    for table in ("piece_ratings", "performance_ratings")
    for moment, tables in MOMENTS
]
FILL = f"""
INSERT INTO rating_submissions (
    user_id, session_participant_id,
    waiting_pieces, waiting_points, approved_pieces, approved_points, given_at, shown_at, waiting_at
) SELECT user_id, session_participant_id, {GATHERED} FROM ({MARKS}) AS marks GROUP BY user_id, session_participant_id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0005_appearances'),
        ('ratings', '0009_hidden_comments'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='submissions',
            field=models.PositiveIntegerField(db_default=1),
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
            },
        ),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name='DecidedRatingCount')]),
        migrations.AddIndex(
            model_name='ratingsubmission',
            index=models.Index(fields=['user', '-given_at', '-id'], name='submission_of_user'),
        ),
        migrations.AddIndex(
            model_name='ratingsubmission',
            index=models.Index(fields=['-given_at', '-id'], name='submission_given'),
        ),
        migrations.AddIndex(
            model_name='ratingsubmission',
            index=models.Index(fields=['session_participant', '-given_at', '-id'], name='submission_place_given'),
        ),
        migrations.AddIndex(
            model_name='ratingsubmission',
            index=models.Index(condition=models.Q(('shown_at__isnull', False)), fields=['-shown_at', '-id'], name='submission_shown'),
        ),
        migrations.AddIndex(
            model_name='ratingsubmission',
            index=models.Index(condition=models.Q(('shown_at__isnull', False)), fields=['session_participant', '-shown_at', '-id'], name='submission_place_shown'),
        ),
        migrations.AddIndex(
            model_name='ratingsubmission',
            index=models.Index(condition=models.Q(('waiting_at__isnull', False)), fields=['-waiting_at', '-id'], name='submission_waiting'),
        ),
        migrations.AddIndex(
            model_name='ratingsubmission',
            index=models.Index(condition=models.Q(('waiting_at__isnull', False)), fields=['session_participant', '-waiting_at', '-id'], name='submission_place_waiting'),
        ),
        migrations.AddConstraint(
            model_name='ratingsubmission',
            constraint=models.UniqueConstraint(fields=('user', 'session_participant'), name='submitted_once'),
        ),
        migrations.AddConstraint(
            model_name='ratingsubmission',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('waiting_at__isnull', True), ('waiting_pieces', 0), ('waiting_points', 0)), models.Q(('waiting_at__isnull', False), ('waiting_pieces__gt', 0)), _connector='OR'), name='submission_waiting'),
        ),
        migrations.AddConstraint(
            model_name='ratingsubmission',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('approved_pieces', 0), ('approved_points', 0)), models.Q(('approved_pieces__gt', 0), ('shown_at__isnull', False)), _connector='OR'), name='submission_shown'),
        ),
        migrations.AddIndex(
            model_name='ratingsubmissioncount',
            index=models.Index(fields=['session_participant', 'waiting_pieces', 'approved_pieces'], name='submission_counted'),
        ),
        migrations.RunSQL(FUNCTION, "DROP FUNCTION rating_submissions_keep()"),
        *(migrations.RunSQL(*trigger) for trigger in TRIGGERS),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.RunSQL(
            *counting_sql(
                'rating_submissions', 'rating_submission_counts',
                'session_participant_id', 'waiting_pieces', 'approved_pieces',
                where='waiting_pieces + approved_pieces > 0',
            )
        ),
    ]
