"""Template engine that maps the template names of allauth's views to the site's own screens."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib.messages import ERROR, get_messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.forms import BaseForm, PasswordInput
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template import TemplateDoesNotExist
from django.template.backends.base import BaseEngine
from django.utils.safestring import SafeString, mark_safe

from apps.accounts.actors import TYPED_BY, Viewer, form_owner
from apps.accounts.profile_forms import PATH, SETTINGS, settings_keep
from apps.accounts.requests import SeeOther, next_path
from apps.accounts.selectors.sessions import viewer_get
from apps.accounts.session_store import handle_of
from apps.core.database.fields import DATABASE_AWAY
from apps.core.observability import security_count
from apps.core.texts import Texts, texts
from components.pages.account import (
    passkeys,
    password_reset,
    reauthentication,
    refused,
    registration,
    second_factors,
    sign_in,
    sign_in_link,
    unsubscribe,
)
from components.routes import BACKSTAGE_STYLES, Load, frame_parts
from components.runtime.commands import POSTED
from components.runtime.form import Form, FormMessage
from components.runtime.page import Page, PageRequest
from components.runtime.rendering.document import Document
from components.runtime.rendering.live_part import LivePart
from project.http.first_view import first_view
from project.http.middleware import viewer_state
from project.http.posted_commands import outdated_post
from project.visit import request_language


@dataclass(frozen=True, slots=True)
class ScreenSpec:
    """The screen behind a template name; `takes` are the names that it reads from the view's context."""

    screen: Load
    takes: tuple[str, ...] = ()
    names_account: bool = False  # show the account's address: the viewer has proved to own it
    shows_messages: bool = True  # show Django's messages here, else on the next page


SCREENS: Mapping[str, ScreenSpec] = {
    "account/login.html": ScreenSpec(sign_in.login, takes=("google", "passkey", "link", "is_kept")),
    "account/sign_in_link.html": ScreenSpec(sign_in_link.ask),
    "account/sign_in_link_sent.html": ScreenSpec(sign_in_link.sent),
    "account/sign_in_link_use.html": ScreenSpec(sign_in_link.use, takes=("username",)),
    "account/sign_in_link_unusable.html": ScreenSpec(sign_in_link.unusable),
    "account/signup.html": ScreenSpec(registration.register, takes=("google",)),
    "account/registered.html": ScreenSpec(
        registration.registered, takes=("registration", "done"), shows_messages=False
    ),
    "account/signup_closed.html": ScreenSpec(registration.closed),
    "account/password_reset.html": ScreenSpec(password_reset.forgot),
    "account/password_reset_done.html": ScreenSpec(password_reset.sent),
    "account/password_reset_from_key.html": ScreenSpec(password_reset.reset, names_account=True),
    "account/password_reset_unusable.html": ScreenSpec(password_reset.unusable),
    "account/password_reset_from_key_done.html": ScreenSpec(password_reset.done, shows_messages=False),
    "account/verification_sent.html": ScreenSpec(registration.verify_sent),
    "account/email_confirm.html": ScreenSpec(registration.verify, takes=("email", "username", "asks", "new")),
    "account/email_confirm_expired.html": ScreenSpec(registration.verify_expired),
    "account/reauthenticate.html": ScreenSpec(reauthentication.ask, takes=("ways", "passkey"), names_account=True),
    "mfa/reauthenticate.html": ScreenSpec(reauthentication.by_code),
    "mfa/authenticate.html": ScreenSpec(sign_in.two_factor, takes=("code", "passkey")),
    "mfa/index.html": ScreenSpec(second_factors.overview, takes=("factors", "allowed")),
    "mfa/first_factor.html": ScreenSpec(second_factors.first_factor),
    "mfa/first_factor_unusable.html": ScreenSpec(second_factors.first_factor_unusable),
    "mfa/totp/activate_form.html": ScreenSpec(second_factors.app, takes=("secret", "signed_secret", "totp_url")),
    "mfa/totp/deactivate_form.html": ScreenSpec(second_factors.app_off),
    "mfa/recovery_codes/index.html": ScreenSpec(second_factors.codes, takes=("unused_codes",)),
    "mfa/recovery_codes/generate.html": ScreenSpec(second_factors.codes_new),
    "mfa/webauthn/authenticator_list.html": ScreenSpec(passkeys.overview, takes=("factors",)),
    "mfa/webauthn/add_form.html": ScreenSpec(passkeys.add),
    "mfa/webauthn/edit_form.html": ScreenSpec(passkeys.rename),
    "mfa/webauthn/authenticator_confirm_delete.html": ScreenSpec(passkeys.remove, takes=("name",)),
    "notifications/unsubscribe.html": ScreenSpec(unsubscribe.ask, takes=("address", "is_done")),
    "notifications/unsubscribe_unusable.html": ScreenSpec(unsubscribe.unusable),
    "account/account_inactive.html": ScreenSpec(refused.inactive),
    "socialaccount/callback.html": ScreenSpec(sign_in.callback, takes=("onward",)),
    "socialaccount/failed.html": ScreenSpec(sign_in.callback_failed, takes=("onward",)),
    "403_csrf.html": ScreenSpec(refused.forged, takes=("back",)),
    "403_other_account.html": ScreenSpec(refused.other_account, takes=("back",)),
    "429.html": ScreenSpec(refused.too_many),
}


