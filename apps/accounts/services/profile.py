"""Writes of the actor's profile, passwords, default pictures, and answers of forms."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor, Viewer
from apps.accounts.audit_notes import change_note
from apps.accounts.events import AccountChanged, DefaultAvatarsChanged, ProfileChanged
from apps.accounts.mail import PASSWORD_RESET, REGISTERED_BROWSER, SIGN_IN, link_use, links_forget
from apps.accounts.models import AuthSession, DefaultAvatars, FormAnswer, User
from apps.accounts.permissions import account_require, is_administrator
from apps.accounts.selectors.own_account import default_avatars
from apps.accounts.services.accounts import account_store
from apps.accounts.session_store import later
from apps.core.edits import Saved, edit_merge
from apps.core.events import publish
from apps.core.limits import ADDRESS_LENGTH
from apps.core.observability import security_event
from apps.core.permissions import require
from apps.core.text_rules import SECURE_PICTURE, is_secure_picture_address

LIFETIME = timedelta(days=1)  # an answer is usually read at once, but typed values wait for a sign-in
ANSWERS_MOST = 30  # per account
_SHOWN = "shown"  # a key of the answer's data, set by the first page view that shows it
_LABELS = {"avatar_url": "Picture"}


@transaction.atomic
def profile_update(*, actor: Viewer, username: str, avatar_url: str, version: str | None = None) -> bool:
    """Store the actor's username and picture; return whether a value changed.

    `version` is the `Profile.version` of the form. A field that is unchanged since then keeps its stored value. Raises
    PermissionDenied, EditConflict, ValidationError by field.
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
    """Store a form's answer for the page that shows it and return its id. `data` must not contain a password.

    The newest ANSWERS_MOST answers of an account are kept.
    """
    answer_id = FormAnswer.objects.create(user_id=user_id, form=form, data=dict(data)).pk
    of_account = FormAnswer.objects.filter(user_id=user_id).order_by("-created_at")
    FormAnswer.objects.filter(pk__in=of_account.values("pk")[ANSWERS_MOST:]).delete()
    return answer_id


@transaction.atomic
def answer_show(*, answer_id: UUID, user_id: int) -> bool:
    """Mark the answer as shown. Return False if it was shown before, without open input or question."""
    answer = FormAnswer.objects.select_for_update(no_key=True).filter(pk=answer_id, user_id=user_id).first()
    if answer is None or _is_open(answer.data):
        return True
    if _SHOWN in answer.data:
        return False
    answer.data[_SHOWN] = True
    answer.save(update_fields=["data"])
    return True


@transaction.atomic
def answers_prune() -> int:
    """Delete answers older than LIFETIME; return their number."""
    pruned, _ = FormAnswer.objects.filter(created_at__lt=later(Now(), Value(-LIFETIME))).delete()
    return pruned


def _is_open(data: Mapping[str, Any]) -> bool:
    """Whether the answer holds input to correct, errors, or a question."""
    return bool(data.get("values") or data.get("errors") or data.get("answer", {}).get("ask"))


def _store(user: User, *, name_changed: bool, picture_changed: bool) -> None:
    """Store the changed values. Users may set https:// addresses only; static files are for administrators.

    Raises ValidationError by field.
    """
    columns = ["avatar_url"] if picture_changed else []
    if name_changed:
        user.username_grandfathered = False
        columns += ["username", "username_grandfathered"]
    words = _picture_error(user.avatar_url) if picture_changed else ""
    wrong = {"avatar_url": [words]} if words else {}
    if not user.username:  # Django's validators skip blank values
        wrong["username"] = ["Username must be at least 3 characters long"]
    try:
        account_store(user, columns=columns)
    except ValidationError as error:
        raise ValidationError({**error.message_dict, **wrong}) from error
    if wrong:  # the caller's transaction rolls the write back
        raise ValidationError(wrong)


def _picture_error(address: str) -> str:
    """Return the error of a picture's address; an empty text for a valid one."""
    if len(address) > ADDRESS_LENGTH:
        return f"The address of a picture has at most {ADDRESS_LENGTH:,} characters."
    return SECURE_PICTURE if address and not is_secure_picture_address(address) else ""


_AVATAR_LABELS = {"user_avatar_url": "Picture of listeners", "participant_avatar_url": "Picture of participants"}


