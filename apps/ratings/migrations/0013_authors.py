"""Marks and recommendations follow their author's account: while it is closed, they are neither shown nor counted.

The database does it, for an account is closed in more ways than one. Locks are taken as services take them: account,
ratings, marks. A mark that is stored holds its author's account (`FOR SHARE`), so that it is not closed meanwhile; who
stores marks of others locks their accounts first.
Counts stay as they are, for until now all authors counted; then the marks of accounts that are closed already follow
them. Nobody closes an account, gives or decides about marks meanwhile: a second at 100,000.
"""

from importlib import import_module

from django.conf import settings
from django.db import migrations, models

from apps.core.database.paging import count_triggers_sql

before = import_module('apps.ratings.migrations.0010_submissions')

MARKED = ('piece_ratings', 'performance_ratings', 'advance_recommendations')
PLACE = 'session_participant_id'
LOCK = f"""
LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE rating_submissions IN EXCLUSIVE MODE;
LOCK TABLE {', '.join(MARKED)} IN SHARE ROW EXCLUSIVE MODE;
"""

# A rating's row gathers the marks of open accounts; `given_at` is of all, so the row stays.
GATHERED = before.GATHERED.replace('FILTER (WHERE ', 'FILTER (WHERE is_author_active AND ')
COLUMNS = f'{before.COLUMNS}, is_author_active'
MARKS = before.MARKS.replace(before.COLUMNS, COLUMNS)
SUBMISSIONS_BEFORE = before.FUNCTION.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')
SUBMISSIONS = SUBMISSIONS_BEFORE.replace(before.GATHERED, GATHERED).replace(before.COLUMNS, COLUMNS)

COUNTS_BEFORE = '\n'.join((
    count_triggers_sql('piece_ratings', 'piece_mark_counts', PLACE, 'piece_id', 'score', where='approved'),
    count_triggers_sql('performance_ratings', 'performance_rating_counts', PLACE, 'approved', 'score'),
    count_triggers_sql('advance_recommendations', 'advance_recommendation_counts', PLACE, 'recommendation'),
))
COUNTS = '\n'.join((
    count_triggers_sql(
        'piece_ratings', 'piece_mark_counts', PLACE, 'piece_id', 'score', where='approved AND is_author_active'
    ),
    count_triggers_sql(
        'performance_ratings', 'performance_rating_counts', PLACE, 'is_author_active', 'approved', 'score'
    ),
    count_triggers_sql(
        'advance_recommendations', 'advance_recommendation_counts', PLACE, 'is_author_active', 'recommendation'
    ),
))

FOLLOW = """
CREATE FUNCTION author_active() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.is_author_active := coalesce((SELECT is_active FROM users WHERE id = NEW.user_id FOR SHARE), true);
    RETURN NEW;
END
$$;
CREATE FUNCTION marks_follow_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM rating_submissions WHERE user_id = NEW.id ORDER BY session_participant_id FOR UPDATE;
    PERFORM FROM performance_ratings WHERE user_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM advance_recommendations WHERE user_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
    UPDATE piece_ratings SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    UPDATE performance_ratings SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    UPDATE advance_recommendations SET is_author_active = NEW.is_active WHERE user_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER marks_follow_author AFTER UPDATE OF is_active ON users
    FOR EACH ROW WHEN (OLD.is_active IS DISTINCT FROM NEW.is_active) EXECUTE FUNCTION marks_follow_author();
""" + '\n'.join(
    f'CREATE TRIGGER {table}_author BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION author_active();'
    for table in MARKED
)
FOLLOW_NO_MORE = 'DROP TRIGGER marks_follow_author ON users; DROP FUNCTION marks_follow_author();' + '\n'.join((
    *(f'DROP TRIGGER {table}_author ON {table};' for table in MARKED),
    'DROP FUNCTION author_active();',
))
FILL = '\n'.join(
    f'UPDATE {table} SET is_author_active = false FROM users WHERE users.id = user_id AND NOT users.is_active;'
    for table in MARKED
)
ALL_COUNT = '\n'.join(f'UPDATE {table} SET is_author_active = true WHERE NOT is_author_active;' for table in MARKED)


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0012_author_active'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(LOCK, migrations.RunSQL.noop),
        migrations.RunSQL(FOLLOW, FOLLOW_NO_MORE),
        migrations.RunSQL(SUBMISSIONS, SUBMISSIONS_BEFORE),
        migrations.RunSQL(COUNTS, COUNTS_BEFORE),
        migrations.RunSQL(FILL, ALL_COUNT),
        *(
            migrations.AddIndex(
                model_name='performancerating',
                index=models.Index(condition=which, fields=[*place, f'-{moment}', '-id'], name=f'performancerating_{name}'),
            )
            for name, place, moment, which in (
                ('shown', (), 'created_at', models.Q(approved=True, is_author_active=True)),
                ('place_shown', ('session_participant',), 'created_at', models.Q(approved=True, is_author_active=True)),
                ('waits', (), 'updated_at', models.Q(approved=False, is_author_active=True)),
                ('place_waits', ('session_participant',), 'updated_at', models.Q(approved=False, is_author_active=True)),
            )
        ),
        migrations.RunSQL(migrations.RunSQL.noop, LOCK),
    ]
