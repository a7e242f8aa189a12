"""The demo's accounts, with one password for all, stored in a file for the operator.

At a public address (`DEMO_ACCOUNTS` is off) new accounts have no password and no rights; they are only authors.
"""

import os
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db.models.functions import Lower
from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.accounts.models import User
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.own_account import has_password
from apps.accounts.selectors.sessions import account_id_get
from apps.accounts.services.accounts import account_create, address_vouch
from apps.demo.moments import joined_at
from apps.demo.texts import AccountText, account_texts

# Approves marks and runs the evening while the demo is alive. It has no password, so that no person signs in to it, and
# rights only where the demo's administrator has them too.
MODERATOR = "stage-door"
_WORDS = 4
_SYLLABLES = ("la", "mi", "so", "re", "ka", "no", "tu", "vi", "be", "do", "fa", "gu", "pe", "ri", "zo", "he")


def accounts_load() -> dict[str, int]:
    """Create the missing accounts and return all ids by username."""
    return {text.username: _account_id(text) for text in account_texts()}


def listeners_load(usernames: Sequence[str]) -> dict[str, int]:
    """Create the missing accounts of the audience, without a password, and return all ids by username."""
    known = ids_by_name(usernames)
    now, no_password = timezone.now(), make_password(None)
    users = User.objects.bulk_create(
        User(
            email=f"{name.lower()}@example.org",
            password=no_password,
            username=name,
            created_at=joined_at(name, now),
        )
        for name in usernames
        if name not in known
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users
    )
    return known | {user.username: user.pk for user in users}


def ids_by_name(usernames: Iterable[str]) -> dict[str, int]:
    """Return the ids of those of these accounts that exist, by username as given here. One query."""
    names = {name.lower(): name for name in usernames}
    found = User.objects.annotate(name_key=Lower("username")).filter(name_key__in=names)
    return {names[key]: pk for key, pk in found.values_list("name_key", "pk")}


def moderator_load() -> int | None:
    """Create the demo's moderator unless it exists, and return the id.

    Return None at a public address, and where the name is a person's.
    """
    found = account_id_get(username=MODERATOR)
    if found is not None:
        return None if has_password(user_id=found) else found
    if not settings.DEMO_ACCOUNTS:
        return None
    joined = joined_at(MODERATOR, timezone.now())
    address = f"{MODERATOR}@example.org"
    return account_create(email=address, password=None, username=MODERATOR, is_admin=True, created_at=joined).pk


def moderator_get() -> Viewer | None:
    """Return the demo's moderator as an actor; None without one that may run the evening."""
    found = account_id_get(username=MODERATOR)
    viewer = Viewer(found, MODERATOR, is_admin=True)
    return viewer if found is not None and is_administrator(viewer) and not has_password(user_id=found) else None


def accounts_file() -> Path:
    """Return the path of the file with accounts and password, in the ignored data folder."""
    return Path(settings.DATA) / "demo-accounts.txt"


def accounts_text() -> str:
    """Return the file's text; empty without the file, or where demo accounts may not sign in."""
    file = accounts_file()
    return file.read_text(encoding="utf-8") if file.exists() and settings.DEMO_ACCOUNTS else ""


def accounts_open() -> tuple[str, ...]:
    """Return the usernames of the demo's accounts with a usable password."""
    ids = {text.username: account_id_get(username=text.username) for text in account_texts()}
    return tuple(name for name, pk in ids.items() if pk is not None and has_password(user_id=pk))


def _password_get() -> str:
    """Return the password for new accounts: DEMO_PASSWORD, the one in the file, or a new one written to the file."""
    chosen = os.environ.get("DEMO_PASSWORD", "")
    file = accounts_file()
    if not chosen and file.exists():
        return file.read_text(encoding="utf-8").splitlines()[0].removeprefix("Password: ")
    password = chosen or _password()
    _note(file, password)
    return password


def _account_id(text: AccountText) -> int:
    """Return the id of an account, created unless it exists, with a confirmed address."""
    found = account_id_get(username=text.username)
    if found is not None:
        address_vouch(account_id=found)
        return found
    password, is_admin = (_password_get(), text.is_admin) if settings.DEMO_ACCOUNTS else (None, False)
    return account_create(
        email=text.email,
        password=password,
        username=text.username,
        is_admin=is_admin,
        created_at=joined_at(text.username, timezone.now()),
    ).pk


def _password() -> str:
    """Return a password that can be typed from a screen: four words of three syllables, 48 bits."""
    words = ("".join(secrets.choice(_SYLLABLES) for _ in range(3)) for _ in range(_WORDS))
    return "-".join(words)


def _note(file: Path, password: str) -> None:
    """Write the file, readable only by its owner."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"Password: {password}", *(_account_line(text) for text in account_texts())]
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as noted:
        os.fchmod(noted.fileno(), 0o600)  # the mode above applies only to a new file
        noted.write("\n".join(lines) + "\n")


def _account_line(text: AccountText) -> str:
    """Return one account as a line of the file."""
    role = "administrator" if text.is_admin else "listener"
    return f"{text.email}  {text.username}  {role}"
