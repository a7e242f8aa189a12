"""Helpers of the terminal commands that decide about accounts."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from apps.accounts.selectors.people import account_id_find
from apps.accounts.services.roles import LAST


def account_id_of(name: str) -> int:
    """Return the account's id. Raises CommandError for an unknown name."""
    found = account_id_find(name=name)
    if found is None:
        raise CommandError(f"There is no account {name!r}.")
    return found


def last_add(parser: ArgumentParser) -> None:
    """Add the option that allows the operator to remove the last administrator."""
    parser.add_argument("--last", action="store_true", help="even if no administrator who can sign in remains")


@contextmanager
def refusals() -> Iterator[None]:
    """Convert a service's ValidationError into a CommandError, which names the option `--last` where it helps."""
    try:
        yield
    except ValidationError as error:
        hint = " `--last` does it nevertheless." if getattr(error, "code", "") == LAST else ""
        raise CommandError(" ".join(error.messages) + hint) from error
