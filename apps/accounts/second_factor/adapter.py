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
from allauth.mfa.base import forms as stock
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
        """Return what an authenticator app shows beside the address."""
        return "Parterre"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the site that passkeys belong to: always the public address."""
        return {"id": urlsplit(settings.PUBLIC_URL).hostname or "", "name": "Parterre"}

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 - allauth's name
        """Return a name for a passkey whose owner gave it none."""
        return f"Passkey {Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1}"

    def encrypt(self, text: str) -> str:
        """Return a secret encrypted, as it is stored: a copy of the database alone computes no codes."""
        return factor_keys().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a stored secret. Raises ValidationError when it was stored under another SECRET_KEY."""
        try:
            return factor_keys().decrypt(encrypted_text).decode()
        except InvalidToken as error:
            log.warning("a second factor was stored under another SECRET_KEY")
            raise self.validation_error("incorrect_code") from error


def factor_keys() -> MultiFernet:
    """Return the keys: they encrypt with the present SECRET_KEY and decrypt with its fallbacks too."""
    return MultiFernet([_fernet(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


@cache
def _fernet(secret: str) -> Fernet:
    key = salted_hmac("parterre.factors", "secrets", secret=secret, algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))


class CodeForm(stock.AuthenticateForm):
    """A code, asked after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].error_messages.update(CODE)


class CodeAgainForm(stock.ReauthenticateForm):
    """A code, asked before what matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].error_messages.update(CODE)


class FirstCodeForm(totp.ActivateTOTPForm):
    """The first code of an authenticator app; the form carries the app's secret, signed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.user = kwargs.pop("user")
        # skips allauth's own, which stores the secret in the session whenever the page is shown
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
    """A passkey's JSON object as the browser sends it; anything else is refused."""

    def to_python(self, value: Any) -> Any:
        """Return the object. Raises ValidationError."""
        try:
            found = super().to_python(value)
        except RecursionError:
            found = None
        if found is not None and not isinstance(found, dict):
            raise ValidationError(INCORRECT, code="incorrect_code")
        return found

    def bound_data(self, data: Any, initial: Any) -> Any:  # noqa: ARG002 - Django's signature
        """Return what was sent, without parsing it."""
        return data


def _credential_field() -> CredentialField:
    return CredentialField(widget=forms.HiddenInput, error_messages={"required": INCORRECT, "invalid": INCORRECT})


@contextmanager
def _parsing() -> Iterator[None]:
    """Turn errors of the passkeys' parsers into ValidationError: any stranger can send them anything."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, struct.error) as error:
        raise ValidationError(INCORRECT, code="incorrect_code") from error


class PasskeyLoginForm(webauthn.LoginWebAuthnForm):
    """A passkey and nothing else."""

    credential = _credential_field()

    def clean_credential(self) -> Authenticator:
        """Return whose passkey it is."""
        with _parsing():
            return super().clean_credential()


class PasskeyForm(webauthn.AuthenticateWebAuthnForm):
    """A passkey, asked after the password."""

    credential = _credential_field()

    def clean_credential(self) -> Authenticator:
        """Return the passkey."""
        with _parsing():
            return super().clean_credential()


class PasskeyAgainForm(PasskeyForm):
    """A passkey, asked before what matters."""

    reauthenticated = True


class NewPasskeyForm(webauthn.AddWebAuthnForm):
    """A passkey that the browser has made."""

    name = _name_field(required=False)
    credential = _credential_field()

    def clean(self) -> dict[str, Any]:
        """Verify the passkey."""
        with _parsing():
            return dict(super().clean())

    def clean_name(self) -> str:
        """Return the name, or one of ours."""
        self.cleaned_data["name"] = text_clean(self.cleaned_data["name"])
        return str(super().clean_name())


class PasskeyNameForm(webauthn.EditWebAuthnForm):
    """Another name for a passkey."""

    name = _name_field(required=True)

    def clean_name(self) -> str:
        """Return the name as it is stored."""
        return text_clean(self.cleaned_data["name"]) or str(self.instance.wrap().name)


QUESTION = "question"  # the field with which the button's script asks for the challenge


class PasskeyQuestion:
    """A view of a passkey's form that also returns the challenge, to posts only."""

    def passkey_question(self) -> Mapping[str, Any] | None:
        """Return the challenge, or None where there is no passkey."""
        raise NotImplementedError

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the challenge when it is asked for, else handle the form."""
        if QUESTION not in request.POST:
            return super().post(request, *args, **kwargs)  # type: ignore[misc]  # the view's
        question = self.passkey_question()
        return HttpResponseBadRequest() if question is None else JsonResponse(question)
