"""Signing in with a mailed link or code, which works even if an attacker's guesses have used up an address's limit.

The link works in every browser, for an hour. The code is for a browser that cannot open the link, such as the app on an
iPhone's Home Screen: it works in the browser that requested the mail, which has a key in a signed cookie. The database
has the digest of code and key together, so that neither can be found without the other.
"""

import secrets
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.fields import EmailField
from allauth.core import context
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic.edit import FormView

from apps.accounts import attempts
from apps.accounts.limits import CODE_DIGITS
from apps.accounts.mail import (
    KEY_BYTES,
    SIGN_IN,
    SIGN_IN_CODE,
    Purpose,
    browser_digest,
    code_key,
    link_account,
    link_next_path,
    link_use,
    mail_send,
)
from apps.accounts.models import User
from apps.accounts.requests import client_of, document_only, next_path
from apps.accounts.sign_in.by_mail import mail_sign_in
from apps.accounts.sign_in.forms import ADDRESS
from apps.accounts.sign_in.views import FormWithSentences
from apps.core.observability import security_count

CODE_MISSING = "Please enter the code from the mail: eight digits"
CODE_WRONG = "This code is not the newest one, or it is older than ten minutes"
OTHER_BROWSER = "A code works only in the browser that asked for it. Please ask for one here."
_SALT = "parterre.sign-in-code"


class SignInLinkForm(forms.Form):
    """The address for a sign-in link."""

    email = EmailField(error_messages=ADDRESS)

    def clean(self) -> dict[str, Any]:
        """Count the request if the form is valid."""
        if not self.errors:
            attempts.sign_in_link_attempt(email=self.cleaned_data["email"], client=client_of(context.request))
        return self.cleaned_data


class SignInLinkView(FormWithSentences, FormView):  # type: ignore[type-arg,misc]  # not subscriptable at run time
    """Requesting a sign-in link; the answer is the same for every address."""

    template_name = "account/sign_in_link.html"
    form_class = SignInLinkForm
    success_url = reverse_lazy("sign_in_link_sent")
    failed = "An unexpected error occurred"

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form, created once per request."""
        if not hasattr(self, "form"):
            self.form = super().get_form(form_class)
        return self.form

    def form_valid(self, form: SignInLinkForm) -> HttpResponse:
        """Queue the mail with the link and the code. The answer and its time are the same for an unknown address."""
        key = secrets.token_urlsafe(KEY_BYTES)
        browser = browser_digest(key)
        mail_send(name="sign_in_link", to=form.cleaned_data["email"], next=next_path(self.request), browser=browser)
        response = super().form_valid(form)
        response.set_signed_cookie(
            settings.SIGN_IN_COOKIE_NAME,
            key,
            salt=_SALT,
            max_age=SIGN_IN.age,  # the code's time begins when its mail is sent
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return response


class CodeForm(forms.Form):
    """The code from the mail, and whether the browser is remembered."""

    code = forms.CharField(error_messages={"required": CODE_MISSING})
    remember = forms.BooleanField(required=False)

    def clean_code(self) -> str:
        """Return the code without spaces and hyphens."""
        code = "".join(self.cleaned_data["code"].replace("-", " ").split())
        if not (len(code) == CODE_DIGITS and code.isascii() and code.isdigit()):
            raise ValidationError(CODE_MISSING)
        return code


@method_decorator(sensitive_post_parameters("code"), name="dispatch")
class SentView(FormWithSentences, FormView):  # type: ignore[type-arg,misc]  # not subscriptable at run time
    """The page after the request, with the form for the code; the same for every address."""

    template_name = "account/sign_in_link_sent.html"
    form_class = CodeForm
    failed = "An unexpected error occurred"

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form, created once per request."""
        if not hasattr(self, "form"):
            self.form = super().get_form(form_class)
        return self.form

    def form_valid(self, form: CodeForm) -> HttpResponse:
        """Sign in, or ask for a second factor. Raises ValidationError for a wrong code, TooMany after five codes."""
        cookie = self.request.get_signed_cookie(
            settings.SIGN_IN_COOKIE_NAME, default="", salt=_SALT, max_age=SIGN_IN.age
        )
        if not cookie:
            raise ValidationError(OTHER_BROWSER)
        browser = browser_digest(cookie)
        attempts.sign_in_code_attempt(browser=browser)
        response = _sign_in(self.request, SIGN_IN_CODE, code_key(browser=browser, code=form.cleaned_data["code"]))
        if response is None:
            security_count("sign-in refused", reason="wrong code")
            raise ValidationError({"code": CODE_WRONG})
        if form.cleaned_data["remember"]:
            self.request.session.set_expiry(settings.SESSION_COOKIE_AGE)
        response.delete_cookie(settings.SIGN_IN_COOKIE_NAME, samesite="Lax")
        return response


def _sign_in(request: HttpRequest, purpose: Purpose, key: str) -> HttpResponse | None:
    """Use a link or code and sign its account in, in place of another one; return the redirect, None if unusable."""
    leads_to = link_next_path(purpose=purpose, key=key)
    account_id = link_use(purpose=purpose, key=key)
    if account_id is None:
        return None
    if request.user.pk not in (None, account_id):
        get_adapter().logout(request)
    return mail_sign_in(request, User.objects.get(pk=account_id), leads_to)


@document_only
def use(request: HttpRequest) -> HttpResponseBase:
    """Show a button, since mail programs open links too. A post signs in, or asks for a second factor."""
    key = request.GET.get("key", "")
    user = User.objects.filter(pk=link_account(purpose=SIGN_IN, key=key) or 0).first()
    if user is None:
        return render(request, "account/sign_in_link_unusable.html")
    if request.method != "POST":
        return render(request, "account/sign_in_link_use.html", {"username": user.username})
    # None: a concurrent request used the link
    return _sign_in(request, SIGN_IN, key) or render(request, "account/sign_in_link_unusable.html")


ask = SignInLinkView.as_view()
sent = SentView.as_view()
