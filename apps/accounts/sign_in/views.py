"""allauth's views of signing in, adapted: this site's sentences, and its own one-time links."""

import logging
from typing import Any
from urllib.parse import urlencode

from allauth.account import views as upstream
from allauth.account.internal import flows
from allauth.account.internal.flows.email_verification import consume_email_verification_rate_limit
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.decorators import rate_limit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, ValidationError
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic.base import TemplateView
from django.views.generic.edit import FormView

from apps.accounts.mail import EMAIL_CONFIRMATION, PASSWORD_RESET, link_account, link_next_path, link_use, mail_send
from apps.accounts.models import User
from apps.accounts.registration import REGISTERED
from apps.accounts.requests import address_said, document_only, message_to, next_path, next_path_set, with_next
from apps.accounts.services.profile import BAD_TOKEN, password_set
from apps.accounts.sign_in.by_mail import (
    browser_expect,
    browser_forget,
    browser_is_known,
    browser_prove,
    mail_sign_in,
    may_enter,
)
from apps.accounts.sign_in.forms import RegisteredPasswordForm, ResetPasswordKeyForm, VerifyAgainForm
from apps.accounts.sign_in.known_browsers import browser_clear
from apps.accounts.sign_in.social import google_address
from apps.core.rate_limits import TOO_MANY

log = logging.getLogger(__name__)
TOKENS = frozenset({"access_token", "refresh_token", "token", "token_hash", "token_type", "expires_in", "code"})
NO_TOKENS = "Invalid or missing reset tokens. Please request a new password reset."
UPDATED = "Password updated successfully! Please log in with your new password."
SENT_AGAIN = "If this address waits to be confirmed, a new link is on its way to it."
CONFIRMED = "Your address is confirmed. You can log in now."


