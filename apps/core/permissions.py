"""Permission check that all services use."""

from django.core.exceptions import PermissionDenied

from apps.core.observability import security_count


def require(is_allowed: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence at the call
    """Raise PermissionDenied with `message`, a sentence for the user, unless `is_allowed`. Refusals are counted."""
    if not is_allowed:
        security_count("refused", reason=message)
        raise PermissionDenied(message)
