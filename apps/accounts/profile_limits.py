"""How often somebody may try on the profile."""

from apps.accounts.limits import HOUR, MINUTE, Limit
from apps.accounts.sign_in.rate_limits import Counter

PROFILE = Limit("profile", 30, HOUR)  # every change of a name is read again by whoever shows it
CONFIRMATION = Limit("confirmation", 5, 5 * MINUTE)  # of one's password
FIRST_FACTOR = Limit("first-factor", 3, HOUR)  # mails with a link


def profile_attempt(*, account_id: int) -> None:
    """Count a change of one's own profile. Raises TooMany."""
    Counter(PROFILE, str(account_id)).take()


def confirmation_attempt(*, account_id: int) -> None:
    """Count a password that is to confirm something. Raises TooMany."""
    Counter(CONFIRMATION, str(account_id)).take()


def first_factor_attempt(*, account_id: int) -> None:
    """Count a wish for a link with which a first second factor may be set up. Raises TooMany."""
    Counter(FIRST_FACTOR, str(account_id)).take()
