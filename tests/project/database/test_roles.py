"""Database roles: the owner migrates, a plain role serves. The limits of that role, and how both roles are created."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from project.database.embedded import DATABASE, OWNER, SITE, SUPERUSER, Cluster
from tests.conftest import PREFIX
from tests.databases import template_name
from tests.e2e import content
from tests.e2e.server import Server, free_port, static_files_copy
from tests.project.config.test_settings import process
from tests.project.database.test_upgrade import RELEASE_1
from tests.project.launcher.test_checks import PUBLIC
from tests.project.launcher.test_launch import output_until_ready, site, status
from tests.servers import request

ROWS = ("SELECT", "INSERT", "UPDATE", "DELETE")
BEYOND = ("TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN")
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
SESSION = """
INSERT INTO stages (id, name, order_number) VALUES (1, 'Stage I', 1);
INSERT INTO sessions (id, stage_id, title, starts_at, description, youtube_id, is_live)
VALUES (1, 1, 'First', '2027-10-05 17:00Z', '', '', false);
"""
OLD = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def serving(transactional_db: None) -> Iterator["psycopg.Connection[Any]"]:
    """A connection to the test database as the role that serves."""
    with psycopg.connect(content.site_address(content.address(connection.settings_dict["NAME"]))) as made:
        yield made
        made.rollback()


def refused(serving: "psycopg.Connection[Any]", statement: str) -> bool:
    """Return whether this role lacks the permission for this statement."""
    try:
        serving.execute(statement.encode())
    except psycopg.errors.InsufficientPrivilege:
        return True
    finally:
        serving.rollback()
    return False


FORBIDDEN = (
    "CREATE TABLE public.own (id int)",
    "ALTER TABLE users ADD COLUMN own int",
    "DROP TABLE acts",
    "CREATE ROLE own SUPERUSER",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "COPY users TO PROGRAM 'true'",
    "CREATE FUNCTION public.own() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "DROP FUNCTION public.audit_prune()",
    "CREATE TRIGGER own BEFORE INSERT ON audit_entries EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "UPDATE audit_entries SET details = '{}'",
    "DELETE FROM audit_entries",
    "SELECT 1 FROM audit_entries FOR UPDATE",
    "DELETE FROM django_migrations",
)


def test_serving_role_cannot_change_schema_roles_or_audit(serving: "psycopg.Connection[Any]") -> None:
    assert [statement for statement in FORBIDDEN if not refused(serving, statement)] == []


def test_serving_role_reads_and_writes_rows_and_only_adds_to_the_audit(serving: "psycopg.Connection[Any]") -> None:
    held = "SELECT array_agg(what) FROM unnest(%s::text[]) what WHERE has_table_privilege(%s, what)"
    tables = [str(name) for (name,) in serving.execute(TABLES.encode())]
    assert len(tables) > 20
    for name in tables:
        (rights,) = serving.execute(held.encode(), [[*ROWS, *BEYOND[1:]], name]).fetchone() or ()
        expected = {"audit_entries": ["SELECT", "INSERT"], "django_migrations": ["SELECT"]}.get(name, [*ROWS])
        assert rights == expected, name
    assert {"audit_entries", "django_migrations"} <= set(tables)
    flags = "SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = %s"
    assert serving.execute(flags.encode(), [SITE]).fetchone() == (False,) * 5


def test_prune_function_anonymizes_only_old_audit_entries(serving: "psycopg.Connection[Any]") -> None:
    add = (
        "INSERT INTO audit_entries (user_id, action, subject, subject_id, details, created_at)"
        " VALUES (7, 'admin.grant', 'account', 9, '{\"after\": 1}', coalesce(%s, now()))"
    )
    for moment in (OLD, None):
        serving.execute(add.encode(), [moment])
    serving.execute("SET search_path = pg_temp, public")
    serving.execute("CREATE TEMP TABLE audit_entries (created_at timestamptz)")  # the function must not read it
    assert serving.execute("SELECT public.audit_prune()").fetchone() == (1,)
    rows = serving.execute("SELECT user_id, subject_id, details FROM public.audit_entries ORDER BY created_at")
    assert rows.fetchall() == [(None, None, {}), (7, 9, {"after": 1})]


def superuser_data(data: Path) -> Cluster:
    """Create data as release 1 did: the superuser owns everything, and there is no other role."""
    cluster = Cluster(data)
    cluster.initialise()
    cluster.launch()
    with cluster.connection() as server:
        server.execute(f'CREATE DATABASE "{DATABASE}"'.encode())
    with cluster.connection(DATABASE) as server:
        server.execute(RELEASE_1.read_bytes())
        server.execute(SESSION.encode())
    return cluster


def test_data_of_an_earlier_version_gets_the_roles(tmp_path: Path) -> None:
    cluster = superuser_data(tmp_path)
    cluster.stop()
    owners = "SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    users = "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
    port = free_port()
    static_files_copy(tmp_path)
    with site(tmp_path, port) as launched:
        output_until_ready(launched)
        assert status(port, "/sessions/1") == 200
        with cluster.connection(DATABASE) as server:
            assert server.execute(owners.encode()).fetchall() == [(OWNER,)]
            assert server.execute(users.encode(), [DATABASE]).fetchall() == [(SITE,)]
            database = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s"
            assert server.execute(database.encode(), [DATABASE]).fetchone() == (OWNER,)
            superuser = "SELECT rolname FROM pg_roles WHERE rolsuper"
            assert server.execute(superuser.encode()).fetchall() == [(SUPERUSER,)]


async def test_start_creates_the_serving_role_or_warns(django_db_setup: None, tmp_path: Path) -> None:
    name = f"{PREFIX}{os.getpid()}_roles"
    with content.database(name, template_name()) as owner:
        role = name.replace(PREFIX, "site_")
        address = owner.replace(f"//{SUPERUSER}@", f"//{role}:pass%2Fword@")
        public = PUBLIC | {"DEMO": "", "EMAIL_URL": f"file://{tmp_path}"}
        alone = Server(tmp_path, owner, **public, DATABASE_URL=owner, OWNER_DATABASE_URL="")
        both = Server(tmp_path, owner, **public, DATABASE_URL=address)
        try:
            alone.start()
            warning = "owns the tables or is a superuser"
            assert warning in alone.said()
            alone.stop()
            before = len(alone.said())
            both.start()
            assert (await request(both, "/", Host="parterre.example"))[0] == 200
            assert warning not in both.said(before)
            with psycopg.connect(owner, autocommit=True) as server:
                users = "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
                assert server.execute(users.encode(), [name]).fetchall() == [(role,)]
                secret = "SELECT starts_with(rolpassword, 'SCRAM-SHA-256$') FROM pg_authid WHERE rolname = %s"
                assert server.execute(secret.encode(), [role]).fetchone() == (True,)
        finally:
            alone.kill()
            both.kill()
            with psycopg.connect(owner, autocommit=True) as server:
                server.execute(f'DROP OWNED BY "{role}"; DROP ROLE "{role}"'.encode())


def test_owner_without_createrole_gets_an_instruction(django_db_modify_db_settings: None, tmp_path: Path) -> None:
    with content.database(f"{PREFIX}{os.getpid()}_owned") as address:
        plain = address.replace(f"//{SUPERUSER}@", f"//{OWNER}@")
        missing = address.replace(f"//{SUPERUSER}@", "//missing_role@")
        urls = {"DATABASE_URL": missing, "OWNER_DATABASE_URL": plain}
        done = process(tmp_path, "-m", "project.launcher.launch", PORT=str(free_port()), **urls)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("Run as a superuser: CREATE ROLE missing_role LOGIN PASSWORD '…'\n")
