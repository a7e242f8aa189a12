"""`manage.py migrate` upgrades an installation of release 1 and of the previous version, and keeps every row."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from project.config import ROOT
from project.database.roles import serving_role
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import demo_database, free_port
from tests.project.database.schema import schema, schema_differences
from tests.waiting import wait_until

RELEASE_1 = Path(__file__).with_name("release_1.sql")  # the schema of its migrations, and their rows
TO_THE_VERSION_BEFORE = """
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
MigrationExecutor(connection).migrate([
    ("community", "0003_shown_again"), ("competition", "0009_stage_names_and_absent_avatars"),
    ("imports", "0006_rows_as_shown"), ("ratings", "0015_pieces_in_programs"),
])
"""
LEFT_OVER = {"decided_rating_counts", "rating_turns", "session_comment_allowances"}
LISTENERS, COMMENTS, ENTRIES = 20, 1_000, 20
SPECIFIED = "('etiuda_a', 'etiuda_b', 'nocturn', 'scherzo', 'mazurek')"
AS_BEFORE = f"""
TRUNCATE ranking_runs CASCADE;
UPDATE pieces SET category = 'mazurek' WHERE category NOT IN {SPECIFIED};
UPDATE session_participant_pieces SET slot = 'mazurek' WHERE slot NOT IN {SPECIFIED};
"""  # noqa: S608 - the only categories of the versions before, which had no ranking by a later method
LARGE = f"""
INSERT INTO users (email, username, password, avatar_url, is_admin, is_active)
SELECT 'heard' || n || '@example.org', 'heard' || n || 'x', '!', '', false, n % 9 > 0
FROM generate_series(1, {LISTENERS}) AS n;
INSERT INTO piece_ratings (user_id, session_participant_id, piece_id, score, approved)
SELECT DISTINCT users.id, entry.session_participant_id, entry.piece_id, 15, users.id % 2 = 0
FROM users, session_participant_pieces AS entry WHERE username LIKE 'heard%x';
INSERT INTO performance_ratings (user_id, session_participant_id, score, comment, quick_rating, approved)
SELECT users.id, place.id, 3, 'So.', '', true FROM users, session_participants AS place WHERE username LIKE 'heard%x';
INSERT INTO session_comments (session_id, user_id, content)
SELECT (SELECT min(id) FROM sessions), users.id, 'Bravo ' || n
FROM generate_series(1, {COMMENTS}) AS n JOIN users ON username = 'heard' || n % {LISTENERS} + 1 || 'x';
"""  # noqa: S608 - numbers
RATED_ENTRIES = "SELECT count(DISTINCT (session_participant_id, piece_id)) FROM session_participant_pieces"
OWN_RATINGS = "SELECT count(*) FROM piece_ratings JOIN users ON users.id = user_id WHERE username LIKE 'heard%x'"
NO_AVATAR = {("participants", "avatar_url"): "coalesce(avatar_url, '')"}  # as release 1 stored it
BLOCKING = {  # by version: a table, the last migration that does not wait for it, and one that does
    "release 1": ("participant_imports", "live.0009", "imports.0003"),
    "the version before": ("session_comments", "ratings.0021", "live.0009"),
}
BLOCKED = "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = %s::regclass AND NOT granted)"
APPLIED = "SELECT app || '.' || left(name, 4) FROM django_migrations"
# Two participants in three sessions of one stage: the first has the most raters in the last session; the second has
# as many in each, so that the first session counts. Marks that wait do not count.
DUPLICATES = """
INSERT INTO stages (id, name, order_number) VALUES (1, 'Stage I', 1), (2, 'Stage II', 2);
INSERT INTO sessions (id, stage_id, title, starts_at, description, youtube_id, is_live) VALUES
    (1, 1, 'Late', '2027-10-05 17:00Z', '', '', false), (2, 1, 'Early', '2027-10-04 17:00Z', '', '', false),
    (3, 1, 'Last', '2027-10-06 17:00Z', '', '', false), (4, 2, 'Other', '2027-10-07 17:00Z', '', '', false);
