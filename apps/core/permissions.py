"""The one way to refuse."""

from django.core.exceptions import PermissionDenied

from apps.core.observability import security_count


def require(is_allowed: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence where it is called
    """Raise PermissionDenied with `message`, a sentence for the person, unless `allowed`."""
    if not is_allowed:
        security_count("refused", reason=message)
        raise PermissionDenied(message)
