"""Reads the environment variables, once for settings, checks and the command line."""

import os
import secrets
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class Refusal(Exception):
    """An error that the operator must correct; the message is a sentence for the terminal."""


PORTS = {"starttls": 587, "tls": 465, "none": 25}


@dataclass(frozen=True, slots=True)
class MailServer:
    """Django's mail backend and its server. The backends `console` and `filebased` need no server."""

    backend: str = "console"
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False
    folder: str = ""


def mail_server(address: str) -> MailServer:
    """Return the mail server of this URL, or the console for an empty one.

    Raises Refusal without repeating the URL, which may contain a password.
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


ENDPOINTS = {
    "GOOGLE_AUTHORIZE_URL": "https://accounts.google.com/o/oauth2/v2/auth",
    "GOOGLE_TOKEN_URL": "https://oauth2.googleapis.com/token",
    "GOOGLE_ISSUER": "https://accounts.google.com",
    "GOOGLE_KEYS_URL": "https://www.googleapis.com/oauth2/v3/certs",
}
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Google:
    """The OAuth client of this site at Google, if there is one, and Google's URLs."""

    client_id: str = ""
    client_secret: str = ""
    authorize_url: str = ENDPOINTS["GOOGLE_AUTHORIZE_URL"]
    token_url: str = ENDPOINTS["GOOGLE_TOKEN_URL"]
    issuer: str = ENDPOINTS["GOOGLE_ISSUER"]
    keys_url: str = ENDPOINTS["GOOGLE_KEYS_URL"]

    @property
    def is_there(self) -> bool:
        """Whether signing in with Google is configured."""
        return bool(self.client_id and self.client_secret)

    @property
    def origin(self) -> str:
        """The origin of Google's sign-in page, for `form-action` in the Content-Security-Policy."""
        parts = urlsplit(self.authorize_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def provider(self) -> dict[str, Any]:
        """The settings of allauth's provider."""
        app = {"client_id": self.client_id, "secret": self.client_secret}
        return {
            "APPS": [app] if self.is_there else [],
            "SCOPE": ["openid", "profile", "email"],
            "AUTH_PARAMS": {"prompt": "select_account"},
            "OAUTH_PKCE_ENABLED": True,
        }


def google_read() -> Google:
    """Return Google's configuration. Raises Refusal for a URL that would send secrets unencrypted."""
    urls = {name: os.environ.get(name) or otherwise for name, otherwise in ENDPOINTS.items()}
    for name, address in urls.items():
        parts = urlsplit(address)
        if not parts.hostname or not (parts.scheme == "https" or parts.hostname in LOOPBACK):
            raise Refusal(f"{name} is {address!r}, but it must begin with https://.")
    return Google(os.environ.get("GOOGLE_CLIENT_ID", ""), os.environ.get("GOOGLE_CLIENT_SECRET", ""), *urls.values())


ROOT = Path(__file__).resolve().parent.parent
LAST_PORT = 65_535


def env_file_load(path: Path) -> None:
    """Set environment variables from the file's `NAME=value` lines, unless they are set already."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        name, separator, value = line.strip().partition("=")
        if separator and not name.startswith("#"):
            os.environ.setdefault(name.strip(), value.strip().strip("\"'"))


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment variables of this project; the defaults are safe on a developer's machine."""

    data: Path
    port: int
    interface: str
    public_url: str
    database_url: str
    database_direct_url: str
    database_replica_url: str
    owner_database_url: str
    bus_url: str
    secret_key: str
    secret_key_fallbacks: tuple[str, ...]
    allowed_hosts: tuple[str, ...]
    debug: bool
    venue_time_zone: str
    demo: bool
    demo_alive: bool
    drain_seconds: float
    venue_addresses: tuple[IPv4Network | IPv6Network, ...]
    behind_proxy: bool
    metrics_token: str
    log_format: str
    memory_limit_mb: float
    mail: "MailServer"
    mail_from: str
    google: Google
    administrators_need_factor: bool
    reports_hide_at: int
    operator_name: str
    contact_email: str
    push_private_key: str
    push_contact: str

    @property
    def public(self) -> SplitResult:
        """The public URL, split into its parts."""
        return urlsplit(self.public_url)

    @property
    def on_loopback(self) -> bool:
        """Whether the site serves only this machine, over plain HTTP. Only then do cookies need no TLS."""
        return self.public.scheme == "http" and self.public.hostname in LOOPBACK


def flag(name: str) -> bool:
    """Whether this variable is `1`, `true`, `yes` or `on`."""
    return os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}