INSERT INTO participants (id, first_name, second_name, name, name_folded, sort_folded, country, biography, featured,
    avatar_url) VALUES
    (1, 'Ewa', 'Nowak', 'Ewa Nowak', 'ewa nowak', 'nowak ewa', 'Poland', 'Plays.', false, ''),
    (2, 'Anna', 'Lis', 'Anna Lis', 'anna lis', 'lis anna', 'Poland', 'Plays.', false, '');
INSERT INTO session_participants (id, session_id, participant_id, order_number, is_performing)
SELECT session.id * 10 + person.id, session.id, person.id, person.id, false
FROM sessions AS session, participants AS person;
INSERT INTO pieces (id, name, category, composer, title, key, opus)
VALUES (1, 'Etude', 'etiuda_a', '', '', '', ''), (2, 'Etude 2', 'etiuda_a', '', '', '', '');
INSERT INTO session_participant_pieces (session_participant_id, piece_id, order_number, slot, youtube_url)
SELECT place.id, piece.id, piece.id, 'etiuda_a', '' FROM session_participants AS place, pieces AS piece;
INSERT INTO users (id, email, username, password, avatar_url, is_admin, is_active)
SELECT n, 'heard' || n || '@example.org', 'heard' || n || 'x', '!', '', false, true FROM generate_series(1, 4) AS n;
INSERT INTO piece_ratings (user_id, session_participant_id, piece_id, score, approved) VALUES
    (1, 31, 1, 15, true), (2, 31, 1, 15, true), (1, 11, 1, 15, true), (1, 11, 2, 15, true),
    (1, 21, 1, 15, true), (2, 21, 1, 15, false), (3, 21, 1, 15, false),
    (1, 12, 1, 15, true), (2, 22, 1, 15, true), (3, 32, 1, 15, true);
"""
LISTED = """
  Repeated in Stage I: Anna Lis, Late (raters: 1). Early counts (raters: 1).
  Repeated in Stage I: Anna Lis, Last (raters: 1). Early counts (raters: 1).
  Repeated in Stage I: Ewa Nowak, Late (raters: 1). Last counts (raters: 2).
  Repeated in Stage I: Ewa Nowak, Early (raters: 1). Last counts (raters: 2)."""
COUNT = "SELECT id FROM session_participants WHERE NOT is_repeated ORDER BY id"
STAGES = "SELECT count(*) FROM session_participants JOIN sessions ON sessions.id = session_id WHERE"
REPEAT = "UPDATE session_participants SET is_repeated = false WHERE id = 11"
# Of three performers of Stage I two play in Stage II, which has a drawn field; one of Stage II plays in the final,
# which has none. The field of the last stage is drawn without performers, and no stage is before the first one.
DRAWN = """
INSERT INTO participants (id, first_name, second_name, name, name_folded, sort_folded, country, biography, featured,
    avatar_url) VALUES (3, 'Jan', 'Nowak', 'Jan Nowak', 'jan nowak', 'nowak jan', 'Poland', 'Plays.', false, '');
