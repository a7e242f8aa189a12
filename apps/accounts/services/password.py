"""A new password, from the profile or by a mailed link."""

from functools import partial

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.events import AccountChanged
from apps.accounts.mail.one_time_links import PASSWORD_RESET, REGISTERED_BROWSER, SIGN_IN, link_use, links_forget
from apps.accounts.models import AuthSession, User
from apps.core.events import publish
from apps.core.observability.security_log import security_event

BAD_TOKEN = "Failed to verify reset token. Please request a new password reset."  # noqa: S105 - words, no password


@transaction.atomic
def password_set(*, account_id: int, encoded: str, keep: str = "", link: str = "") -> User:
    """Store a new password and end every session but the one with the handle `keep`; returns the account.

    `encoded` is the result of `make_password`, called before any transaction, since hashing takes long. `link` is the
    key of a mailed link that allows it; all links to a new password are deleted. The caller has checked who asks and
    the password's rules, and updates the session that stays (`update_session_auth_hash`).

    Before the address is confirmed, another person may have registered the account: then every other way to sign in is
    deleted. Raises User.DoesNotExist, ValidationError when the link no longer works.
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
