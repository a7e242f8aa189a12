"""Base64 in the alphabet of addresses, without padding, as browsers and push services write keys."""

import base64
import binascii


def encoded(content: bytes) -> str:
    """Return the bytes as text."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Return the bytes of this text, with or without its padding; empty for any other text."""
    bare = text.rstrip("=")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return b""
