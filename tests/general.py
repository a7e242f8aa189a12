"""What apps offer to the general tests, each in `tests/apps/<app>/general.py`; all of it is optional.

- `READS`: how each selector is called on a large database, by its name below `selectors` (`tests/apps/test_plans.py`).
- `HELPERS`: the public functions of `selectors` without a query, or with a query that the caller completes.
- `ROWS`: SQL that adds the app's rows to that database, behind those of `tests/apps/busy_session.sql`.
- `rows_add(person, evening)`: adds what another account has (`tests/project/security/conftest.py`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from django.apps import apps
from django.db import connection


def app_names() -> list[str]:
    """Return the names of this project's installed apps, such as "live", in the order of INSTALLED_APPS."""
    names = [config.name for config in apps.get_app_configs() if config.name.startswith("apps.")]
    return [name.removeprefix("apps.") for name in names]


def generals() -> dict[str, ModuleType]:
    """Return the module `general` of each app's tests by the app's name, of those that have one."""
    found = {name: f"tests.apps.{name}.general" for name in app_names() if find_spec(f"tests.apps.{name}")}
    return {name: import_module(module) for name, module in found.items() if find_spec(module)}


# The numbers of `queries_counted` are those of these apps. An app that was added later counts its own in its tests.
COUNTED = {"accounts", "community", "competition", "core", "demo", "imports", "live", "news", "ranking", "ratings"}


@contextmanager
def queries_counted(expected: int) -> Iterator[None]:
    """Require this number of queries, besides those on tables of added apps, which may not be repeated for a row."""
    models = [model for app in {*app_names()} - COUNTED for model in apps.get_app_config(app).get_models()]
    tables = [f'"{model._meta.db_table}"' for model in models]
    noted: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        noted.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield
    of_added = [sql for sql in noted if any(table in sql for table in tables)]
    found = len(noted) - len(of_added)
    assert found == expected, "\n".join([f"{found} queries instead of {expected}:", *noted])
    assert len(set(of_added)) == len(of_added), of_added
