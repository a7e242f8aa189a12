"""Registry of the tables with personal rows: how they are exported, what happens to them on deletion and closing.

Each app registers its own tables once, in its `AppConfig.ready`:

    register(
        "piece_ratings.user_id",
        export=lambda user_id: {"piece_ratings": selectors.own_rows(user_id=user_id)},
        on_deletion=lambda user_id: services.ratings_forget(user_id=user_id),
    )

`export` returns the person's own rows by a name for each kind, ready for JSON (texts, numbers, ISO times);
`on_deletion` deletes or anonymises, inside the transaction that deletes the account; `on_closing` announces what shows
only while the account is open, inside the transaction that closed it or opened it again. A test reads from the database
which columns refer to an account: one that nobody registered fails it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Rows = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AccountData:
    """Columns that refer to an account, and the functions that export their rows and handle its deletion."""

    columns: tuple[str, ...]  # "table.column"
    export: Callable[[int], Rows]
    on_deletion: Callable[[int], object]
    on_closing: Callable[[int], object]


_registered: list[AccountData] = []


def leave_to_database(_user_id: int) -> None:
    """Do nothing: the database deletes the rows with the account, or they stay, as the registration says."""


def register(
    *columns: str,
    export: Callable[[int], Rows],
    on_deletion: Callable[[int], object],
    on_closing: Callable[[int], object] = leave_to_database,
) -> None:
    """Register `columns` ("table.column") that refer to an account, with their export and what becomes of them."""
    _registered.append(AccountData(columns, export, on_deletion, on_closing))


def no_rows(_user_id: int) -> Rows:
    """Return nothing, for rows that tell the person nothing."""
    return {}


def account_data() -> Iterable[AccountData]:
    """Return what all apps registered, in the order of INSTALLED_APPS."""
    return tuple(_registered)