INSERT INTO session_participants (id, session_id, participant_id, order_number, is_performing)
VALUES (13, 1, 3, 3, false);
INSERT INTO stages (id, name, order_number) VALUES (3, 'Final', 3), (4, 'Gala', 4);
INSERT INTO sessions (id, stage_id, title, starts_at, description, youtube_id, is_live)
VALUES (5, 3, 'Final', '2027-10-09 17:00Z', '', '', false);
INSERT INTO session_participants (id, session_id, participant_id, order_number, is_performing)
VALUES (51, 5, 1, 1, false);
UPDATE stages SET field_drawn_at = '2027-10-06 21:00Z' WHERE id IN (1, 2, 4);
"""
NOT_PUBLISHED = "The field of Gala was drawn, but no performer of the stage before plays in it: nothing is published."
ADVANCE = "SELECT stage_id, participant_id, by_id, at = '2027-10-06 21:00Z' FROM stage_advancements ORDER BY 1, 2"


def python(address: str, data: Path, *command: str) -> "subprocess.Popen[str]":
    """Start Python on this database."""
    port = str(free_port())
    site = {"DATABASE_URL": address, "OWNER_DATABASE_URL": address, "PARTERRE_DATA": str(data), "PORT": port}
    return subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env={**os.environ, **site}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def manage(address: str, data: Path, *command: str) -> "subprocess.Popen[str]":
    """Start a command of `manage.py` on this database."""
    return python(address, data, "manage.py", *command)


def managed(address: str, data: Path, *command: str) -> str:
    """Run a command of `manage.py` to its end and return its output."""
    running = manage(address, data, *command)
    output, _ = running.communicate()
    assert running.returncode == 0, output
    return output


def columns(connection: "psycopg.Connection[Any]") -> dict[str, list[str]]:
    """Return the columns of each table, in the order of their names."""
    rows = connection.execute(
        "SELECT table_name, array_agg(column_name::text ORDER BY column_name) FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name <> 'django_migrations' GROUP BY table_name"
    )
    return dict(rows.fetchall())


def digests(connection: "psycopg.Connection[Any]", of: dict[str, list[str]]) -> dict[str, Any]:
    """Return the number of rows of each of these tables, and a digest of these columns."""
    query = sql.SQL("SELECT count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM (SELECT {} FROM {}) AS t")
    return {
        table: connection.execute(
            query.format(sql.SQL(", ").join(map(sql.Identifier, names)), sql.Identifier(table))
        ).fetchone()
        for table, names in of.items()
    }


def rows_copy(
    source: "psycopg.Connection[Any]", target: "psycopg.Connection[Any]", replaced: dict[tuple[str, str], str]
) -> dict[str, list[str]]:
    """Copy all columns that both schemas have, with triggers disabled. Return the copied columns by table.

    `replaced` has the expressions that are copied in place of columns.
    """
    known = columns(target)
    both = {
        table: [name for name in names if name in known[table]]
        for table, names in columns(source).items()
        if table in known
    }
    target.execute("SET session_replication_role = replica")
    for table, names in both.items():
        fields = [sql.Identifier(name) for name in names]
        values = [
            sql.SQL(replaced[table, name]) if (table, name) in replaced else sql.Identifier(name) for name in names
        ]
        read = sql.SQL("COPY (SELECT {} FROM {}) TO STDOUT").format(sql.SQL(", ").join(values), sql.Identifier(table))
        write = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), sql.SQL(", ").join(fields))
        with source.cursor().copy(read) as rows, target.cursor().copy(write) as copied:
            for block in rows:
                copied.write(block)
    target.execute("INSERT INTO rating_turns (user_id) SELECT min(id) FROM users")
    target.execute("INSERT INTO decided_rating_counts (count, decision_id) VALUES (1, 1)")
    target.execute("SET session_replication_role = DEFAULT")
    return both


@pytest.fixture(scope="module")
def filled(django_db_modify_db_settings: None) -> Iterator[str]:
    """Yield the address of a database of this version, with the demo and with rows in all large tables."""
    with demo_database(f"{PREFIX}{os.getpid()}_filled") as address:
        with psycopg.connect(address) as connection:
            connection.execute(AS_BEFORE.encode())
            connection.execute(LARGE.encode())
            connection.execute("TRUNCATE ranking_runs CASCADE")  # the older versions had another method
            if role := serving_role():  # granted at a start, which the upgraded database does not have
                revoke = sql.SQL("REVOKE EXECUTE ON FUNCTION public.audit_prune() FROM {}")
                connection.execute(revoke.format(sql.Identifier(role)))
            ((entries,), (ratings,)) = (connection.execute(query).fetchone() for query in (RATED_ENTRIES, OWN_RATINGS))
            assert entries >= ENTRIES
            assert ratings == LISTENERS * entries
        yield address


@pytest.fixture
def released(django_db_modify_db_settings: None) -> Iterator[str]:
    """Yield the address of an empty database with the schema of release 1."""
    with content.database(f"{PREFIX}{os.getpid()}_released") as address:
        with psycopg.connect(address) as connection:
            connection.execute(RELEASE_1.read_bytes())
        yield address


@pytest.fixture(scope="module")
def template_before(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of an empty database with the schema of the version before, upgraded from release 1."""
    with content.database(name := f"{PREFIX}{os.getpid()}_before") as address:
        with psycopg.connect(address) as connection:
            connection.execute(RELEASE_1.read_bytes())
        managed(address, tmp_path_factory.mktemp("before"), "shell", "--no-imports", "-c", TO_THE_VERSION_BEFORE)
        yield name


