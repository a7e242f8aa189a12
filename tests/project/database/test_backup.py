"""The backup of docs/operations.md restores every row into an empty database, and the site runs on it."""

import os
import subprocess
from pathlib import Path

import psycopg
from psycopg import sql

from project.database import embedded
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server, demo_database
from tests.servers import request

LEAST_TABLES = 20  # fewer would mean that the query found too little


def run(program: str, *arguments: str) -> None:
    subprocess.run([embedded.programs() / program, *arguments], check=True)


def digests(address: str) -> dict[str, tuple[int, str]]:
    """Return the number of rows of every table, and a digest of them."""
    with psycopg.connect(address) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        query = sql.SQL("SELECT count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text)) FROM {} t")
        return {name: connection.execute(query.format(sql.Identifier(name))).fetchone() for (name,) in tables}


async def test_restored_dump_has_all_rows_and_serves(django_db_modify_db_settings: None, tmp_path: Path) -> None:
    name, dump = f"{PREFIX}{os.getpid()}_backup", tmp_path / "parterre.dump"
    with demo_database(name) as address, content.database(f"{name}_restored") as restored:
        server = Server(tmp_path, restored)
        try:
            run("pg_dump", "--format=custom", f"--file={dump}", address)
            options = ("--clean", "--if-exists", "--no-owner", "--no-privileges")
            run("pg_restore", *options, f"--dbname={restored}", str(dump))
            rows = digests(address)
            assert len(rows) >= LEAST_TABLES
            assert rows["session_participants"][0] > 0
            assert digests(restored) == rows
            server.start()
            status, page = await request(server, "/")
            assert (status, b"Live Now" in page) == (200, True)
        finally:
            server.kill()
