"""Settings: everything comes from the environment or has a safe value for one's own machine."""

import sys
from typing import Any

from apps.accounts.limits import ALLAUTH, ALLAUTH_MFA
from project.config import ROOT, database_parameters, environment_read, secret_key
from project.database import embedded
from project.limits.rates import PART_LOCK_WAIT, PART_THREADS

ENVIRONMENT = environment_read()
DATA = ENVIRONMENT.data
DEBUG = ENVIRONMENT.debug
SECRET_KEY = secret_key(ENVIRONMENT)
SECRET_KEY_FALLBACKS = list(ENVIRONMENT.secret_key_fallbacks)  # what they signed or encrypted is still read

# The one address of the site: the exact origin of its sockets, its canonical links, its mail.
PUBLIC_URL = ENVIRONMENT.public_url
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts or {ENVIRONMENT.public.hostname or "", "localhost", "127.0.0.1"})
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.google",
    "allauth.mfa",
    "apps.core",
    "apps.accounts",
    "apps.community",
    "apps.competition",
    "apps.demo",
    "apps.imports",
    "apps.live",
    "apps.news",
    "apps.ranking",
    "apps.ratings",
    "components",
    "project",
]
# For forms and sign-in only: page views and static files are answered before them (project/asgi.py).
MIDDLEWARE = [
    "project.http.middleware.security_middleware",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "project.urls"
ASGI_APPLICATION = "project.asgi.application"
APPEND_SLASH = False
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Screens are ours; what is a template of Django's are mails. No application brings pages along.
MAILS = ROOT / "apps" / "accounts" / "templates"
TEMPLATES: list[dict[str, Any]] = [
    {"BACKEND": "project.http.account_pages.Screens", "NAME": "screens"},
    {"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [MAILS]},
]

# The pool is as large as the executor that uses it; who waits longer than this is told to try again.
# A try to connect is given up soon: whoever asks next begins a new one, rather than wait for the old one's next turn.
POOL = {"min_size": 2, "max_size": 8, "timeout": 3, "reconnect_timeout": 2}
# Milliseconds; a migration may take as long as it needs, but never queues for a lock.
TIMEOUTS = {
    "statement_timeout": 5_000,
    "lock_timeout": 1_000,
    "idle_in_transaction_session_timeout": 15_000,
    "transaction_timeout": 20_000,
}
MIGRATION_TIMEOUTS = {**dict.fromkeys(TIMEOUTS, 0), "lock_timeout": 2_000}
POOLED = bool(ENVIRONMENT.database_direct_url)  # DATABASE_URL is a pooler, whose connections outlive no transaction
# What holds its database session for longer than a transaction goes to the server itself.
DIRECT = ("DATABASE_DIRECT_URL", "DATABASE_URL")
OWNER = ("OWNER_DATABASE_URL", *DIRECT)


def database(*variables: str, timeouts: dict[str, int]) -> dict[str, Any]:
    """Return the one database as the first of these variables that is set names it, or that of the embedded server.

    Through a pooler no time-outs are asked for: nothing of how a connection begins gets past it, so they stand on the
    role (`apps/core/scale/pooler.py`).
    """
    addresses = {name: str(getattr(ENVIRONMENT, name.lower())) for name in variables}
    variable = next((name for name, address in addresses.items() if address), "")
    if variable:
        parameters = database_parameters(addresses[variable], variable)
    else:
        sockets, user = str(embedded.socket_folder(DATA)), embedded.OWNER if variables == OWNER else embedded.SITE
        parameters = {"NAME": embedded.DATABASE, "USER": user, "HOST": sockets, "OPTIONS": {}}
    options = {"pool": POOL, **parameters["OPTIONS"]}
    is_pooler = POOLED and variable == "DATABASE_URL"
    if not is_pooler:  # what the address says comes later, and wins
        ours = (f"-c {name}={value}" for name, value in timeouts.items())
        options["options"] = " ".join((*ours, options.get("options", ""))).strip()
    parameters |= {"OPTIONS": options, "DISABLE_SERVER_SIDE_CURSORS": is_pooler}
    return {"ENGINE": "project.database.postgresql", **parameters}


OWNER_DATABASE = database(*OWNER, timeouts=MIGRATION_TIMEOUTS)
SITE_DATABASE = database("DATABASE_URL", timeouts=TIMEOUTS)
DIRECT_DATABASE = database(*DIRECT, timeouts=TIMEOUTS)
REPLICA_DATABASE: dict[str, Any] = {}  # a standby, for what everybody may read (`apps/core/scale/replica.py`)
if ENVIRONMENT.database_replica_url:
    REPLICA_DATABASE = database("DATABASE_REPLICA_URL", timeouts={**TIMEOUTS, "lock_timeout": PART_LOCK_WAIT})
    REPLICA_DATABASE["OPTIONS"]["pool"] = {
        **POOL,
        "min_size": 1,
        "max_size": POOL["max_size"] + PART_THREADS,
        "timeout": 1,
    }
# `manage.py ranking` computes under a lock of its database session.
CHOSEN = {"migrate": OWNER_DATABASE, "ranking": DIRECT_DATABASE}.get("".join(sys.argv[1:2]), SITE_DATABASE)
DATABASES = {"default": {**CHOSEN, "OPTIONS": dict(CHOSEN["OPTIONS"])}}

BUS_URL = ENVIRONMENT.bus_url  # of a Valkey, past twenty processes (docs/adr/0019-relay.md)

SESSION_ENGINE = "apps.accounts.session_store"  # which says how long a session may rest
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True  # unless it is to be remembered
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not ENVIRONMENT.on_loopback
# A browser takes a cookie of such a name only with Secure, for the whole site, from this very host.
PREFIX = "__Host-" if SESSION_COOKIE_SECURE else ""
SESSION_COOKIE_NAME = f"{PREFIX}session"
CSRF_COOKIE_NAME = f"{PREFIX}csrf"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True

CSRF_FAILURE_VIEW = "project.http.account_pages.csrf_failure"
BROWSER_COOKIE_NAME = f"{PREFIX}browser"  # which says that somebody signed in here before
RESET_COOKIE_NAME = f"{PREFIX}reset"  # in which the key of a mailed link waits for a new password
REGISTERED_COOKIE_NAME = f"{PREFIX}registered"  # with which confirming an address signs in
MESSAGE_COOKIE_NAME = f"{PREFIX}messages"
MESSAGE_STORAGE = "project.http.middleware.MessageStorage"  # a cookie: strangers need no session for one sentence

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# Django's own "same-origin" stops the embedded player with error 153.
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_HSTS_SECONDS = 0 if ENVIRONMENT.on_loopback else 2 * 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = not ENVIRONMENT.on_loopback
# What `check --deploy` would have besides: the proxy in front sends plain HTTP to TLS (there is no other way in), and
# whether a domain goes into browsers' preload lists, with all its names, is for its owner to decide.
SILENCED_SYSTEM_CHECKS = ["security.W008", "security.W021"]
SECURE_PROXY_SSL_HEADER = None if ENVIRONMENT.on_loopback else ("HTTP_X_FORWARDED_PROTO", "https")

# Bounds of sockets stand in project/limits/rates.py.
DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536
DRAIN_SECONDS = ENVIRONMENT.drain_seconds  # a stop closes sockets over this time, so that they do not return at once
VENUE_ADDRESSES = ENVIRONMENT.venue_addresses
BEHIND_PROXY = ENVIRONMENT.behind_proxy  # then, and only then, X-Real-IP is believed

# Accounts; how often somebody may try stands in apps/accounts/limits.py.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["apps.accounts.sign_in.passwords.Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"apps.accounts.validators.{name}"} for name in ("LongEnough", "Uncommon", "Impersonal", "Original")
]
LOGIN_URL = "/login"
LOGIN_REDIRECT_URL = "/"
CACHES = {"default": {"BACKEND": "apps.core.database.cache.Counters"}}
ACCOUNT_ADAPTER = "apps.accounts.sign_in.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "apps.accounts.sign_in.forms.LoginForm",
    "signup": "apps.accounts.sign_in.forms.SignupForm",
    "reset_password": "apps.accounts.sign_in.forms.ResetPasswordForm",
    "reauthenticate": "apps.accounts.sign_in.forms.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # nobody who never came here gets mail because somebody typed an address
ACCOUNT_REAUTHENTICATION_TIMEOUT = 10 * 60
ACCOUNT_RATE_LIMITS = ALLAUTH
GOOGLE = ENVIRONMENT.google
SOCIALACCOUNT_ADAPTER = "apps.accounts.sign_in.social.SocialAccountAdapter"
SOCIALACCOUNT_PROVIDERS = {"google": GOOGLE.provider}
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5  # seconds
MFA_ADAPTER = "apps.accounts.second_factor.adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "authenticate": "apps.accounts.second_factor.adapter.CodeForm",
    "reauthenticate": "apps.accounts.second_factor.adapter.CodeAgainForm",
    "activate_totp": "apps.accounts.second_factor.adapter.FirstCodeForm",
    "add_webauthn": "apps.accounts.second_factor.adapter.NewPasskeyForm",
    "edit_webauthn": "apps.accounts.second_factor.adapter.PasskeyNameForm",
    "login_webauthn": "apps.accounts.second_factor.adapter.PasskeyLoginForm",
    "authenticate_webauthn": "apps.accounts.second_factor.adapter.PasskeyForm",
    "reauthenticate_webauthn": "apps.accounts.second_factor.adapter.PasskeyAgainForm",
}
MFA_RATE_LIMITS = ALLAUTH_MFA
MFA_REQUIRED_FOR_ADMINISTRATORS = ENVIRONMENT.administrators_need_factor