def words(name: str) -> tuple[str, ...]:
    """Return the comma-separated values of this variable."""
    return tuple(word.strip() for word in os.environ.get(name, "").split(",") if word.strip())


def port_read() -> int:
    """Return the port, by default 8000. Raises Refusal unless it is a number from 1 to 65535."""
    port = os.environ.get("PORT") or "8000"
    if not port.isdecimal() or not 0 < int(port) <= LAST_PORT:
        raise Refusal(f"PORT is {port!r}, but it must be a number from 1 to 65535.")
    return int(port)


def public_url_read(port: int) -> str:
    """Return the public URL, an origin without a path. Raises Refusal for anything else."""
    address = (os.environ.get("PUBLIC_URL") or f"http://localhost:{port}").rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or f"{parts.scheme}://{parts.netloc}" != address:
        raise Refusal(f"PUBLIC_URL is {address!r}, but it must be an origin such as https://example.org.")
    return address


def amount_read(name: str, otherwise: str, unit: str) -> float:
    """Return the number in this variable, at least 0. Raises Refusal if it is not a number."""
    text = os.environ.get(name) or otherwise
    try:
        return max(0.0, float(text))
    except ValueError as error:
        raise Refusal(f"{name} is {text!r}, but it must be a number of {unit}.") from error


def log_format_read() -> str:
    """Return the log format, `text` or `json`. Raises Refusal for any other."""
    name = os.environ.get("LOG_FORMAT") or "text"
    if name not in {"text", "json"}:
        raise Refusal(f"LOG_FORMAT is {name!r}, but it must be text or json.")
    return name


def zone_read() -> str:
    """Return the name of the venue's time zone. Raises Refusal if it is unknown."""
    name = os.environ.get("VENUE_TIME_ZONE") or "Europe/Warsaw"
    try:
        return ZoneInfo(name).key
    except (ValueError, ZoneInfoNotFoundError, OSError) as error:
        raise Refusal(f"VENUE_TIME_ZONE is {name!r}, but it must be a name such as Europe/Warsaw.") from error


