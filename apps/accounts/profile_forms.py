"""The profile's forms: each post is answered by a redirect to the page that shows the answer."""

import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.accounts.actors import TYPED_BY, Viewer, form_owner
from apps.accounts.attempts import account_attempt
from apps.accounts.limits import CONFIRMATION, PROFILE
from apps.accounts.mail import mail_send
from apps.accounts.requests import SeeOther, is_fresh, viewer_of_request
from apps.accounts.selectors.own_account import has_password
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.services import sessions
from apps.accounts.services.accounts import account_delete, account_export
from apps.accounts.services.profile import answer_keep, password_set, profile_update
from apps.accounts.services.roles import LAST
from apps.accounts.services.sessions import session_end_own
from apps.accounts.sign_in.known_browsers import browser_clear
from apps.accounts.sign_in.passwords import Busy, password_errors
from apps.core.edits import EditConflict
from apps.core.limits import ADDRESS_LENGTH
from apps.core.rate_limits import TooMany
from apps.core.text_rules import storable

log = logging.getLogger(__name__)
PATH, SETTINGS = "/profile", "/profile/settings"
TYPED = ("username", "avatar_url", "version")  # fields that are filled in again; never a password
KEPT = "You were signed out before this was sent. What you typed is in its form again: please save it once more."
Errors = dict[str, list[str]]
Answer = Callable[[HttpRequest, Viewer], HttpResponse]


