"""The database of the site under test: creation, addresses, and calls of services and selectors."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import psycopg
from django.conf import settings
from django.db import connections
from django.db.utils import load_backend

from project.database import embedded
from project.database.roles import serving_role

Answer = TypeVar("Answer")


def _parameters(name: str, **more: Any) -> dict[str, Any]:
    """Return Django's settings for this database on the tests' PostgreSQL server."""
    default = connections["default"].settings_dict
    options = {key: value for key, value in default["OPTIONS"].items() if key != "pool"}
    return {**default, "NAME": name, "OPTIONS": options, **more}


def _anybody() -> dict[str, Any]:
    """Return the settings of the role that creates and owns databases."""
    return dict(settings.OWNER_DATABASE) if settings.ENVIRONMENT.database_url else {"USER": embedded.SUPERUSER}


def address(name: str) -> str:
    """Return the address of this database for its owner, a site's OWNER_DATABASE_URL."""
    known = {**_parameters(name), **_anybody(), "NAME": name}
    who = quote(known["USER"]) + (f":{quote(known['PASSWORD'])}" if known["PASSWORD"] else "")
    port = f":{known['PORT']}" if known["PORT"] else ""
    return f"postgresql://{who}@{port}/{quote(name)}?{urlencode({'host': known['HOST']})}"


def site_address(owner_address: str) -> str:
    """Return the address of the same database for the serving role, a site's DATABASE_URL."""
    role = serving_role()
    if not role:
        return owner_address
    parts = urlsplit(owner_address)
    password = settings.SITE_DATABASE.get("PASSWORD", "")
    who = quote(role) + (f":{quote(password)}" if password else "")
    return parts._replace(netloc=f"{who}@{parts.netloc.rpartition('@')[2]}").geturl()


def patient_address(owner_address: str) -> str:
    """Return the site's address with a lock timeout of 5 s, so that a test can hold locks."""
    address = site_address(owner_address)
    return f"{address}{'&' if '?' in address else '?'}{urlencode({'options': '-c lock_timeout=5s'})}"


@contextmanager
def database(name: str, template: str = "template1") -> Iterator[str]:
    """Create this database from `template` (default: empty), yield its address, and drop it afterwards."""
    with psycopg.connect(address("postgres"), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        server.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
        try:
            yield address(name)
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class Desk:
    """Calls services and selectors on the site's database.

    They run in a separate thread with the site's default connection. The test's thread has another default connection
    and runs the browser's event loop.
    """

    def __init__(self, name: str, unblock: Callable[[], Any]) -> None:
        self.unblock = unblock
        self.thread = ThreadPoolExecutor(1, initializer=self._connect, initargs=(name,))

    def _connect(self, name: str) -> None:
        who = {key: value for key, value in settings.SITE_DATABASE.items() if key in {"USER", "PASSWORD"}}
        parameters = _parameters(name, **who)
        connections["default"] = load_backend(settings.DATABASES["default"]["ENGINE"]).DatabaseWrapper(parameters)

    def _disconnect(self) -> None:
        connections["default"].close()

    def do(self, work: Callable[..., Answer], *arguments: Any, **named: Any) -> Answer:
        """Call `work` in the desk's thread and return its result."""

        def inside() -> Answer:
            with self.unblock():
                return work(*arguments, **named)

        return self.thread.submit(inside).result()

    def leave(self) -> None:
        """Close the connection."""
        self.do(self._disconnect)
        self.thread.shutdown()
