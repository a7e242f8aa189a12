"""Django settings: values come from the environment, or have defaults that are safe on a developer's machine."""

import sys
from typing import Any

from apps.accounts.limits import ALLAUTH, ALLAUTH_MFA
from project.config import ROOT, database_parameters, environment_read, push_contact, push_private_key, secret_key
from project.database import embedded
from project.limits.rates import PART_LOCK_WAIT, PART_THREADS

ENVIRONMENT = environment_read()
DATA = ENVIRONMENT.data
DEBUG = ENVIRONMENT.debug
SECRET_KEY = secret_key(ENVIRONMENT)
SECRET_KEY_FALLBACKS = list(ENVIRONMENT.secret_key_fallbacks)  # still accepted for signatures and decryption

# The one URL of the site: the origin of its sockets, canonical links and mails.
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
    "allauth.mfa",
    "apps.core",
    "apps.accounts",
    "apps.community",
    "apps.competition",
    "apps.demo",
    "apps.following",
    "apps.imports",
    "apps.live",
    "apps.news",
    "apps.notifications",
    "apps.ranking",
    "apps.jury",
    "apps.ratings",
    "apps.search",
    "components",
    "project",
]
# Used by forms and sign-in only: page views and static files are answered before Django (project/asgi.py).
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
# Screens are components of this project; only mails are Django templates. No application may add pages.
MAILS = ROOT / "apps" / "accounts" / "templates"
TEMPLATES: list[dict[str, Any]] = [
    {"BACKEND": "project.http.account_pages.Screens", "NAME": "screens"},
    {"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [MAILS]},
]

# The pool has one connection for each thread of the executor. A thread that waits longer than `timeout` fails with a
# request to try again. `reconnect_timeout` is short, so that the next request starts a new attempt to connect.
POOL = {"min_size": 2, "max_size": 8, "timeout": 3, "reconnect_timeout": 2}
# Milliseconds. A migration may run for any time, but waits only briefly for a lock.
TIMEOUTS = {
    "statement_timeout": 5_000,
    "lock_timeout": 1_000,
    "idle_in_transaction_session_timeout": 15_000,
    "transaction_timeout": 20_000,
}
MIGRATION_TIMEOUTS = {**dict.fromkeys(TIMEOUTS, 0), "lock_timeout": 2_000}
POOLED = bool(ENVIRONMENT.database_direct_url)  # DATABASE_URL names a pooler, where a session lasts for one transaction
# Work that keeps its database session beyond a transaction connects to the server itself.
DIRECT = ("DATABASE_DIRECT_URL", "DATABASE_URL")
OWNER = ("OWNER_DATABASE_URL", *DIRECT)


def database(*variables: str, timeouts: dict[str, int]) -> dict[str, Any]:
    """Return Django's settings of the database: of the first variable that is set, else of the embedded server.

    A pooler gets no time-outs here, because it does not pass on connection options. They are set on the role instead
    (`apps/core/scale/pooler.py`).
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
    if not is_pooler:  # options of the URL come later, and win
        time_outs = (f"-c {name}={value}" for name, value in timeouts.items())
        options["options"] = " ".join((*time_outs, options.get("options", ""))).strip()
    parameters |= {"OPTIONS": options, "DISABLE_SERVER_SIDE_CURSORS": is_pooler}
    return {"ENGINE": "project.database.postgresql", **parameters}


OWNER_DATABASE = database(*OWNER, timeouts=MIGRATION_TIMEOUTS)
SITE_DATABASE = database("DATABASE_URL", timeouts=TIMEOUTS)
DIRECT_DATABASE = database(*DIRECT, timeouts=TIMEOUTS)
REPLICA_DATABASE: dict[str, Any] = {}  # a read replica for public data (`apps/core/scale/replica.py`)
if ENVIRONMENT.database_replica_url:
    REPLICA_DATABASE = database("DATABASE_REPLICA_URL", timeouts={**TIMEOUTS, "lock_timeout": PART_LOCK_WAIT})
    REPLICA_DATABASE["OPTIONS"]["pool"] = {
        **POOL,
        "min_size": 1,
        "max_size": POOL["max_size"] + PART_THREADS,
        "timeout": 1,
    }
# `manage.py ranking` computes under an advisory lock of its database session.
CHOSEN = {"migrate": OWNER_DATABASE, "ranking": DIRECT_DATABASE}.get("".join(sys.argv[1:2]), SITE_DATABASE)
DATABASES = {"default": {**CHOSEN, "OPTIONS": dict(CHOSEN["OPTIONS"])}}

BUS_URL = ENVIRONMENT.bus_url  # a Valkey, for more than twenty processes (docs/adr/0019-relay.md)

SESSION_ENGINE = "apps.accounts.session_store"  # also limits how long a session may be idle
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True  # overridden when the user chooses to be remembered
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not ENVIRONMENT.on_loopback
# A browser accepts a `__Host-` cookie only with Secure, for the whole site, and from exactly this host.
PREFIX = "__Host-" if SESSION_COOKIE_SECURE else ""
SESSION_COOKIE_NAME = f"{PREFIX}session"
CSRF_COOKIE_NAME = f"{PREFIX}csrf"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True

CSRF_FAILURE_VIEW = "project.http.account_pages.csrf_failure"
BROWSER_COOKIE_NAME = f"{PREFIX}browser"  # marks a browser in which an account has signed in before
RESET_COOKIE_NAME = f"{PREFIX}reset"  # holds the key of a mailed link until the new password is sent
SIGN_IN_COOKIE_NAME = f"{PREFIX}sign-in"  # holds the key of a browser in which a mailed code may be typed
PASSKEY_COOKIE_NAME = f"{PREFIX}passkey"  # holds the challenge of a sign-in with a passkey
REGISTERED_COOKIE_NAME = f"{PREFIX}registered"  # signs a new account in when this browser confirms its address
WISH_COOKIE_NAME = f"{PREFIX}wish"  # holds a visitor's press until the sign-in
MESSAGE_COOKIE_NAME = f"{PREFIX}messages"
MESSAGE_STORAGE = "project.http.middleware.MessageStorage"  # in a cookie: anonymous visitors need no session

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# Django's default "same-origin" breaks the embedded player with error 153.
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_HSTS_SECONDS = 0 if ENVIRONMENT.on_loopback else 2 * 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = not ENVIRONMENT.on_loopback
# Silence two findings of `check --deploy`. The proxy redirects plain HTTP to TLS, and is the only way in. The owner of
# a domain decides whether it and all its subdomains are preloaded for HSTS.
SILENCED_SYSTEM_CHECKS = ["security.W008", "security.W021"]
SECURE_PROXY_SSL_HEADER = None if ENVIRONMENT.on_loopback else ("HTTP_X_FORWARDED_PROTO", "https")

# The limits of sockets are in project/limits/rates.py.
DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536
DRAIN_SECONDS = ENVIRONMENT.drain_seconds  # seconds over which a stop closes sockets, to avoid a thundering herd
VENUE_ADDRESSES = ENVIRONMENT.venue_addresses
BEHIND_PROXY = ENVIRONMENT.behind_proxy  # X-Real-IP is trusted only with this

# Accounts. Their rate limits are in apps/accounts/limits.py.
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
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # otherwise mistyped addresses would send mail to people without an account
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

OPERATOR_NAME = ENVIRONMENT.operator_name  # the operator of the site, on the pages Contact and Privacy
CONTACT_EMAIL = ENVIRONMENT.contact_email
REPORTS_HIDE_AT = ENVIRONMENT.reports_hide_at  # reports that hide a text until a moderator decides; 0 never hides

# Whether the demo's accounts, with well-known addresses, have a password: on a developer's machine only.
DEMO_ACCOUNTS = ENVIRONMENT.on_loopback
# Whether a demo may be alive. Its moderator is an administrator, and so is on a developer's machine only.
DEMO_ALIVE = ENVIRONMENT.demo and ENVIRONMENT.demo_alive and DEMO_ACCOUNTS

# Mails.
MAIL = ENVIRONMENT.mail
EMAIL_BACKEND = f"django.core.mail.backends.{MAIL.backend}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.starttls, MAIL.tls
EMAIL_FILE_PATH = MAIL.folder or None
EMAIL_TIMEOUT = 5
DEFAULT_FROM_EMAIL = ENVIRONMENT.mail_from or f"Parterre <noreply@{ENVIRONMENT.public.hostname}>"

# Web push. Messages go to these hosts only, at port 443 (docs/security.md). The tests add their own.
PUSH_PRIVATE_KEY = push_private_key(ENVIRONMENT)  # without a key the site offers no push
PUSH_CONTACT = push_contact(ENVIRONMENT)
PUSH_HOSTS = [
    *("fcm.googleapis.com", "jmt17.google.com"),  # Google; the second for Chromium browsers other than Chrome
    *("*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"),
]
PUSH_TEST_ORIGIN = ""  # the push services of the tests, such as https://127.0.0.1:4433, between spaces
PUSH_TEST_AUTHORITY = ""  # the file with the certificate of these services

# Monitoring (docs/operations.md).
METRICS_TOKEN = ENVIRONMENT.metrics_token  # allows reading /metrics from another machine
LOOP_BLOCKED_SECONDS = 1.0  # after which a blocked event loop is logged
LOOP_DEAD_SECONDS = 10.0  # after which a blocked event loop ends the process
MEMORY_LIMIT_MB = ENVIRONMENT.memory_limit_mb  # at 80 % of it the process drains; 0 disables the check

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
        "channels_redis": {"level": "CRITICAL"},  # an error each second while Valkey is away; the bus logs it once
        "django.security.csrf": {"level": "ERROR"},  # counted in parterre.security
        # Such requests get 400. Clients must not be able to fill the error log.
        **{f"django.security.{name}": {"level": "CRITICAL"} for name in REFUSED},
    },
}
