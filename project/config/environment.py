"""The environment variables, read once here, so that settings, checks and the command line agree."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from project.config.email import MailServer, mail_server
from project.config.errors import Refusal
from project.config.google import Google, google_read

__all__ = ["Refusal"]
ROOT = Path(__file__).resolve().parent.parent.parent
LAST_PORT = 65_535
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


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
