"""Checks before the site serves; each finding is a sentence for the operator."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register, run_checks  # noqa: A004 - Django's name
from django.db import DEFAULT_DB_ALIAS
from django.http.request import validate_host

from project.config import LOOPBACK, Environment, Refusal
from project.database.parameters import database_require, owner_connection_parameters
from project.database.releases import release_findings
from project.database.roles import serving_role

SHORTEST_KEY = 32
# Packages that a process imports when it first uses them (ADR 8). Without one the process must not start.
ON_FIRST_USE = (
    *("PIL", "aiohttp", "charset_normalizer", "cryptography", "fido2", "icalendar", "jwt", "lxml", "numpy", "openpyxl"),
    *("py_vapid", "pywebpush", "qrcode", "requests"),
)


@register
def settings_check(**_: Any) -> list[CheckMessage]:
    """Return the findings about this process's settings."""
    environment: Environment = settings.ENVIRONMENT
    return [
        *key_findings(environment),
        *pooler_findings(),
        *debug_findings(environment),
        *cookie_findings(environment),
        *host_findings(environment),
        *proxy_findings(environment),
        *mail_findings(environment),
    ]


@register
def packages_check(**_: Any) -> list[CheckMessage]:
    """Return a finding for each package that is missing although a process needs it later."""
    return [
        Error(f"The package {name} is missing. Install the packages of requirements.txt.", id="parterre.E010")
        for name in ON_FIRST_USE
        if find_spec(name) is None
    ]


@register(Tags.database)
def release_check(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Return a finding if the database is too old for the migrations of this version; `manage.py migrate` runs it."""
    if DEFAULT_DB_ALIAS not in (databases or ()):
        return []
    return [Error(sentence, id="parterre.E009") for sentence in release_findings()]


def key_findings(environment: Environment) -> list[CheckMessage]:
    """Return a finding unless a public site has its own secret key of sufficient length."""
    if environment.on_loopback:
        return []
    if not environment.secret_key:
        return [Error("SECRET_KEY is missing. A public site needs its own; see .env.example.", id="parterre.E001")]
    if len(environment.secret_key) < SHORTEST_KEY:
        return [Error(f"SECRET_KEY is too short. It needs {SHORTEST_KEY} characters or more.", id="parterre.E002")]
    if any(len(key) < SHORTEST_KEY for key in environment.secret_key_fallbacks):
        text = f"SECRET_KEY_FALLBACKS has a key that is too short. Each needs {SHORTEST_KEY} characters or more."
        return [Error(text, id="parterre.E002")]
    return []


def pooler_findings() -> list[CheckMessage]:
    """Return a finding if a pooler is configured without the server's own URL, or with another role."""
    names = {settings.SITE_DATABASE["USER"], settings.DIRECT_DATABASE["USER"]}
    if not settings.POOLED or (settings.ENVIRONMENT.database_url and len(names) == 1):
        return []
    return [
        Error(
            "DATABASE_DIRECT_URL and DATABASE_URL must name one role: the server itself, and the pooler before it.",
            id="parterre.E008",
        )
    ]


def debug_findings(environment: Environment) -> list[CheckMessage]:
    """Return a finding if a public site has DEBUG, which shows source code in error pages."""
    public = {environment.public.hostname or "", *environment.allowed_hosts} - LOOPBACK
    if settings.DEBUG and public:
        names = ", ".join(sorted(public))
        return [Error(f"DEBUG is on, but the site is public ({names}). Switch DEBUG off.", id="parterre.E003")]
    return []


def cookie_findings(environment: Environment) -> list[CheckMessage]:
    """Return a finding unless a public site sends its cookies by HTTPS only."""
    if environment.on_loopback:
        return []
    if environment.public.scheme != "https":
        return [
            Error(
                f"PUBLIC_URL is {environment.public_url}, over which cookies would travel unprotected. Use https.",
                id="parterre.E004",
            )
        ]
    if not (settings.SESSION_COOKIE_SECURE and settings.CSRF_COOKIE_SECURE):
        return [Error("The cookies of a public site must be Secure, and they are not.", id="parterre.E005")]
    return []


def host_findings(environment: Environment) -> list[CheckMessage]:
    """Return a finding unless ALLOWED_HOSTS allows the host of PUBLIC_URL."""
    host = environment.public.hostname or ""
    if validate_host(host, settings.ALLOWED_HOSTS):
        return []
    names = ", ".join(settings.ALLOWED_HOSTS)
    return [
        Error(f"PUBLIC_URL names the host {host}, but ALLOWED_HOSTS only allows {names}. Add it.", id="parterre.E006")
    ]


def proxy_findings(environment: Environment) -> list[CheckMessage]:
    """Return a finding if a public site ignores its proxy, so that all users would count as one client."""
    if environment.public.scheme != "https" or environment.behind_proxy:
        return []
    return [
        Error(
            f"PUBLIC_URL is {environment.public_url}, which a proxy serves, but BEHIND_PROXY is off: everybody would "
            "count as one client. Set BEHIND_PROXY=1 and let the proxy overwrite X-Real-IP.",
            id="parterre.E007",
        )
    ]


def mail_findings(environment: Environment) -> list[CheckMessage]:
    """Return a warning if a public site has no mail server, so that users cannot confirm their addresses."""
    if environment.on_loopback or environment.mail.backend == "smtp":
        return []
    return [Warning("EMAIL_URL is missing: nobody gets the mails that signing up needs.", id="parterre.W001")]


def findings_refuse(findings: list[CheckMessage]) -> None:
    """Raise Refusal with the sentences of all serious findings."""
    serious = [str(finding.msg) for finding in findings if finding.is_serious()]
    if serious:
        raise Refusal("\n".join(serious))


def settings_require() -> None:
    """Raise Refusal unless the settings are safe. Needs neither applications nor a database."""
    findings_refuse(settings_check())


def site_require() -> None:
    """Raise Refusal unless all checks of Django and of this project pass, including the database's."""
    findings_refuse(run_checks())
    database_require(owner_connection_parameters(), "OWNER_DATABASE_URL" if serving_role() else "DATABASE_URL")


def release_require() -> None:
    """Raise Refusal if the database is too old for the migrations of this version."""
    findings_refuse(release_check([DEFAULT_DB_ALIAS]))
