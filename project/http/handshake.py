"""The handshake of a socket: the page in its address, and the versions of parts that its browser has already."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from apps.accounts.actors import Viewer
from components.rendering.browser_half import is_outdated

SOCKET = "parterre.socket"  # the extension of a scope that holds the server's side of the socket
PROTOCOL = "2"  # of frames; a browser that speaks another is refused, and loads its page anew in its own time
# The picture of a page of forms: its socket shows nothing.
NOTHING: dict[str, Any] = {"type": "layout-update", "path": "", "model": {"tagName": ""}}


@dataclass(frozen=True, slots=True)
class Handshake:
    """What a socket asks for; `viewer_state` comes from pages of forms, whose sockets say only when it has changed."""

    is_understood: bool  # whether its frames are of our protocol
    is_outdated: bool  # whether its browser half is of a version before
    path: str  # with its query
    versions: Mapping[str, str]  # versions of parts, by key
    is_reconnect: bool  # whether sockets of this window were lost before
    viewer_state: str

    @classmethod
    def of(cls, query_string: bytes) -> "Handshake":
        """Return what the query string of a socket's address asks for."""
        values = {name: items[0] for name, items in parse_qs(query_string.decode("ascii", "replace")).items()}
        return cls(
            is_understood=values.get("protocol", PROTOCOL) == PROTOCOL,
            is_outdated=is_outdated(values.get("half", "")),
            path=values.get("path", "/") + values.get("query", ""),
            versions=versions_of(values.get("versions", "")),
            is_reconnect=values.get("attempt", "0") != "0",
            viewer_state=values.get("viewer_state", ""),
        )


def versions_of(text: str) -> dict[str, str]:
    """Return the versions of parts that a browser names as `key~version,…`, by key."""
    return dict(pair.rsplit("~", 1) for pair in text.split(",") if "~" in pair)


def viewer_state(viewer: Viewer) -> str:
    """Return the viewer and their rights as a text, which a form page's socket repeats; empty for a stranger."""
    return f"{viewer.id}-{viewer.is_admin:d}{viewer.lacks_factor:d}" if viewer.is_signed_in else ""