@transaction.atomic
def default_avatars_set(
    *, actor: Actor, user_avatar_url: str, participant_avatar_url: str, version: str | None = None
) -> Saved[str]:
    """Set the default pictures and return the sentence to show.

    Two empty addresses restore the drawn initials. `version` is the `Defaults.version` of the form. Raises
    PermissionDenied, EditConflict, and ValidationError for only one address.
    """
    require(is_administrator(actor), "Only administrators choose the default pictures.")
    DefaultAvatars.objects.select_for_update().order_by("-created_at", "-id").first()  # concurrent changes wait here
    before = asdict(default_avatars())
    given = {"user_avatar_url": user_avatar_url.strip(), "participant_avatar_url": participant_avatar_url.strip()}
    after, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_AVATAR_LABELS)
    chosen = _avatar_store(actor, after) if any(after.values()) else None
    if chosen is None:
        DefaultAvatars.objects.all().delete()
    subject_id = chosen.pk if chosen else None
    change_note(actor=actor, action="default_avatars.set", subject_id=subject_id, before=before, after=after)
    publish(DefaultAvatarsChanged())
    return Saved("Default avatars updated successfully", kept_fields)


def _avatar_store(actor: Actor, pictures: Mapping[str, str]) -> DefaultAvatars:
    """Store both pictures and return their row. Raises ValidationError at the missing address."""
    missing = {name: "Both default pictures are needed." for name, address in pictures.items() if not address}
    if missing:
        raise ValidationError(missing)
    chosen = DefaultAvatars(**pictures, updated_by_id=actor.id if isinstance(actor, Viewer) else None)
    chosen.full_clean()
    chosen.save()
    return chosen


TEXTS_COVERED = "Texts about a performance are covered until you have marked it."
TEXTS_UNCOVERED = "Texts about performances are shown to you."


@transaction.atomic
def covers_texts_set(*, actor: Viewer, is_on: bool) -> str:
    """Store whether texts about performances are covered for the actor, and return the sentence to show.

    Raises PermissionDenied.
    """
    user_id = account_require(actor)
    if not User.objects.filter(pk=user_id, is_active=True).update(covers_texts=is_on):
        raise PermissionDenied("Not authenticated")
    publish(AccountChanged(user_id))
    return TEXTS_COVERED if is_on else TEXTS_UNCOVERED


BAD_TOKEN = "Failed to verify reset token. Please request a new password reset."  # noqa: S105 - not a password


@transaction.atomic
def password_renew(*, account_id: int, proved: str, encoded: str) -> str:
    """Store another hash of the same password, and return the stored hash.

    `proved` is the hash that a sign-in has just matched; a password that was changed in between stays. The account's
    sessions in other browsers end with the former hash.
    """
    if User.objects.filter(pk=account_id, password=proved).update(password=encoded):
        publish(AccountChanged(account_id))
        return encoded
    return proved


@transaction.atomic
def password_set(*, account_id: int, encoded: str, keep: str = "", link: str = "") -> User:
    """Store a new password, end every session except that with the handle `keep`, and return the account.

    `encoded` is the result of `make_password`, called before any transaction, because hashing takes long. `link` is the
    key of a mailed link that allows the change. All reset links and sign-in links are deleted. The caller has checked
    the permission and the password's rules, and updates the remaining session (`update_session_auth_hash`).

    Before the address is confirmed, a stranger may have registered the account. Then every other way to sign in is
    deleted. Raises User.DoesNotExist, and ValidationError for an invalid link.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=account_id, is_active=True)
    if link and link_use(purpose=PASSWORD_RESET, key=link) != account_id:
        raise ValidationError(BAD_TOKEN)
    links_forget(account_id=account_id, purpose=PASSWORD_RESET)
    user.password = encoded
    user.save(update_fields=["password", "updated_at"])
    links_forget(account_id=account_id, purpose=SIGN_IN)
    if not EmailAddress.objects.filter(user_id=account_id, verified=True).exists():
        Authenticator.objects.filter(user_id=account_id).delete()
        SocialAccount.objects.filter(user_id=account_id).delete()
        links_forget(account_id=account_id, purpose=REGISTERED_BROWSER)
    others = AuthSession.objects.filter(user_id=account_id)
    (others.exclude(handle=keep) if keep else others).delete()
    publish(AccountChanged(account_id))
    transaction.on_commit(partial(security_event, "password changed", account=account_id))
    return user
