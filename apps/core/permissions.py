"""The one way to refuse."""

from django.core.exceptions import PermissionDenied


def require(allowed: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence where it is called
    """Raise PermissionDenied with `message`, a sentence for the person, unless `allowed`."""
    if not allowed:
        raise PermissionDenied(message)
