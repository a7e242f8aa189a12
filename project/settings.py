"""Settings: everything comes from the environment or has a safe value for one's own machine."""

import sys
from typing import Any

from project import embedded
from project.environment import ROOT, database_parameters, environment_read
from project.keys import secret_key

ENVIRONMENT = environment_read()
DATA = ENVIRONMENT.data
DEBUG = ENVIRONMENT.debug
SECRET_KEY = secret_key(ENVIRONMENT)

# The one address of the site: the exact origin of its sockets, its canonical links, its mail.
PUBLIC_URL = ENVIRONMENT.public_url
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts or {ENVIRONMENT.public.hostname or "", "localhost", "127.0.0.1"})
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "apps.core",
    "apps.accounts",
    "apps.competition",
    "apps.news",
    "components",
    "project",
]
# For forms and sign-in only: page views and static files are answered before them (project/asgi.py).
MIDDLEWARE = [
    "project.middleware.secured",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "project.urls"
ASGI_APPLICATION = "project.asgi.application"
APPEND_SLASH = False
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

# The pool is as large as the executor that uses it; who waits longer than this is told to try again.
POOL = {"min_size": 2, "max_size": 8, "timeout": 3}
# Milliseconds; a migration may take as long as it needs, but never queues for a lock.
TIMEOUTS = {"statement_timeout": 5_000, "idle_in_transaction_session_timeout": 15_000, "transaction_timeout": 20_000}
MIGRATION_TIMEOUTS = {"lock_timeout": 2_000}
MIGRATING = sys.argv[1:2] == ["migrate"]


def database() -> dict[str, Any]:
    """The one database: the server that DATABASE_URL names, or the embedded one."""
    if ENVIRONMENT.database_url:
        parameters = database_parameters(ENVIRONMENT.database_url)
    else:
        sockets = str(embedded.socket_folder(DATA))
        parameters = {"NAME": embedded.DATABASE, "USER": embedded.USER, "HOST": sockets, "OPTIONS": {}}
    limits = MIGRATION_TIMEOUTS if MIGRATING else TIMEOUTS
    options = {"pool": POOL, "options": " ".join(f"-c {name}={value}" for name, value in limits.items())}
    return {"ENGINE": "django.db.backends.postgresql", **parameters, "OPTIONS": {**options, **parameters["OPTIONS"]}}


DATABASES = {"default": database()}

SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not ENVIRONMENT.on_loopback
# A browser takes a cookie of such a name only with Secure, for the whole site, from this very host.
PREFIX = "__Host-" if SESSION_COOKIE_SECURE else ""
SESSION_COOKIE_NAME = f"{PREFIX}session"
CSRF_COOKIE_NAME = f"{PREFIX}csrf"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# Django's own "same-origin" stops the embedded player with error 153.
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_HSTS_SECONDS = 0 if ENVIRONMENT.on_loopback else 2 * 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = not ENVIRONMENT.on_loopback
SECURE_PROXY_SSL_HEADER = None if ENVIRONMENT.on_loopback else ("HTTP_X_FORWARDED_PROTO", "https")

# Bounds of sockets stand in project/limits.py.
DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536
DRAIN_SECONDS = ENVIRONMENT.drain_seconds  # a stop closes sockets over this time, so that they do not return at once
VENUE_ADDRESSES = ENVIRONMENT.venue_addresses
BEHIND_PROXY = ENVIRONMENT.behind_proxy  # then, and only then, X-Real-IP is believed

# Watching (docs/operations.md).
METRICS_TOKEN = ENVIRONMENT.metrics_token  # with it, /metrics may be read from another machine
LOOP_BLOCKED_SECONDS = 1.0  # an event loop that stands still for so long is written down
LOOP_DEAD_SECONDS = 10.0  # and for so long ends the process
MEMORY_LIMIT_MB = ENVIRONMENT.memory_limit_mb  # at four fifths of it the process drains itself; 0: never

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
VENUE_TIME_ZONE = ENVIRONMENT.venue_time_zone

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [ROOT / "components" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"text": {"()": "project.logs.Text"}, "json": {"()": "project.logs.Json"}},
    "handlers": {
        "stderr": {"class": "project.logs.Stderr", "formatter": ENVIRONMENT.log_format},
        "errors": {"class": "apps.core.log.ErrorLogHandler", "level": "ERROR"},
    },
    "root": {"handlers": ["stderr", "errors"], "level": "INFO"},
    "loggers": {
        **{name: {"level": "WARNING"} for name in ("daphne", "asyncio", "httpx", "django.channels")},
        # Whoever sends a wrong Host gets 400; strangers must not be able to fill the error log.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
