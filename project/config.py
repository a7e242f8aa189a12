"""The environment variables, read once here, so that settings, checks and the command line agree."""

import os
import secrets
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class Refusal(Exception):
    """Something that the person at the terminal has to put right; the message is a sentence that says what."""


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


ENDPOINTS = {
    "GOOGLE_AUTHORIZE_URL": "https://accounts.google.com/o/oauth2/v2/auth",
    "GOOGLE_TOKEN_URL": "https://oauth2.googleapis.com/token",
    "GOOGLE_ISSUER": "https://accounts.google.com",
    "GOOGLE_KEYS_URL": "https://www.googleapis.com/oauth2/v3/certs",
}
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Google:
    """This site's account at Google, if it has one, and Google's addresses."""

    client_id: str = ""
    client_secret: str = ""
    authorize_url: str = ENDPOINTS["GOOGLE_AUTHORIZE_URL"]
    token_url: str = ENDPOINTS["GOOGLE_TOKEN_URL"]
    issuer: str = ENDPOINTS["GOOGLE_ISSUER"]
    keys_url: str = ENDPOINTS["GOOGLE_KEYS_URL"]

    @property
    def is_there(self) -> bool:
        """Whether people can sign in with it."""
        return bool(self.client_id and self.client_secret)

    @property
    def origin(self) -> str:
        """Where the form of this site's button ends up, for the policy."""
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
    """Google as the environment names it; raises Refusal for an address over which secrets would travel open."""
    found = {name: os.environ.get(name) or otherwise for name, otherwise in ENDPOINTS.items()}
    for name, address in found.items():
        parts = urlsplit(address)
        if not parts.hostname or not (parts.scheme == "https" or parts.hostname in LOOPBACK):
            raise Refusal(f"{name} is {address!r}, but it must begin with https://.")
    return Google(os.environ.get("GOOGLE_CLIENT_ID", ""), os.environ.get("GOOGLE_CLIENT_SECRET", ""), *found.values())


ROOT = Path(__file__).resolve().parent.parent
LAST_PORT = 65_535


def env_file_load(path: Path) -> None:
    """Put the file's `NAME=value` lines into the environment; what is already set there wins."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        name, separator, value = line.strip().partition("=")
        if separator and not name.startswith("#"):
            os.environ.setdefault(name.strip(), value.strip().strip("\"'"))


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables that this project knows, with the values that are safe on one's own machine."""

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

    @property
    def public(self) -> SplitResult:
        """The public address in its parts."""
        return urlsplit(self.public_url)

    @property
    def on_loopback(self) -> bool:
        """Whether the site is only for this machine, over plain HTTP: then, and only then, cookies need no TLS."""
        return self.public.scheme == "http" and self.public.hostname in LOOPBACK


def flag(name: str) -> bool:
    """Whether this variable is switched on: `1`, `true`, `yes` or `on`."""
    return os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}


def words(name: str) -> tuple[str, ...]:
    """Return the parts of this variable between commas."""
    return tuple(word.strip() for word in os.environ.get(name, "").split(",") if word.strip())


def port_read() -> int:
    """Return the port from the environment, 8000 if none; raises Refusal when it is no port."""
    port = os.environ.get("PORT") or "8000"
    if not port.isdecimal() or not 0 < int(port) <= LAST_PORT:
        raise Refusal(f"PORT is {port!r}, but it must be a number from 1 to 65535.")
    return int(port)


def public_url_read(port: int) -> str:
    """Return the public address, an origin without a path; raises Refusal when it is something else."""
    address = (os.environ.get("PUBLIC_URL") or f"http://localhost:{port}").rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or f"{parts.scheme}://{parts.netloc}" != address:
        raise Refusal(f"PUBLIC_URL is {address!r}, but it must be an origin such as https://example.org.")
    return address


def amount_read(name: str, otherwise: str, unit: str) -> float:
    """Return the amount that this variable names; raises Refusal when it is no number."""
    text = os.environ.get(name) or otherwise
    try:
        return max(0.0, float(text))
    except ValueError as error:
        raise Refusal(f"{name} is {text!r}, but it must be a number of {unit}.") from error


def log_format_read() -> str:
    """Return how the log is written; raises Refusal for a form that nobody knows."""
    name = os.environ.get("LOG_FORMAT") or "text"
    if name not in {"text", "json"}:
        raise Refusal(f"LOG_FORMAT is {name!r}, but it must be text or json.")
    return name


def zone_read() -> str:
    """Return the name of the venue's time zone; raises Refusal when nobody knows it."""
    name = os.environ.get("VENUE_TIME_ZONE") or "Europe/Warsaw"
    try:
        return ZoneInfo(name).key
    except (ValueError, ZoneInfoNotFoundError, OSError) as error:
        raise Refusal(f"VENUE_TIME_ZONE is {name!r}, but it must be a name such as Europe/Warsaw.") from error


def venue_addresses_read() -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the addresses behind which a whole hall sits; raises Refusal when one is no address."""
    try:
        return tuple(ip_network(text) for text in words("VENUE_ADDRESSES"))
    except ValueError as error:
        raise Refusal(f"VENUE_ADDRESSES must be addresses such as 192.0.2.7 or 192.0.2.0/24: {error}.") from error


def bus_url_read() -> str:
    """Return Valkey's address, empty where PostgreSQL alone announces changes; raises Refusal without repeating it."""
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
    """Whether administrators need a second factor: always on a public site, unless the environment says otherwise."""
    if os.environ.get("MFA_REQUIRED_FOR_ADMINISTRATORS"):
        return flag("MFA_REQUIRED_FOR_ADMINISTRATORS")
    return not (flag("DEBUG") or urlsplit(public_url).hostname in LOOPBACK)


def environment_read() -> Environment:
    """Return the environment as it is now; raises Refusal when a variable cannot be understood."""
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
    )


def database_parameters(address: str, variable: str = "DATABASE_URL") -> dict[str, Any]:
    """Django's settings for `postgresql://user:password@host:port/name?sslmode=require`.

    Raises Refusal that names the variable without repeating the address, which holds a password.
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


def key_file_read(file: Path) -> str:
    """Return the key in this file, which is made, readable by its owner only, when it is missing."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as fresh:
            fresh.write(secrets.token_urlsafe(64))
        # Of two processes that start together the first to link wins, and both read its key.
        with suppress(FileExistsError):
            os.link(name, file)
        Path(name).unlink()
    return file.read_text(encoding="utf-8").strip()


def secret_key(environment: Environment) -> str:
    """Return the site's secret key; empty for a public site that was given none, which the checks refuse."""
    if environment.secret_key or not environment.on_loopback:
        return environment.secret_key
    return key_file_read(environment.data / "secret-key")
