"""Writes of one's own profile, and of its forms' answers."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Now

from apps.accounts.actors import Viewer
from apps.accounts.events import ProfileChanged
from apps.accounts.models import FormAnswer, User
from apps.accounts.permissions import account_require
from apps.accounts.session_store import later
from apps.core.events import publish
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules.validators import SECURE_PICTURE, is_secure_picture_address

from .accounts import account_store

LIFETIME = timedelta(hours=1)  # an answer is normally read at once


@transaction.atomic
def profile_update(*, actor: Viewer, username: str, avatar_url: str) -> bool:
    """Store one's own username and picture; returns whether anything changed.

    Raises PermissionDenied, ValidationError by field.
    """
    user = User.objects.select_for_update(no_key=True).filter(pk=account_require(actor), is_active=True).first()
    if user is None:
        raise PermissionDenied("Not authenticated")
    before = (user.username, user.avatar_url)
    user.username, user.avatar_url = username.strip(), avatar_url.strip()
    if before == (user.username, user.avatar_url):
        return False
    _store(user, name_changed=user.username != before[0], picture_changed=user.avatar_url != before[1])
    publish(ProfileChanged(user.pk))
    return True


@transaction.atomic
def answer_keep(*, user_id: int, form: str, data: Mapping[str, Any]) -> UUID:
    """Store a form's answer for the page that shows it and return its id; `data` contains no password."""
    return FormAnswer.objects.create(user_id=user_id, form=form, data=dict(data)).pk


@transaction.atomic
def answers_prune() -> int:
    """Delete the answers that were read long ago; returns how many."""
    pruned, _ = FormAnswer.objects.filter(created_at__lt=later(Now(), Value(-LIFETIME))).delete()
    return pruned


def _store(user: User, *, name_changed: bool, picture_changed: bool) -> None:
    """Store what changed; people may give https:// addresses only, static files are for administrators.

    Raises ValidationError by field.
    """
    columns = ["avatar_url"] if picture_changed else []
    if name_changed:
        user.username_grandfathered = False
        columns += ["username", "username_grandfathered"]
    words = _picture_error(user.avatar_url) if picture_changed else ""
    wrong = {"avatar_url": [words]} if words else {}
    if not user.username:  # Django's validators pass over what is blank
        wrong["username"] = ["Username must be at least 3 characters long"]
    try:
        account_store(user, columns=columns)
    except ValidationError as error:
        raise ValidationError({**error.message_dict, **wrong}) from error
    if wrong:  # what was stored is rolled back
        raise ValidationError(wrong)


def _picture_error(address: str) -> str:
    """Return what is wrong with a picture's address; an empty text when it may be used."""
    if len(address) > ADDRESS_LENGTH:
        return f"The address of a picture has at most {ADDRESS_LENGTH:,} characters."
    return SECURE_PICTURE if address and not is_secure_picture_address(address) else ""
