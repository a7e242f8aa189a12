"""allauth's forms with this site's sentences and limits."""

from typing import Any

from allauth.account import forms as upstream
from allauth.account.adapter import get_adapter
from allauth.account.fields import EmailField, PasswordField
from allauth.core import context
from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from apps.accounts import attempts
from apps.accounts.limits import CONFIRMATION, PASSWORD_SHORTEST
from apps.accounts.mail import mail_send
from apps.accounts.models import User
from apps.accounts.registration import registration_store
from apps.accounts.requests import client_of, next_path
from apps.accounts.selectors.registrations import Registration
from apps.accounts.services.registrations import WRONG, registration_create
from apps.accounts.sign_in.passwords import password_normal
from apps.core.observability import security_count

ADDRESS = {"required": "Please enter your e-mail address", "invalid": "Please enter a valid e-mail address"}
PASSWORD = {"required": "Please enter your password"}
TOO_SHORT = "Password must be at least 6 characters long"
DIFFERENT = "Passwords do not match"


class LoginForm(upstream.LoginForm):
    """E-mail, password and Remember me."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].error_messages.update(ADDRESS)
        self.fields["password"].error_messages.update(PASSWORD)


class SignupForm(upstream.SignupForm):
    """E-mail, password and username."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        empty = {"required": "Username must be at least 3 characters long"}
        self.fields["username"] = forms.CharField(error_messages=empty)  # the adapter has its rules
        self.fields["email"].error_messages.update(ADDRESS)
        self.fields["password1"].error_messages["required"] = "Password must be at least 6 characters"

    def clean(self) -> dict[str, Any]:
        """Count the sign-up if the form has no error."""
        cleaned: dict[str, Any] = super().clean()
        if not self.errors:
            attempts.sign_up_attempt(email=self.cleaned_data["email"], client=client_of(context.request))
        return cleaned

    def save(self, request: HttpRequest) -> Registration:
        """Create the account with an unconfirmed address, and store what else the browser has sent for it.

        The work and the result are the same for an address that has an account.
        """
        typed = self.cleaned_data
        registration = registration_create(
            email=typed["email"],
            password=typed["password1"],
            username=typed["username"],
            next_path=next_path(request),
        )
        registration_store(account_id=registration.account_id, posted=self.data)
        return registration


class ResetPasswordForm(upstream.ResetPasswordForm):
    """The address for a reset link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].error_messages.update(ADDRESS)

    def clean_email(self) -> str:
        """Return the address, without a lookup of its account."""
        return str(self.cleaned_data["email"])

    def clean(self) -> dict[str, Any]:
        """Count the request if the form is valid."""
        if not self.errors:
            attempts.reset_attempt(email=self.cleaned_data["email"], client=client_of(context.request))
        return self.cleaned_data

    def save(self, request: HttpRequest, **_: Any) -> str:
        """Queue the mail with the link. The answer and its time are the same for an unknown address."""
        email = str(self.cleaned_data["email"])
        mail_send(name="password_reset_key", to=email, next=next_path(request))
        return email


class ResetPasswordKeyForm(upstream.ResetPasswordKeyForm):
    """A new password, typed twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"] = PasswordField(autocomplete="new-password", error_messages={"required": TOO_SHORT})
        self.fields["password2"].error_messages["required"] = DIFFERENT

    def save(self) -> None:
        """Store the password and use up the link. Raises ValidationError if the link has been used in between."""
        get_adapter().set_password(self.user, self.cleaned_data["password1"], link=self.temp_key)

    def clean_password1(self) -> str:
        """Check the rules, with this page's sentences."""
        password = password_normal(str(self.cleaned_data["password1"]))
        if len(password) < PASSWORD_SHORTEST:
            raise ValidationError(TOO_SHORT)
        return get_adapter().clean_password(password, user=self.user)

    def clean(self) -> dict[str, Any]:
        """Compare the two passwords as they were typed, even if the first one is invalid."""
        names = ("password1", "password2")
        first, second = (password_normal(self.data.get(self.add_prefix(name), "")) for name in names)
        if second and first != second:
            self.add_error("password2", DIFFERENT)
        return self.cleaned_data


class ReauthenticateForm(upstream.ReauthenticateForm):
    """The password as reauthentication."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].error_messages.update(PASSWORD)


class RegisteredPasswordForm(forms.Form):
    """The password of the registration, for a confirmation in a browser that did not register the address."""

    password = PasswordField(autocomplete="current-password", error_messages=PASSWORD)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        """Check the password. Raises TooMany, Busy."""
        password = str(self.cleaned_data["password"])
        attempts.account_attempt(CONFIRMATION, account_id=self.user.pk)
        if not self.user.check_password(password):
            security_count("sign-in refused", account=self.user.pk, reason="wrong password")
            raise ValidationError(WRONG)
        return password


class ReaddressForm(forms.Form):
    """Another address for a registration, with the password that was set; the service checks and counts."""

    email = EmailField(error_messages=ADDRESS)
    password = PasswordField(autocomplete="current-password", error_messages=PASSWORD)


class VerifyAgainForm(forms.Form):
    """The address for another confirmation link."""

    email = EmailField(error_messages=ADDRESS)

    def clean(self) -> dict[str, Any]:
        """Count the request if the form is valid."""
        if not self.errors:
            attempts.verify_attempt(client=client_of(context.request))
        return self.cleaned_data