def own(answer: Answer) -> Callable[[HttpRequest], HttpResponse]:
    """Return a view for posts of signed-in users; anonymous visitors are sent to sign in, with a message."""

    def view(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return SeeOther(PATH)
        viewer = viewer_of_request(request)
        if not viewer.is_signed_in:
            return to_sign_in(request)
        try:
            return answer(request, viewer)
        except PermissionDenied:
            return to_sign_in(request)

    return view


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send an anonymous visitor to sign in and come back. Values typed into the settings are kept."""
    messages.error(request, "Not authenticated")
    path = settings_keep(request) if request.path == SETTINGS else PATH
    return SeeOther(f"/login?{urlencode({'next': path})}")


def settings_keep(request: HttpRequest) -> str:
    """Store the values typed after the end of the session for its account; return the address that shows them."""
    owner = viewer_get(user_id=form_owner(request.POST.get(TYPED_BY, "")))
    if not owner.is_signed_in:
        return PATH
    try:
        account_attempt(PROFILE, account_id=owner.id or 0)
    except TooMany:
        return PATH
    return back(owner, "settings", message=KEPT, is_good=False, values=_typed(request))


def _typed(request: HttpRequest) -> dict[str, str]:
    return {name: storable(request.POST.get(name, "")[: ADDRESS_LENGTH + 1]) for name in TYPED}


def back(viewer: Viewer, form: str, *, message: str = "", is_good: bool = True, **data: Any) -> str:
    """Store a form's answer and return the address of the profile that shows it."""
    answer = {**data, "messages": [[message, is_good]] if message else []}
    answer_id = answer_keep(user_id=viewer.id or 0, form=form, data=answer)
    # no fragment with errors, because it would take the focus from the first wrong field
    fragment = "" if data.get("errors") else f"#{form}"
    return f"{PATH}?{urlencode({'answer': str(answer_id)})}{fragment}"


def confirm(to: str) -> HttpResponse:
    """Redirect to the page that asks for the password once more, and from there to `to`."""
    return SeeOther(f"/reauthenticate?{urlencode({'next': to})}")


@own
def settings_save(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Store username, picture and an optional new password, all or none of them."""
    typed = _typed(request)
    password = request.POST.get("password1", "")
    try:
        account_attempt(PROFILE, account_id=viewer.id or 0)
        errors = _settings_store(request, viewer, typed, password)
    except PermissionDenied:
        raise
    except (TooMany, Busy) as error:
        errors = {"": error.messages}
    except Exception:
        log.exception("profile of account %s could not be updated", viewer.id)
        errors = {"": ["An error occurred while updating profile"]}
    if errors is None:
        return confirm(back(viewer, "settings", message="Please type your new password once more.", values=typed))
    if errors:
        return SeeOther(back(viewer, "settings", values=typed, errors=errors))
    return SeeOther(back(viewer, "settings", message="Profile updated successfully"))


def _settings_store(request: HttpRequest, viewer: Viewer, typed: dict[str, str], password: str) -> Errors | None:
    """Store all fields; return errors by field, or None when a reauthentication is needed first. Raises Busy."""
    again, fresh = request.POST.get("password2", ""), is_fresh(request)
    errors = password_errors(password, again, user=request.user) if password or again else {}
    version = typed["version"] or None
    # before the transaction, because hashing takes long
    encoded = make_password(password) if password and fresh and not errors else ""
    with transaction.atomic():
        try:
            profile_update(actor=viewer, username=typed["username"], avatar_url=typed["avatar_url"], version=version)
        except EditConflict as error:  # saving again overwrites
            typed["version"] = error.version
            errors |= error.message_dict
        except ValidationError as error:
            errors |= error.message_dict
        if errors or (password and not fresh):
            transaction.set_rollback(True)
            return errors or None
        if encoded:
            _password_store(request, viewer, encoded)
    return {}


def _password_store(request: HttpRequest, viewer: Viewer, encoded: str) -> None:
    user = password_set(account_id=viewer.id or 0, encoded=encoded, keep=viewer.session)
    update_session_auth_hash(request, user)  # this session stays, under another key
    mail_send(name="password_changed", to=user.email, username=user.username)


@own
def session_end(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """End another session of the account."""
    try:
        ended = session_end_own(actor=viewer, handle=request.POST.get("handle", ""))
    except ValidationError:
        ended = False
    words = "That browser has been signed out." if ended else "That browser was signed out already."
    return SeeOther(back(viewer, "sessions", message=words))


@own
def sessions_end_others(request: HttpRequest, viewer: Viewer) -> HttpResponse:  # noqa: ARG001 - signature of these views
    """End all sessions of the account except this one."""
    sessions.sessions_end_others(actor=viewer)
    return SeeOther(back(viewer, "sessions", message="You are signed out everywhere else."))


@own
def export(request: HttpRequest, viewer: Viewer) -> HttpResponse:  # noqa: ARG001 - signature of these views
    """Return all stored data about the account, as a file."""
    try:
        data = account_export(actor=viewer)
    except ValidationError as error:
        return SeeOther(back(viewer, "data", message=error.messages[0], is_good=False))
    headers = {"Content-Disposition": 'attachment; filename="parterre-my-data.json"', "Cache-Control": "no-store"}
    return JsonResponse(data, headers=headers, json_dumps_params={"ensure_ascii": False, "indent": 2})


@own
def delete(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Delete the account: by its password, or after a fresh sign-in if it has none."""
    if not (has_password(user_id=viewer.id or 0) or is_fresh(request)):
        return confirm(f"{PATH}#leaving")
    try:
        account_attempt(CONFIRMATION, account_id=viewer.id or 0)
        account_delete(actor=viewer, password=request.POST.get("password", ""), is_fresh=is_fresh(request))
    except PermissionDenied:
        raise
    except TooMany as error:
        return SeeOther(back(viewer, "leaving", errors={"": error.messages}))
    except ValidationError as error:
        field = "" if getattr(error, "code", "") == LAST else "password"
        return SeeOther(back(viewer, "leaving", errors={field: error.messages}))
    except Exception:
        log.exception("account %s could not be deleted", viewer.id)
        return SeeOther(back(viewer, "leaving", errors={"": ["An error occurred while deleting account"]}))
    request.session.flush()
    request.user = AnonymousUser()
    messages.success(request, "Your account has been deleted.")
    response = SeeOther("/login")
    browser_clear(response)
    return response
