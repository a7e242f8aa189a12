"""The mail server that EMAIL_URL names."""

from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from project.config.errors import Refusal

PORTS = {"starttls": 587, "tls": 465, "none": 25}


@dataclass(frozen=True, slots=True)
class MailServer:
    """Django's mail backend and where it takes mails to; `terminal` and `folder` need no server."""

    backend: str = "console"
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False
    folder: str = ""


def mail_server(address: str) -> MailServer:
    """Return the server that this address names; the terminal when it is empty.

    Raises Refusal without repeating the address, which holds a password.
    """
    if not address:
        return MailServer()
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme == "file" and parts.path:
        return MailServer("filebased", folder=unquote(parts.path))
    guard = "tls" if parts.scheme == "smtps" else parse_qs(parts.query).get("tls", ["starttls"])[0]
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or guard not in PORTS:
        raise Refusal("EMAIL_URL must look like smtp://user:password@host:587?tls=starttls or file:///folder.")
    return MailServer(
        "smtp",
        host=parts.hostname,
        port=port or PORTS[guard],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=guard == "starttls",
        tls=guard == "tls",
    )
