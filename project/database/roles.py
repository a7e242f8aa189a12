"""The two roles of the database: the owner migrates, and the serving role may only read and write rows.

An SQL injection can then neither change the schema nor rewrite the audit.
"""

from typing import Any

import psycopg
from django.conf import settings
from django.db import connection, connections
from psycopg import sql

from project.config import Refusal

ROW_RIGHTS = sql.SQL("SELECT, INSERT, UPDATE, DELETE")
# Rights that the serving role lacks: the audit is append-only, and migrations are the owner's.
WITHHELD = {"audit_entries": sql.SQL("UPDATE, DELETE"), "django_migrations": sql.SQL("INSERT, UPDATE, DELETE")}
TABLES = """\
SELECT relname, relkind::text FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S', 'v') AND pg_has_role(relowner, 'USAGE')
"""

Connection = psycopg.Connection[Any]


def serving_role() -> str:
    """Return the name of the serving role, or an empty string if the owner serves."""
    site, owner = (str(known["USER"]) for known in (settings.SITE_DATABASE, settings.OWNER_DATABASE))
    return "" if site == owner else site


def parameters_of(database: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a Django connection to this database of the settings."""
    other = type(connections["default"])({**connection.settings_dict, **database})
    return dict(other.get_connection_params())


def serving_role_prepare(owner: Connection) -> None:
    """Create the serving role if it is missing, and grant it the rows of the owner's tables.

    Idempotent. Runs at each start, since a restored dump brings no grants, and after each migration, for new tables.
    Raises Refusal when the owner may not create roles.
    """
    role = serving_role()
    if not role:
        return
    if not owner.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
        _create(owner, role, str(settings.SITE_DATABASE.get("PASSWORD", "")))
    with owner.transaction():
        _grant(owner, sql.Identifier(role))


def _create(owner: Connection, role: str, password: str) -> None:
    # Send only the hash of the password: a server may log statements.
    secret = owner.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256") if password else b""
    create = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
    try:
        owner.execute(create.format(sql.Identifier(role), sql.Literal(secret.decode() or None)))
    except psycopg.errors.InsufficientPrivilege as error:
        raise Refusal(
            f"The role {role} of DATABASE_URL does not exist, and that of OWNER_DATABASE_URL may not create it. "
            f"Run as a superuser: CREATE ROLE {role} LOGIN PASSWORD '…'"
        ) from error


def _grant(owner: Connection, to: sql.Identifier) -> None:
    owner.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(to))
    for name, kind in owner.execute(TABLES).fetchall():
        what = sql.Identifier("public", name)
        rights = sql.SQL("USAGE, SELECT ON SEQUENCE") if kind == "S" else sql.SQL("{} ON").format(ROW_RIGHTS)
        owner.execute(sql.SQL("GRANT {} {} TO {}").format(rights, what, to))
        if name in WITHHELD:
            owner.execute(sql.SQL("REVOKE {} ON {} FROM {}").format(WITHHELD[name], what, to))
    if owner.execute("SELECT to_regprocedure('public.audit_prune()')").fetchone() != (None,):
        owner.execute(sql.SQL("GRANT EXECUTE ON FUNCTION public.audit_prune() TO {}").format(to))


def after_migrations(**_: Any) -> None:
    """Grant the serving role its rights after migrations (Django's `post_migrate`), if the owner ran them."""
    connection.ensure_connection()
    owner: Connection = connection.connection
    (user,) = owner.execute("SELECT current_user").fetchone() or ("",)
    if user != serving_role():
        serving_role_prepare(owner)


def can_rewrite_audit(parameters: dict[str, Any]) -> bool:
    """Whether the role of this connection may change audit entries: true for a superuser and for the tables' owner."""
    with psycopg.connect(**parameters) as server:
        row = server.execute("SELECT has_table_privilege('public.audit_entries', 'UPDATE')").fetchone()
    return bool(row and row[0])