@pytest.fixture
def before(template_before: str) -> Iterator[str]:
    """Yield the address of an empty database with the schema of the version before."""
    with content.database(f"{template_before}_copy", template_before) as address:
        yield address


@pytest.mark.limit(300, reason="three processes migrate, one after another")
@pytest.mark.parametrize("version", BLOCKING)
def test_killed_and_repeated_upgrade_keeps_all_rows(
    version: str, filled: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    empty: str = request.getfixturevalue("released" if version == "release 1" else "before")
    blocking, last, waits = BLOCKING[version]
    with psycopg.connect(filled) as source, psycopg.connect(empty, autocommit=True) as target:
        if version == "the version before":  # the first migration of `imports` had another name
            target.execute("DELETE FROM django_migrations WHERE app = 'imports' AND name = '0001_initial'")
        copied = rows_copy(source, target, NO_AVATAR if version == "release 1" else {})
        before = digests(source, copied)
        assert before["session_comments"][0] >= COMMENTS
        differing = {table for table, digest in digests(target, copied).items() if digest != before[table]}
        assert differing == ({"participants"} if version == "release 1" else set())
        with psycopg.connect(empty) as holding:
            holding.execute(f"LOCK TABLE {blocking} IN ACCESS SHARE MODE")
            running = manage(empty, tmp_path, "migrate", "--verbosity=0")

            def is_blocked() -> bool:
                assert running.poll() is None
                return bool(target.execute(BLOCKED, [blocking]).fetchone()[0])

            wait_until(is_blocked, "a migration waits for the lock", seconds=100)
            running.kill()
            running.communicate()
        half = {name for (name,) in target.execute(APPLIED).fetchall()}
        assert last in half
        assert waits not in half
        managed(empty, tmp_path, "migrate", "--verbosity=0")
        assert digests(target, copied) == before
        assert schema_differences(schema(source), schema(target)) == []
        assert not LEFT_OVER & columns(target).keys()
        applied = {name for (name,) in source.execute(APPLIED).fetchall()}
        assert applied - {name for (name,) in target.execute(APPLIED).fetchall()} == set()


def test_upgrade_marks_repeated_appearances_and_advances_performers(before: str, tmp_path: Path) -> None:
    """Of a participant's appearances in one stage, the one with the most raters counts."""
    with psycopg.connect(before, autocommit=True) as target:
        target.execute(DUPLICATES.encode() + DRAWN.encode())
        output = managed(before, tmp_path, "migrate", "--verbosity=0")
        assert LISTED in output
        assert [pk for (pk,) in target.execute(COUNT)] == [13, 22, 31, 41, 42, 51]
        assert target.execute(f"{STAGES} session_participants.stage_id = sessions.stage_id").fetchone() == (10,)
        with pytest.raises(psycopg.errors.UniqueViolation, match="participant_counts_once_per_stage"):
            target.execute(REPEAT)
        assert NOT_PUBLISHED in output
        assert output.count("was drawn") == 1
        assert target.execute(ADVANCE).fetchall() == [(1, 1, None, True), (1, 2, None, True)]


MIGRATE, LAUNCH = ("manage.py", "migrate"), ("-m", "project.launcher.launch")


def test_database_older_than_release_1_is_refused(released: str, tmp_path: Path) -> None:
    """The last migration of one app is missing, then all but the first migrations."""
    with psycopg.connect(released, autocommit=True) as target:
        for missing, command in (
            ("name = '0014_author_lookups'", MIGRATE),
            ("name NOT IN ('0001_initial', '0001_program_texts')", LAUNCH),
        ):
            target.execute(f"DELETE FROM django_migrations WHERE {missing}")  # noqa: S608 - a constant of this test
            rows = target.execute("SELECT * FROM django_migrations").fetchall()
            running = python(released, tmp_path, *command)
            output, _ = running.communicate(timeout=100)
            assert running.returncode != 0
            assert "The database is older than release 1 (commit 363996b4): migration " in output
            assert "Run `manage.py migrate` of that release first, then start this version." in output
            assert "Traceback" not in output
            assert target.execute("SELECT * FROM django_migrations").fetchall() == rows
