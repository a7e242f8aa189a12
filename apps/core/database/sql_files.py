"""The SQL of functions and triggers: one file each in the folder `sql` of its app, which a migration runs."""

from pathlib import Path

APPS = Path(__file__).resolve().parents[2]


def sql_text(app: str, name: str) -> str:
    """Return the text of `apps/<app>/sql/<name>.sql`."""
    return (APPS / app / "sql" / f"{name}.sql").read_text(encoding="utf-8")