class Entrance:
    """A screen with several methods to sign in."""

    google = "google_login"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context with the other methods."""
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]  # the view's
        return {**context, "google": google_address(self.google), "passkey": reverse("mfa_login_webauthn")}


class LoginView(Entrance, upstream.LoginView):
    """Signing in by password; at the limit the page offers a mailed link."""

    def get_initial(self) -> dict[str, Any]:
        """Return the initial values; the address comes from the page's messages."""
        return {**super().get_initial(), "login": address_said(self.request)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context.

        `is_kept` is False after a confirmation alone, for which another browser may have the typed text.
        """
        context = super().get_context_data(**kwargs)
        is_full = context["form"].has_error(NON_FIELD_ERRORS, TOO_MANY)
        is_kept = CONFIRMED not in {str(message) for message in messages.get_messages(self.request)}
        return {**context, "link": reverse("sign_in_link") if is_full else "", "is_kept": is_kept}


class FormWithSentences:
    """A form that shows the sentence `failed` for an unexpected error, and keeps the typed values."""

    failed: str

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Handle a posted form."""
        view: Any = self
        try:
            return super().post(request, *args, **kwargs)  # type: ignore[misc]  # the view's
        except (PermissionDenied, ImmediateHttpResponse):
            raise
        except ValidationError as error:
            view.get_form().add_error(None, error)
        except Exception:
            log.exception("%s", self.failed)
            view.get_form().add_error(None, self.failed)
        return view.form_invalid(view.get_form())


class RegisterView(Entrance, FormWithSentences, upstream.SignupView):
    """Signing up."""

    google = "google_signup"
    failed = "Failed to create account"

    def form_valid(self, form: Any) -> HttpResponse:
        """Create the account. The browser gets a cookie for the link but no session, so it stays anonymous."""
        registration = form.save(self.request)
        consume_email_verification_rate_limit(self.request, registration.email)  # a sign-in sends no second mail now
        message_to(self.request, REGISTERED, email=registration.email)
        response = HttpResponseRedirect(with_next(reverse("registered"), self.request))
        browser_expect(response, registration.account_id, registration.email)
        return response


class ForgotPasswordView(FormWithSentences, upstream.PasswordResetView):
    """Requesting a reset link."""

    failed = "An unexpected error occurred"

    def form_valid(self, form: Any) -> HttpResponse:
        """Queue the mail with the link."""
        try:
            return super().form_valid(form)
        except DatabaseError:
            form.add_error(None, "Failed to send reset email")
            return self.form_invalid(form)


@method_decorator(sensitive_post_parameters("password1", "password2"), name="dispatch")
@method_decorator(rate_limit(action="reset_password_from_key"), name="dispatch")
class ResetPasswordView(FormWithSentences, FormView):  # type: ignore[type-arg,misc]  # not subscriptable at run time
    """Choosing a new password with the key of a mailed link.

    The key is moved from the address into a cookie, so that browser history and logs do not keep it. Opening the link
    changes no other state: a signed-in user stays signed in until the new password is stored.
    """

    template_name = "account/password_reset_from_key.html"
    form_class = ResetPasswordKeyForm
    failed = "Failed to update password"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Move the key from the address into the cookie, or show the form, or the error of the link."""
        if "key" in request.GET or TOKENS & set(request.GET):
            return self._key_store(request)
        key = request.COOKIES.get(settings.RESET_COOKIE_NAME, "")
        if not key:
            return self._unusable(request, NO_TOKENS)
        user = _user_of(key)
        if user is None:
            return self._unusable(request, BAD_TOKEN)
        self.user, self.key = user, key
        return super().dispatch(request, *args, **kwargs)

    def _key_store(self, request: HttpRequest) -> HttpResponse:
        key = request.GET.get("key", "")
        if TOKENS & set(request.GET) or _user_of(key) is None:
            return self._unusable(request, BAD_TOKEN)
        response = HttpResponseRedirect(request.path)
        response.set_cookie(
            settings.RESET_COOKIE_NAME,
            key,
            max_age=PASSWORD_RESET.age,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return response

    def _unusable(self, request: HttpRequest, words: str) -> HttpResponse:
        form = forms.Form({})
        form.add_error(None, words)
        return render(request, "account/password_reset_unusable.html", {"form": form})

    def get_form(self, form_class: Any = None) -> ResetPasswordKeyForm:
        """Return the form, created once per request."""
        if not hasattr(self, "form"):
            self.form = super().get_form(form_class)
        return self.form

    def get_form_kwargs(self) -> dict[str, Any]:
        """Return the arguments of the form."""
        return {**super().get_form_kwargs(), "user": self.user, "temp_key": self.key}

    def get_success_url(self) -> str:
        """Return the page that continues to the sign-in."""
        return with_next(reverse("account_reset_password_from_key_done"), self.request)

    def form_valid(self, form: ResetPasswordKeyForm) -> HttpResponse:
        """Store the password, end the session and confirm the address, because its mail was received."""
        is_signed_in = self.request.user.is_authenticated
        next_path_set(self.request, link_next_path(purpose=PASSWORD_RESET, key=self.key))
        form.save()
        if is_signed_in:
            flows.logout.logout(self.request)
        flows.password_reset.finalize_password_reset(self.request, self.user)
        flows.email_verification.verify_email_indirectly(self.request, self.user, self.user.email)
        messages.success(self.request, UPDATED)
        response = super().form_valid(form)
        response.delete_cookie(settings.RESET_COOKIE_NAME, samesite="Lax")
        if is_signed_in:
            browser_clear(response)
        return response


def _user_of(key: str) -> User | None:
    """Return the account of this key, None for an invalid key."""
    account_id = link_account(purpose=PASSWORD_RESET, key=key)
    return None if account_id is None else User.objects.filter(pk=account_id).first()


@method_decorator(sensitive_post_parameters("password", "password1", "password2"), name="dispatch")
class VerifyEmailView(FormWithSentences, FormView):  # type: ignore[type-arg,misc]  # not subscriptable at run time
    """Confirming an address with a mailed key: a button, since mail programs open links too.

    A stranger may have registered the address. A browser that did not register it must therefore send the registered
    password, or set a new one (`new` in the address). A new password ends every other way to sign in.
    """

    template_name = "account/email_confirm.html"
    failed = "An unexpected error occurred"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Load the address of the key, or show that the link is expired."""
        key = request.GET.get("key", "")
        if not key:
            return HttpResponseRedirect(reverse("account_email_verification_sent"))
        account_id = link_account(purpose=EMAIL_CONFIRMATION, key=key)
        unconfirmed = EmailAddress.objects.filter(user_id=account_id, verified=False).select_related("user")
        address = None if account_id is None else unconfirmed.first()
        if address is None:
            return self._expired()
        self.key, self.address, self.user = key, address, address.user
        return super().dispatch(request, *args, **kwargs)

    def get_form_class(self) -> Any:
        """Return the form: a button alone, the registered password, or a new one."""
        if browser_is_known(self.request, self.user):
            return forms.Form
        is_new = "new" in self.request.GET or not self.user.has_usable_password()
        return ResetPasswordKeyForm if is_new else RegisteredPasswordForm

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form, created once per request."""
        if not hasattr(self, "form"):
            self.form = super().get_form(form_class)
        return self.form

    def get_form_kwargs(self) -> dict[str, Any]:
        """Return the arguments of the form."""
        asks = {} if self.get_form_class() is forms.Form else {"user": self.user}
        return {**super().get_form_kwargs(), **asks}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context; `new` is the address of the form for a new password."""
        context = super().get_context_data(**kwargs)
        asks = {RegisteredPasswordForm: "password", ResetPasswordKeyForm: "new"}.get(type(context["form"]), "")
        new = f"{self.request.path}?{urlencode({'key': self.key, 'new': 1})}" if asks == "password" else ""
        return {**context, "email": self.address.email, "username": self.user.username, "asks": asks, "new": new}

    def form_valid(self, form: Any) -> HttpResponse:
        """Confirm the address, store a new password if there is one, and sign in if allowed."""
        leads_to = link_next_path(purpose=EMAIL_CONFIRMATION, key=self.key)
        password = form.cleaned_data.get("password1", "")
        encoded = make_password(password) if password else ""  # before the transaction, because hashing takes long
        address = self._confirm(encoded)
        if address is None:
            return self._expired()
        next_path_set(self.request, leads_to)
        response = self._enter(address, is_proved=bool(form.cleaned_data))
        browser_forget(response)
        return response

    @transaction.atomic
    def _confirm(self, encoded: str) -> EmailAddress | None:
        """Use up the link, store a new password and confirm the address; return None for an expired link."""
        if link_use(purpose=EMAIL_CONFIRMATION, key=self.key) is None:
            return None
        if encoded:
            user = password_set(account_id=self.user.pk, encoded=encoded)
            mail_send(name="password_changed", to=user.email, username=user.username)
        confirmation = EmailConfirmationHMAC(self.address)
        address, _ = flows.email_verification.verify_email_and_resume(self.request, confirmation)
        return address

    def _enter(self, address: EmailAddress, *, is_proved: bool) -> HttpResponse:
        user = User.objects.get(pk=address.user_id)
        if (is_proved and may_enter(self.request, user)) or browser_prove(self.request, user):
            return mail_sign_in(self.request, user, next_path(self.request))
        message_to(self.request, CONFIRMED, email=address.email)
        return HttpResponseRedirect(with_next(reverse("account_login"), self.request))

    def _expired(self) -> HttpResponse:
        return render(self.request, "account/email_confirm_expired.html")


class VerifyEmailSentView(TemplateView):
    """The page after a link was sent, with the form for another one."""

    template_name = "account/verification_sent.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the template context with the form."""
        form = VerifyAgainForm(initial={"email": address_said(self.request)})
        return {**super().get_context_data(**kwargs), "form": form}


class VerifyEmailSendView(FormWithSentences, FormView):  # type: ignore[type-arg,misc]  # not subscriptable at run time
    """Requesting another confirmation link; the answer is the same for every address."""

    template_name = "account/verification_sent.html"
    form_class = VerifyAgainForm
    failed = "An unexpected error occurred"

    def get_success_url(self) -> str:
        """Return the page with the form."""
        return with_next(reverse("account_email_verification_sent"), self.request)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Redirect to the page with the form."""
        return HttpResponseRedirect(self.get_success_url())

    def get_form(self, form_class: Any = None) -> VerifyAgainForm:
        """Return the form, created once per request."""
        if not hasattr(self, "form"):
            self.form = super().get_form(form_class)
        return self.form

    def form_valid(self, form: VerifyAgainForm) -> HttpResponse:
        """Queue the mail with the link, within the rate limit; a confirmed address gets none."""
        email = form.cleaned_data["email"]
        if consume_email_verification_rate_limit(self.request, email):
            mail_send(name="email_confirmation", to=email, next=next_path(self.request))
        message_to(self.request, SENT_AGAIN, email=email)
        return super().form_valid(form)


login = LoginView.as_view()
register = RegisterView.as_view()
forgot_password = ForgotPasswordView.as_view()
reset_password = document_only(ResetPasswordView.as_view())
verify_email = document_only(VerifyEmailView.as_view())
verify_email_sent = VerifyEmailSentView.as_view()
verify_email_send = VerifyEmailSendView.as_view()
