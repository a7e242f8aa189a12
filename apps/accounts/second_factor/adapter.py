"""allauth's adapter and forms for second factors."""

import base64
import logging
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, ClassVar
from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base import forms as upstream
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.totp.internal.auth import generate_totp_secret
from allauth.mfa.webauthn import forms as webauthn
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponseBadRequest, HttpResponseBase, JsonResponse
from django.utils.crypto import salted_hmac

from apps.accounts.limits import PASSKEY_NAME_LENGTH
from apps.core.text_rules import text_clean

log = logging.getLogger(__name__)
CODE = {"required": "Please enter the code"}
INCORRECT = "This code does not fit. Please try again with a new one."


class MFAAdapter(DefaultMFAAdapter):
    """allauth's adapter for second factors, with this site's names, sentences and encryption."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": INCORRECT,
        "unverified_email": "Please confirm your e-mail address first.",
    }

    def get_totp_issuer(self) -> str:
        """Return the name that an authenticator app shows beside the address."""
        return "Parterre"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the relying party of passkeys: the host of the public address."""
        return {"id": urlsplit(settings.PUBLIC_URL).hostname or "", "name": "Parterre"}

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 - allauth's name
        """Return a default name for a passkey."""
        return f"Passkey {Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1}"

    def encrypt(self, text: str) -> str:
        """Return an encrypted secret for storage; without SECRET_KEY a copy of the database cannot compute codes."""
        return factor_keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a stored secret. Raises ValidationError if it was encrypted with an unknown SECRET_KEY."""
        try:
            return factor_keys().decrypt(encrypted_text).decode()
        except InvalidToken as error:
            log.warning("a second factor was encrypted with an unknown SECRET_KEY")
            raise self.validation_error("incorrect_code") from error


def factor_keys() -> MultiFernet:
    """Return the keys, which encrypt with the current SECRET_KEY and decrypt with its fallbacks too."""
    return MultiFernet([_fernet(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


@cache
def _fernet(secret: str) -> Fernet:
    key = salted_hmac("parterre.factors", "secrets", secret=secret, algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))


class CodeForm(upstream.AuthenticateForm):
    """The form for a code after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].error_messages.update(CODE)


class CodeAgainForm(upstream.ReauthenticateForm):
    """The form for a code as reauthentication."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].error_messages.update(CODE)


class FirstCodeForm(totp.ActivateTOTPForm):
    """The form for the first code of an authenticator app; it carries the app's secret, signed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.user = kwargs.pop("user")
        # skips allauth's __init__, which stores the secret in the session at each view of the page
        super(totp.ActivateTOTPForm, self).__init__(*args, **kwargs)
        self._signer = Signer(salt=f"parterre.totp.{self.user.pk}")
        self.secret = self._posted_secret() or generate_totp_secret()
        self.fields["code"].error_messages.update(CODE)

    @property
    def signed_secret(self) -> str:
        """The secret as the form carries it."""
        return self._signer.sign(self.secret)

    def _posted_secret(self) -> str:
        try:
            return str(self._signer.unsign(self.data.get("secret", "")))
        except BadSignature:
            return ""


def _name_field(*, required: bool) -> forms.CharField:
    error_messages = {
        "required": "Please enter a name",
        "max_length": f"A name has at most {PASSKEY_NAME_LENGTH} characters",
    }
    return forms.CharField(max_length=PASSKEY_NAME_LENGTH, required=required, error_messages=error_messages)


class CredentialField(forms.JSONField):
    """A passkey's JSON object as the browser sends it; other values are refused."""

    def to_python(self, value: Any) -> Any:
        """Return the object. Raises ValidationError."""
        try:
            credential = super().to_python(value)
        except RecursionError:
            credential = None
        if credential is not None and not isinstance(credential, dict):
            raise ValidationError(INCORRECT, code="incorrect_code")
        return credential

    def bound_data(self, data: Any, initial: Any) -> Any:  # noqa: ARG002 - Django's signature
        """Return the posted value without parsing it."""
        return data


def _credential_field() -> CredentialField:
    return CredentialField(widget=forms.HiddenInput, error_messages={"required": INCORRECT, "invalid": INCORRECT})


@contextmanager
def _parsing() -> Iterator[None]:
    """Convert errors of the passkey parsers into ValidationError, because anonymous visitors can post any value."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, struct.error) as error:
        raise ValidationError(INCORRECT, code="incorrect_code") from error


class PasskeyLoginForm(webauthn.LoginWebAuthnForm):
    """The form for a passkey without a password."""

    credential = _credential_field()

    def clean_credential(self) -> Authenticator:
        """Return the passkey, which identifies the account. Raises ValidationError."""
        with _parsing():
            return super().clean_credential()


class PasskeyForm(webauthn.AuthenticateWebAuthnForm):
    """The form for a passkey after the password."""

    credential = _credential_field()

    def clean_credential(self) -> Authenticator:
        """Return the passkey. Raises ValidationError."""
        with _parsing():
            return super().clean_credential()


class PasskeyAgainForm(PasskeyForm):
    """The form for a passkey as reauthentication."""

    reauthenticated = True


class NewPasskeyForm(webauthn.AddWebAuthnForm):
    """The form for a new passkey that the browser has created."""

    name = _name_field(required=False)
    credential = _credential_field()

    def clean(self) -> dict[str, Any]:
        """Verify the passkey."""
        with _parsing():
            return dict(super().clean())

    def clean_name(self) -> str:
        """Return the name, or a default one."""
        self.cleaned_data["name"] = text_clean(self.cleaned_data["name"])
        return str(super().clean_name())


class PasskeyNameForm(webauthn.EditWebAuthnForm):
    """The form for another name of a passkey."""

    name = _name_field(required=True)

    def clean_name(self) -> str:
        """Return the name for storage; an empty one keeps the old name."""
        return text_clean(self.cleaned_data["name"]) or str(self.instance.wrap().name)


QUESTION = "question"  # the field with which the button's script requests the challenge


class PasskeyQuestion:
    """A view of a passkey's form that also returns the challenge, to posts only."""

    def passkey_question(self) -> Mapping[str, Any] | None:
        """Return the challenge, or None without a passkey."""
        raise NotImplementedError

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the challenge if the post requests it, else handle the form."""
        if QUESTION not in request.POST:
            return super().post(request, *args, **kwargs)  # type: ignore[misc]  # the view's
        question = self.passkey_question()
        return HttpResponseBadRequest() if question is None else JsonResponse(question)