class Screens(BaseEngine):
    """Template engine that knows the names in SCREENS only and ignores the templates of applications."""

    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__({name: params[name] for name in ("NAME", "DIRS", "APP_DIRS")})

    def get_template(self, template_name: str) -> "Template":
        """Return the template for this name. Raises TemplateDoesNotExist for a name outside SCREENS."""
        if template_name not in SCREENS:
            raise TemplateDoesNotExist(template_name, backend=self)
        return Template(SCREENS[template_name])


class Template:
    """One screen with the interface of a Django template."""

    def __init__(self, spec: ScreenSpec) -> None:
        self.spec = spec

    def render(self, context: Mapping[str, Any] | None = None, request: HttpRequest | None = None) -> SafeString:
        """Return the whole HTML page for the view's context, and store the page as `request.page_shown`.

        Raises ValueError without a request.
        """
        if request is None:
            raise ValueError("rendering a screen needs its request")
        language = request_language(request)
        viewer = viewer_get(user_id=request.user.pk, session=handle_of(getattr(request, "session", None)))
        form = _form(self.spec, context or {}, request, texts(language))
        page = self.spec.screen(PageRequest(language=language, form=form, known_viewer=viewer))
        page = replace(page, address=request.get_full_path(), path=request.path, language=language)
        page = replace(page, frame_parts=frame_parts(language), styles=(BACKSTAGE_STYLES,))
        request.page_shown = page  # type: ignore[attr-defined]  # its status and redirect go into the response
        return mark_safe(_html(page, viewer))  # noqa: S308 - the serializer escapes


def _html(page: Page, viewer: Viewer) -> str:
    parts = [LivePart(ref) for ref in page.all_parts]
    try:
        for part in parts:
            part.renew()
    except DATABASE_AWAY:  # the form works without the frame's parts
        page, parts = replace(page, frame_parts={}), []
    model = async_to_sync(first_view)(page, viewer)
    document = Document(page, model, plain=True, account=viewer.id, viewer_state=viewer_state(viewer))
    return document.html(parts).decode()


def _form(spec: ScreenSpec, context: Mapping[str, Any], request: HttpRequest, t: Texts) -> Form:
    form = context.get("form")
    onward = next_path(request)
    owner = {"email": form.user.email} if spec.names_account and form else {}
    return Form(
        token=get_token(request),
        values=_values(form) if form else {},
        errors=_errors(form, t) if form else {},
        messages=tuple(FormMessage(t(str(each)), each.level < ERROR) for each in get_messages(request))
        if spec.shows_messages
        else (),
        hidden={"next": onward} if onward else {},
        extra=owner | {name: context[name] for name in spec.takes if name in context},
    )


def _values(form: BaseForm) -> dict[str, str]:
    """Return the typed values by field, without passwords; a ticked box is "on"."""
    typed = {name: form[name].value() for name, field in form.fields.items() if not _is_secret(field)}
    return {name: "on" if value is True else str(value or "") for name, value in typed.items()}


def _is_secret(field: Any) -> bool:
    return isinstance(field.widget, PasswordInput)


def _errors(form: BaseForm, t: Texts) -> dict[str, tuple[str, ...]]:
    by_field = {name: tuple(_error_text(each, t) for each in errors) for name, errors in form.errors.as_data().items()}
    return {"" if name == NON_FIELD_ERRORS else name: errors for name, errors in by_field.items()}


def _error_text(error: ValidationError, t: Texts) -> str:
    words = t(str(error.message))
    return words % error.params if error.params else words


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form with a missing or outdated CSRF token (CSRF_FAILURE_VIEW).

    A form that the signed-in account typed is kept, and the answer redirects to the page that shows it again. Every
    other form gets a page with status 403 and a link back to the form.
    """
    is_foreign = reason.startswith("Origin")
    security_count("form refused", reason="foreign origin" if is_foreign else "no token")
    kept = "" if is_foreign else _kept(request)
    if kept and form_owner(request.POST.get(TYPED_BY, "")) == request.user.pk:
        return SeeOther(kept)
    template = "403_other_account.html" if kept and request.user.pk is not None else "403_csrf.html"
    return render(request, template, {"back": kept or request.path}, status=403)


def _kept(request: HttpRequest) -> str:
    """Keep the values of a form with a token from before the sign-in; return the page that shows them, or ""."""
    if request.path.startswith(POSTED):
        return outdated_post(request)
    path = settings_keep(request) if request.path == SETTINGS else ""
    return "" if path == PATH and request.user.pk is not None else path  # signed out, the profile leads to the sign-in


def rate_limited_page(request: HttpRequest) -> HttpResponse:
    """Return the page with status 429 for a client that exceeds a rate limit of allauth (handler429)."""
    place = request.resolver_match
    security_count("limit reached", reason=str(place and place.url_name))
    return render(request, "429.html", status=429)
