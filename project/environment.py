"""What the environment says: read once here, so that settings, checks and the command line agree."""

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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
    public_url: str
    database_url: str
    secret_key: str
    allowed_hosts: tuple[str, ...]
    debug: bool
    venue_time_zone: str
    demo: bool


def flag(name: str, *, default: bool = False) -> bool:
    """Whether this variable is switched on: `1`, `true`, `yes` or `on`."""
    value = os.environ.get(name, "")
    return value.lower() in {"1", "true", "yes", "on"} if value else default


def environment_read() -> Environment:
    """The environment as it is now; raises ValueError with a plain sentence when a variable cannot be read."""
    port = os.environ.get("PORT") or "8000"
    if not port.isdigit() or not 0 < int(port) < 65_536:
        raise ValueError(f"PORT is {port!r}, but it must be a number from 1 to 65535.")
    return Environment(
        data=Path(os.environ.get("PARTERRE_DATA") or ROOT / ".data").absolute(),
        port=int(port),
        public_url=(os.environ.get("PUBLIC_URL") or f"http://localhost:{port}").rstrip("/"),
        database_url=os.environ.get("DATABASE_URL", ""),
        secret_key=os.environ.get("SECRET_KEY", ""),
        allowed_hosts=tuple(name.strip() for name in os.environ.get("ALLOWED_HOSTS", "").split(",") if name.strip()),
        debug=flag("DEBUG"),
        venue_time_zone=os.environ.get("VENUE_TIME_ZONE") or "Europe/Warsaw",
        demo=flag("DEMO"),
    )


env_file_load(ROOT / ".env")
