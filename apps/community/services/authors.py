"""Who writes, one thing at a time, and how fast."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256

from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import Actor, Viewer
from apps.accounts.selectors.account_status import member_for
from apps.accounts.services.account_lock import account_lock
from apps.community.limits import NEW_FOR, NEW_LINKS, SAME_TEXT
from apps.core.limits import RateLimit
from apps.core.rate_limits import rate_limit_take, wait_params
from apps.core.text_rules.text_cleaning import text_clean
from apps.core.text_rules.text_links import links

_TOO_MANY_LINKS = "A new account can write two links in one text. Please leave some out, or try again in %(hours)d h."
_DIGITS = 32  # of a text's digest


@dataclass(frozen=True, slots=True)
class Author:
    """An account that writes, and for how long it has been there."""

    id: int
    membership: timedelta

    @property
    def is_new(self) -> bool:
        """Whether it has signed up so lately that it may do less."""
        return self.membership < NEW_FOR


def author_require(actor: Actor, message: str) -> Author:
    """Return the active account that acts; nobody else acts for it until the transaction ends.

    Raises PermissionDenied with `message` for strangers, for accounts that are inactive or gone, and for operators, who
    have nothing to say.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    membership = member_for(user_id=user_id) if account_lock(user_id=user_id) else None
    if user_id is None or membership is None:
        raise PermissionDenied(message)
    return Author(user_id, membership)


def text_require(content: str, *, longest: int, too_long: str) -> str:
    """Return a text as it is stored; raises ValidationError at `content` where it says nothing, or too much."""
    text = text_clean(content)
    if not text:
        raise ValidationError({"content": "Please write something first."})
    if len(text) > longest:
        raise ValidationError({"content": too_long})
    return text


def text_limits_take(author: Author, text: str, limits: Sequence[RateLimit]) -> None:
    """Count that `author` writes `text`, in all of `limits` or in none.

    Raises ValidationError, which says when to try again, for whoever is too fast, repeats what was just written, or is
    new and writes too many links.
    """
    if author.is_new and links(text) > NEW_LINKS:
        params = wait_params((NEW_FOR - author.membership).total_seconds())
        raise ValidationError({"content": ValidationError(_TOO_MANY_LINKS, params=params)})
    for limit in (*limits, _same_text(text)):
        rate_limit_take(limit, account_id=author.id)


def _same_text(text: str) -> RateLimit:
    """Return the limit on this very text: that it was deleted since does not make it another one."""
    digest = sha256(text.encode()).hexdigest()[:_DIGITS]
    return replace(SAME_TEXT, name=f"{SAME_TEXT.name}.{digest}")
