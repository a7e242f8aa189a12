"""What becomes of a person's rows when the account is deleted, and what of them the person may take along.

Each app registers its own tables once, in its `AppConfig.ready`:

    register(
        "piece_ratings.user_id",
        export=lambda user_id: {"piece_ratings": selectors.own_rows(user_id=user_id)},
        on_deletion=lambda user_id: services.ratings_forget(user_id=user_id),
    )

`export` returns the person's own rows by a name for each kind, ready for JSON (texts, numbers, ISO times);
`on_deletion` deletes or anonymises, inside the transaction that deletes the account. A test reads from the database
which columns refer to an account: one that nobody registered fails it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Rows = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AccountData:
    """What one app holds of a person: the columns that refer to the account, and what is done with their rows."""

    columns: tuple[str, ...]  # "table.column"
    export: Callable[[int], Rows]
    on_deletion: Callable[[int], object]


_registered: list[AccountData] = []


def register(*columns: str, export: Callable[[int], Rows], on_deletion: Callable[[int], object]) -> None:
    """Say what is done with the rows whose `columns` ("table.column") refer to an account that leaves."""
    _registered.append(AccountData(columns, export, on_deletion))


def leave_to_database(_user_id: int) -> None:
    """Leave the rows to the database, which deletes them with the account, or keep them for the reason given."""


def no_rows(_user_id: int) -> Rows:
    """Return nothing: the rows say nothing that the person does not know."""
    return {}


def account_data() -> Iterable[AccountData]:
    """Return what all apps registered, in the order of INSTALLED_APPS."""
    return tuple(_registered)
