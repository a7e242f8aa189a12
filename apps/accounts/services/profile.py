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
from apps.core.edits.edit_merge import edit_merge
from apps.core.events import publish
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules.validators import SECURE_PICTURE, is_secure_picture_address

from .accounts import account_store

LIFETIME = timedelta(days=1)  # an answer is normally read at once; what was typed waits for a sign-in
ANSWERS_MOST = 30  # of one account
_LABELS = {"avatar_url": "Picture"}


@transaction.atomic
def profile_update(*, actor: Viewer, username: str, avatar_url: str, version: str | None = None) -> bool:
    """Store one's own username and picture; returns whether anything changed.

    `version` is `Profile.version` as the form showed it: a field that is as it was read stays as it is stored now.
    Raises PermissionDenied, EditConflict, ValidationError by field.
    """
    user = User.objects.select_for_update(no_key=True).filter(pk=account_require(actor), is_active=True).first()
    if user is None:
        raise PermissionDenied("Not authenticated")
    before = {"username": user.username, "avatar_url": user.avatar_url}
    given = {"username": username.strip(), "avatar_url": avatar_url.strip()}
    after, _ = edit_merge(version=version, stored=before, given=given, labels=_LABELS)
    if after == before:
        return False
    user.username, user.avatar_url = after["username"], after["avatar_url"]
    changed = {field for field in after if after[field] != before[field]}
    _store(user, name_changed="username" in changed, picture_changed="avatar_url" in changed)
    publish(ProfileChanged(user.pk))
    return True


@transaction.atomic
def answer_keep(*, user_id: int, form: str, data: Mapping[str, Any]) -> UUID:
    """Store a form's answer for the page that shows it and return its id; `data` contains no password.

    Of one account the newest ANSWERS_MOST stay.
    """
    answer_id = FormAnswer.objects.create(user_id=user_id, form=form, data=dict(data)).pk
    of_account = FormAnswer.objects.filter(user_id=user_id).order_by("-created_at")
    FormAnswer.objects.filter(pk__in=of_account.values("pk")[ANSWERS_MOST:]).delete()
    return answer_id


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