def venue_addresses_read() -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks that a whole audience shares. Raises Refusal for an invalid address."""
    try:
        return tuple(ip_network(text) for text in words("VENUE_ADDRESSES"))
    except ValueError as error:
        raise Refusal(f"VENUE_ADDRESSES must be addresses such as 192.0.2.7 or 192.0.2.0/24: {error}.") from error


def bus_url_read() -> str:
    """Return Valkey's URL, empty if PostgreSQL alone announces changes. Raises Refusal without repeating the URL."""
    address = os.environ.get("BUS_URL", "")
    try:
        parts = urlsplit(address)
        is_known = parts.scheme in {"redis", "rediss"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_known = False
    if address and not is_known:
        raise Refusal("BUS_URL must look like redis://:password@host:6379/0, or rediss:// over TLS.")
    if address and not find_spec("channels_redis"):
        raise Refusal("BUS_URL is set, but its packages are not installed: `make build MANY=1` does it.")
    return address


def administrators_need_factor_read(public_url: str) -> bool:
    """Whether administrators need a second factor: by default only on a public site without DEBUG."""
    if os.environ.get("MFA_REQUIRED_FOR_ADMINISTRATORS"):
        return flag("MFA_REQUIRED_FOR_ADMINISTRATORS")
    return not (flag("DEBUG") or urlsplit(public_url).hostname in LOOPBACK)


def push_private_key_read() -> str:
    """Return the private key of push messages, empty without one. Raises Refusal without repeating the key."""
    text = os.environ.get("PUSH_PRIVATE_KEY", "").strip()
    if not text:
        return ""
    from apps.notifications.push.site_key import is_push_key  # noqa: PLC0415 - the embedded server needs no app

    if not is_push_key(text):
        raise Refusal("PUSH_PRIVATE_KEY must be a key as `manage.py push_keys` prints it.")
    return text


def push_contact_read() -> str:
    """Return the address at which push services may write to the operator. Raises Refusal for any other text."""
    text = os.environ.get("PUSH_CONTACT", "").strip()
    if text and not (text.startswith("https://") or (text.startswith("mailto:") and "@" in text)):
        raise Refusal(
            f"PUSH_CONTACT is {text!r}, but it must look like mailto:push@example.org or https://example.org."
        )
    return text


def environment_read() -> Environment:
    """Return the current environment. Raises Refusal when a variable is invalid."""
    port = port_read()
    return Environment(
        data=Path(os.environ.get("PARTERRE_DATA") or ROOT / ".data").absolute(),
        port=port,
        interface=os.environ.get("INTERFACE") or "127.0.0.1",
        public_url=public_url_read(port),
        database_url=os.environ.get("DATABASE_URL", ""),
        database_direct_url=os.environ.get("DATABASE_DIRECT_URL", ""),
        database_replica_url=os.environ.get("DATABASE_REPLICA_URL", ""),
        owner_database_url=os.environ.get("OWNER_DATABASE_URL", ""),
        bus_url=bus_url_read(),
        secret_key=os.environ.get("SECRET_KEY", ""),
        secret_key_fallbacks=words("SECRET_KEY_FALLBACKS"),
        allowed_hosts=words("ALLOWED_HOSTS"),
        debug=flag("DEBUG"),
        venue_time_zone=zone_read(),
        demo=flag("DEMO"),
        demo_alive=os.environ.get("DEMO_ALIVE", "").lower() not in {"0", "false", "no", "off"},
        drain_seconds=amount_read("DRAIN_SECONDS", "5", "seconds"),
        venue_addresses=venue_addresses_read(),
        behind_proxy=flag("BEHIND_PROXY"),
        metrics_token=os.environ.get("METRICS_TOKEN", ""),
        log_format=log_format_read(),
        memory_limit_mb=amount_read("MEMORY_LIMIT_MB", "0", "megabytes"),
        mail=mail_server(os.environ.get("EMAIL_URL", "")),
        mail_from=os.environ.get("MAIL_FROM", ""),
        google=google_read(),
        administrators_need_factor=administrators_need_factor_read(public_url_read(port)),
        reports_hide_at=int(amount_read("REPORTS_HIDE_AT", "3", "reports")),
        operator_name=os.environ.get("OPERATOR_NAME", "").strip(),
        contact_email=os.environ.get("CONTACT_EMAIL", "").strip(),
        push_private_key=push_private_key_read(),
        push_contact=push_contact_read(),
    )


def database_parameters(address: str, variable: str = "DATABASE_URL") -> dict[str, Any]:
    """Return Django's settings for `postgresql://user:password@host:port/name?sslmode=require`.

    Raises Refusal that names the variable without repeating the URL, which may contain a password.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not name:
        raise Refusal(f"{variable} must look like postgresql://user:password@host:5432/name.")
    options = dict(parse_qsl(parts.query))
    return {
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "OPTIONS": options,
    }


env_file_load(ROOT / ".env")


def _any_key() -> str:
    return secrets.token_urlsafe(64)


def key_file_read(file: Path, create: Callable[[], str] = _any_key) -> str:
    """Return the key in this file. Creates the file if it is missing, readable only by its owner."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as fresh:
            fresh.write(create())
        # If two processes start together, the first link wins, and both read the same key.
        with suppress(FileExistsError):
            os.link(name, file)
        Path(name).unlink()
    return file.read_text(encoding="utf-8").strip()


def secret_key(environment: Environment) -> str:
    """Return the site's secret key. It is empty for a public site without SECRET_KEY, which the checks refuse."""
    if environment.secret_key or not environment.on_loopback:
        return environment.secret_key
    return key_file_read(environment.data / "secret-key")


def push_private_key(environment: Environment) -> str:
    """Return the private key of push messages; empty for a public site without PUSH_PRIVATE_KEY, which offers none."""
    if environment.push_private_key or not environment.on_loopback:
        return environment.push_private_key
    from apps.notifications.push.site_key import push_key_create  # noqa: PLC0415 - as above

    return key_file_read(environment.data / "push-key", push_key_create)


def push_contact(environment: Environment) -> str:
    """Return the address of the operator for push services: Apple's refuses messages without one that exists."""
    if environment.push_contact:
        return environment.push_contact
    if environment.contact_email:
        return f"mailto:{environment.contact_email}"
    return environment.public_url if environment.public.scheme == "https" else "mailto:push@localhost"