OPERATOR_NAME = ENVIRONMENT.operator_name  # who runs the site, on the pages Contact and Privacy
CONTACT_EMAIL = ENVIRONMENT.contact_email
REPORTS_HIDE_AT = ENVIRONMENT.reports_hide_at  # of one text, until somebody decides; 0 hides nothing by itself

# Whether the demo's accounts, whose addresses everybody knows, have a password: on one's own machine only.
DEMO_ACCOUNTS = ENVIRONMENT.on_loopback

# Mails.
MAIL = ENVIRONMENT.mail
EMAIL_BACKEND = f"django.core.mail.backends.{MAIL.backend}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.starttls, MAIL.tls
EMAIL_FILE_PATH = MAIL.folder or None
EMAIL_TIMEOUT = 5
DEFAULT_FROM_EMAIL = ENVIRONMENT.mail_from or f"Parterre <noreply@{ENVIRONMENT.public.hostname}>"

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

REFUSED = ("DisallowedHost", "DisallowedRedirect", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "project.observability.logs.Text"},
        "json": {"()": "project.observability.logs.Json"},
    },
    "filters": {
        "pool": {"()": "project.observability.logs.PoolTimeouts"},
        "pool-errors": {"()": "project.observability.logs.PoolTimeouts", "level": "ERROR"},
    },
    "handlers": {
        "stderr": {
            "class": "project.observability.logs.Stderr",
            "formatter": ENVIRONMENT.log_format,
            "filters": ["pool"],
        },
        "errors": {
            "class": "apps.core.observability.ErrorLogHandler",
            "level": "ERROR",
            "filters": ["pool-errors"],
        },
    },
    "root": {"handlers": ["stderr", "errors"], "level": "INFO"},
    "loggers": {
        **{name: {"level": "WARNING"} for name in ("daphne", "asyncio", "httpx", "django.channels")},
        "channels_redis": {"level": "CRITICAL"},  # an error each second while Valkey is away, which the bus says once
        "django.security.csrf": {"level": "ERROR"},  # counted in parterre.security
        # Whoever sends such requests gets 400; strangers must not be able to fill the error log.
        **{f"django.security.{name}": {"level": "CRITICAL"} for name in REFUSED},
    },
}
