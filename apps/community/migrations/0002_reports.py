"""Reports of all texts, and what is decided about them.

What was reported goes with its text, and the comment of a rating when its author writes another one: the database does
it, so that no way of deleting can forget it. It announces that as well, on the channel of `apps/core/bus`. Whoever
deletes locks the text, then its case.
"""


import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models

from apps.core.database.paging import counting_sql

CASES_END = """
CREATE FUNCTION report_cases_end(subject_kind text, ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ended bigint[] := ARRAY(
        SELECT id FROM report_cases WHERE kind = subject_kind AND subject_id = ANY (ids) ORDER BY id FOR UPDATE
    );
BEGIN
    IF cardinality(ended) > 0 THEN
        DELETE FROM decided_report_cases WHERE case_id = ANY (ended);
        DELETE FROM reports WHERE case_id = ANY (ended);
        DELETE FROM report_cases WHERE id = ANY (ended);
        PERFORM pg_notify('parterre', 'reports');
    END IF;
END
$$;
CREATE FUNCTION reported_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_cases_end(TG_ARGV[0], ARRAY(SELECT id FROM rows_before));
    RETURN NULL;
END
$$;
CREATE FUNCTION reported_rewritten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM report_cases_end(TG_ARGV[0], ARRAY[NEW.id]);
    RETURN NULL;
END
$$;
CREATE TRIGGER reported_rewritten AFTER UPDATE OF comment ON performance_ratings
    FOR EACH ROW WHEN (OLD.comment IS DISTINCT FROM NEW.comment)
    EXECUTE FUNCTION reported_rewritten('rating_comment');
"""
CASES_STAY = """
DROP TRIGGER reported_rewritten ON performance_ratings;
DROP FUNCTION reported_rewritten();
DROP FUNCTION reported_deleted();
DROP FUNCTION report_cases_end(text, bigint[]);
"""
TABLES = {
    'post': 'posts',
    'post_comment': 'post_comments',
    'session_comment': 'session_comments',
    'rating_comment': 'performance_ratings',
}


def deleted_sql(kind, table):
    """Return the SQL after which the deletion of a text ends its case, and its reverse."""
    return (
        f"CREATE TRIGGER reported_deleted AFTER DELETE ON {table} REFERENCING OLD TABLE AS rows_before "
        f"FOR EACH STATEMENT EXECUTE FUNCTION reported_deleted('{kind}')",
        f"DROP TRIGGER reported_deleted ON {table}",
    )


class Migration(migrations.Migration):

    dependencies = [
        ('community', '0001_initial'),
        ('live', '0005_hidden_comments'),
        ('ratings', '0009_hidden_comments'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DecidedCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'Open'), ('hidden', 'Hidden'), ('dismissed', 'Dismissed')], max_length=9)),
                ('is_hidden_by_audience', models.BooleanField()),
                ('updated_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
            ],
            options={
                'db_table': 'decided_report_cases',
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('spam', 'Spam'), ('insult', 'Insult'), ('off_topic', 'Off topic'), ('other', 'Something else')], max_length=9)),
                ('words', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'db_table': 'reports',
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
            ],
            options={
                'db_table': 'report_cases',
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
            },
        ),
        migrations.CreateModel(
            name='ReportDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_hidden', models.BooleanField()),
                ('count', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
            ],
            options={
                'db_table': 'report_decisions',
            },
        ),
        migrations.AddIndex(
            model_name='post',
            index=models.Index(condition=models.Q(('is_hidden', True)), fields=['user'], name='community_post_hidden'),
        ),
        migrations.AddIndex(
            model_name='postcomment',
            index=models.Index(condition=models.Q(('is_hidden', True)), fields=['user'], name='post_comment_hidden'),
        ),
        migrations.AddField(
            model_name='decidedcase',
            name='decided_by',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='report',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='reportcase',
            name='decided_by',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='report',
            name='case',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='community.reportcase'),
        ),
        migrations.AddField(
            model_name='decidedcase',
            name='case',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='community.reportcase'),
        ),
        migrations.AddIndex(
            model_name='reportcasecount',
            index=models.Index(fields=['state', 'kind'], name='report_case_counted'),
        ),
        migrations.AddField(
            model_name='reportdecision',
            name='user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='decidedcase',
            name='decision',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cases', to='community.reportdecision'),
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
        migrations.RunSQL(*counting_sql('report_cases', 'report_case_counts', 'state', 'kind')),
        migrations.RunSQL(CASES_END, CASES_STAY),
        *(migrations.RunSQL(*deleted_sql(kind, table)) for kind, table in TABLES.items()),
    ]
