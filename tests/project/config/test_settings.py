"""The settings that result from the environment."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from django.test import override_settings

from apps.notifications.push.site_key import is_push_key, push_key_create
from project import config
from project.config import (
    ROOT,
    MailServer,
    Refusal,
    bus_url_read,
    database_parameters,
    env_file_load,
    key_file_read,
    mail_server,
)
from project.launcher.serve import THREADS
from tests.offenders import check_each

VARIABLES = (
    "PORT", "INTERFACE", "PUBLIC_URL", "DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL",
    "OWNER_DATABASE_URL", "BUS_URL", "SECRET_KEY", "SECRET_KEY_FALLBACKS",
    "ALLOWED_HOSTS", "DEBUG", "VENUE_TIME_ZONE", "DEMO", "DEMO_ALIVE", "DRAIN_SECONDS", "LOG_FORMAT", "VENUE_ADDRESSES",
    "BEHIND_PROXY", "METRICS_TOKEN", "MEMORY_LIMIT_MB", "EMAIL_URL", "MAIL_FROM", "GOOGLE_CLIENT_ID",
    "GOOGLE_CLIENT_SECRET", "GOOGLE_AUTHORIZE_URL", "GOOGLE_TOKEN_URL", "GOOGLE_ISSUER", "GOOGLE_KEYS_URL",
    "MFA_REQUIRED_FOR_ADMINISTRATORS", "REPORTS_HIDE_AT",
    "OPERATOR_NAME", "CONTACT_EMAIL", "PUSH_PRIVATE_KEY", "PUSH_CONTACT",
)  # fmt: skip
KEY = "k" * 50
# The settings that the checks of `project/launcher/checks.py` and of Django read.
CHECKED = (
    "ALLOWED_HOSTS", "CSRF_COOKIE_SECURE", "DEBUG", "DIRECT_DATABASE", "ENVIRONMENT", "POOLED", "SECRET_KEY",
    "SECRET_KEY_FALLBACKS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_SECONDS", "SESSION_COOKIE_SECURE",
    "SITE_DATABASE",
)  # fmt: skip
COOKIES = ("SESSION", "CSRF", "BROWSER", "RESET", "REGISTERED", "WISH", "MESSAGE")
NAMES = ["session", "csrf", "browser", "reset", "registered", "wish", "messages"]


def site_environment(data: Path, **environment: str) -> dict[str, str]:
    """Return these variables of the site. The others are empty, so that no .env file sets them."""
    empty = dict.fromkeys(VARIABLES, "")
    return {**empty, "PARTERRE_DATA": str(data), "DJANGO_SETTINGS_MODULE": "project.settings", **environment}


def process(data: Path, *command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with only these variables of the site."""
    return subprocess.run(
        [sys.executable, *command], check=False, cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={**os.environ, **site_environment(data, **environment)},
    )  # fmt: skip


def settings_with(data: Path, *arguments: str, **environment: str) -> dict[str, Any]:
    """Return the settings that result from this environment and these arguments of `manage.py`."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in site_environment(data, **environment).items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["manage.py", *arguments])
        return run_path(str(ROOT / "project" / "settings.py"))


def checked_settings(data: Path, **environment: str) -> override_settings:
    """Apply what the checks read of the settings that result from this environment."""
    settings = settings_with(data, **environment)
    return override_settings(**{name: settings[name] for name in CHECKED})


def refusal(data: Path, **environment: str) -> str:
    """Return the sentence with which the settings refuse this environment."""
    try:
        settings_with(data, **environment)
    except Refusal as error:
        return str(error)
    return ""


def test_own_machine_needs_no_variable_and_is_safe(tmp_path: Path) -> None:
    settings = settings_with(tmp_path)
    assert settings["DEBUG"] is False
    assert settings["PUBLIC_URL"] == "http://localhost:8000"
    assert (settings["SESSION_COOKIE_SECURE"], settings["CSRF_COOKIE_SECURE"]) == (False, False)
    assert [settings[f"{name}_COOKIE_NAME"] for name in COOKIES] == NAMES
    assert settings["SECURE_HSTS_SECONDS"] == 0
    assert settings["DATABASES"]["default"]["HOST"].startswith("/")
    assert settings["VENUE_TIME_ZONE"] == "Europe/Warsaw"
    assert (settings["SECRET_KEY_FALLBACKS"], settings["REPLICA_DATABASE"], settings["POOLED"]) == ([], {}, False)
    assert settings_with(tmp_path, PORT="8123")["PUBLIC_URL"] == "http://localhost:8123"


def test_public_site_has_secure_cookies_and_creates_no_key(tmp_path: Path) -> None:
    keys = {"SECRET_KEY": KEY, "SECRET_KEY_FALLBACKS": "one, two,"}
    settings = settings_with(tmp_path, PUBLIC_URL="https://parterre.example", **keys)
    assert (settings["SESSION_COOKIE_SECURE"], settings["CSRF_COOKIE_SECURE"]) == (True, True)
    assert [settings[f"{name}_COOKIE_NAME"] for name in COOKIES] == [f"__Host-{name}" for name in NAMES]
    assert settings["SECURE_HSTS_SECONDS"] == 63_072_000
    assert "parterre.example" in settings["ALLOWED_HOSTS"]
    assert (settings["SECRET_KEY"], settings["SECRET_KEY_FALLBACKS"]) == (KEY, ["one", "two"])
    assert not (tmp_path / "secret-key").exists()


def test_secret_key_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    first, second = settings_with(tmp_path)["SECRET_KEY"], settings_with(tmp_path)["SECRET_KEY"]
    assert first == second == (tmp_path / "secret-key").read_text()
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert {file.name for file in tmp_path.iterdir()} == {"secret-key", "push-key"}


def test_two_processes_that_create_a_key_at_once_share_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret-key"
    link = os.link

    def late(source: str, target: Path) -> None:
        file.write_text("other")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    assert key_file_read(file) == "other"


def test_queries_have_timeouts_and_migrations_only_for_locks(tmp_path: Path) -> None:
    serving = settings_with(tmp_path)["DATABASES"]["default"]["OPTIONS"]
    bounded = "-c statement_timeout=5000 -c lock_timeout=1000 -c idle_in_transaction_session_timeout=15000"
    assert f"{bounded} -c transaction_timeout=20000" in serving["options"]
    assert serving["pool"] == {"min_size": 2, "max_size": THREADS, "timeout": 3, "reconnect_timeout": 2}
    migrating = settings_with(tmp_path, "migrate")["DATABASES"]["default"]["OPTIONS"]
    endless = "-c statement_timeout=0 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=0"
    assert migrating["options"] == f"{endless} -c transaction_timeout=0", "also if the role has time-outs"
    address = "postgresql://me@h/x?options=-c%20lock_timeout%3D5s&sslmode=require"
    own = settings_with(tmp_path, DATABASE_URL=address)["DATABASES"]["default"]["OPTIONS"]
    assert own["options"] == f"{serving['options']} -c lock_timeout=5s", "an option of the URL is added to them"
    assert own["sslmode"] == "require"


def test_pooler_gets_no_connection_options(tmp_path: Path) -> None:
    pooler, server = "postgresql://me@pooler/x", "postgresql://me@server/x"
    addresses = {"DATABASE_URL": pooler, "DATABASE_DIRECT_URL": server}
    plain, pooled = settings_with(tmp_path, DATABASE_URL=server), settings_with(tmp_path, **addresses)
    assert (plain["POOLED"], pooled["POOLED"]) == (False, True)
    serving = pooled["DATABASES"]["default"]
    assert (serving["HOST"], serving["DISABLE_SERVER_SIDE_CURSORS"]) == ("pooler", True)
    assert set(serving["OPTIONS"]) == {"pool"}
    for command in ("ranking", "migrate"):
        direct = settings_with(tmp_path, command, **addresses)["DATABASES"]["default"]
        assert (direct["HOST"], direct["DISABLE_SERVER_SIDE_CURSORS"]) == ("server", False), command
    assert pooled["DIRECT_DATABASE"]["OPTIONS"] == plain["DATABASES"]["default"]["OPTIONS"]
    assert pooled["OWNER_DATABASE"]["HOST"] == "server"


def test_replica_has_its_own_url_and_a_short_lock_timeout(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, DATABASE_REPLICA_URL="postgresql://me@replica/x")
    assert settings["REPLICA_DATABASE"]["HOST"] == "replica"
    assert "-c lock_timeout=250 " in settings["REPLICA_DATABASE"]["OPTIONS"]["options"]
    assert set(settings["DATABASES"]) == {"default"}


def test_database_url_is_parsed() -> None:
    encrypted = "sslmode=verify-full&sslrootcert=/etc/parterre/ca.pem"
    settings = database_parameters(f"postgresql://user%40one:p%2Fw@db.example:5433/parterre?{encrypted}")
    assert settings == {
        "NAME": "parterre",
        "USER": "user@one",
        "PASSWORD": "p/w",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "verify-full", "sslrootcert": "/etc/parterre/ca.pem"},
    }
    assert database_parameters("postgres://me@/x?host=/run/postgresql")["HOST"] == "/run/postgresql"


def test_unusable_value_is_refused_with_a_sentence(tmp_path: Path) -> None:
    def check(case: tuple[str, str, str]) -> None:
        name, value, rule = case
        assert refusal(tmp_path, **{name: value}).startswith(f"{name} is {value!r}, but it must {rule}")

    check_each(
        [
            ("PORT", "80000", "be a number from 1 to 65535."),
            ("PORT", "http", "be a number from 1 to 65535."),
            ("GOOGLE_TOKEN_URL", "http://oauth.example/token", "begin with https://."),
            ("PUBLIC_URL", "parterre.example", "be an origin"),
            ("PUBLIC_URL", "https://a.example/path", "be an origin"),
            ("VENUE_TIME_ZONE", "Warsaw", "be a name such as Europe/Warsaw."),
            ("DRAIN_SECONDS", "soon", "be a number of seconds."),
            ("MEMORY_LIMIT_MB", "much", "be a number of megabytes."),
            ("LOG_FORMAT", "xml", "be text or json."),
            *(
                ("PUSH_CONTACT", contact, "look like mailto:")
                for contact in ("society@example.org", "http://example.org", "mailto:society", "tel:1")
            ),
        ],
        check,
    )


UNUSABLE_SECRETS = {
    "DATABASE_URL must look like postgresql://": ["mysql://u:secret@h/x", "postgresql://h", "secret", "postgresql://h:secret/x"],
    "EMAIL_URL must look like smtp://user:password@host:587?tls=starttls": [
        "smtp://", "http://u:secret@h", "secret", "smtp://h:secret", "smtp://h?tls=secret", "mail.example",
    ],
    "BUS_URL must look like redis://": [
        "valkey:6379", "http://h:secret@h", "redis://", "redis:///secret", "redis://h:secret/0",
    ],
    "PUSH_PRIVATE_KEY must be a key": ["secret", "A" * 43, "_" * 43, "ą"],
}  # fmt: skip


def test_unusable_secret_is_refused_without_repeating_it(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        sentence, value = case
        text = refusal(tmp_path, **{sentence.partition(" ")[0]: value})
        assert text.startswith(sentence)
        assert "secret" not in text
        assert value not in text.removeprefix(sentence)

    check_each([(sentence, value) for sentence, values in UNUSABLE_SECRETS.items() for value in values], check)


def test_refusal_ends_each_command_with_one_line(tmp_path: Path) -> None:
    for command in (("manage.py", "check"), ("-m", "project.launcher.launch")):
        for environment in ({"PORT": "http"}, {"DATABASE_URL": "unusable"}):
            done = process(tmp_path, *command, **environment)
            sentence = refusal(tmp_path, **environment)
            assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{sentence}\n")


def test_mails_are_printed_without_a_mail_server(tmp_path: Path) -> None:
    own = settings_with(tmp_path)
    assert own["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"
    assert own["DEFAULT_FROM_EMAIL"] == "Parterre <noreply@localhost>"
    assert own["SOCIALACCOUNT_PROVIDERS"]["google"]["APPS"] == []
    settings = settings_with(tmp_path, EMAIL_URL="smtp://me%40x:p%2Fw@mail.example", MAIL_FROM="Hall <a@b.example>")
    assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    names = ("EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD", "EMAIL_USE_TLS", "EMAIL_USE_SSL")
    assert [settings[name] for name in names] == ["mail.example", 587, "me@x", "p/w", True, False]
    assert (settings["EMAIL_TIMEOUT"], settings["DEFAULT_FROM_EMAIL"]) == (5, "Hall <a@b.example>")


def test_mail_url_is_parsed() -> None:
    assert mail_server("smtps://mail.example") == MailServer("smtp", "mail.example", 465, tls=True)
    assert mail_server("smtp://relay?tls=none") == MailServer("smtp", "relay", 25)
    assert mail_server("smtp://relay:2525?tls=tls") == MailServer("smtp", "relay", 2525, tls=True)
    assert mail_server("file:///mail/folder") == MailServer("filebased", folder="/mail/folder")
    assert mail_server("") == MailServer("console")


def test_env_file_sets_only_missing_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PARTERRE_TEST_A", "PARTERRE_TEST_B", "PARTERRE_TEST_C"):
        monkeypatch.setenv(name, "environment")  # so that monkeypatch restores it
        monkeypatch.delenv(name)
    monkeypatch.setenv("PARTERRE_TEST_B", "environment")
    file = tmp_path / ".env"
    file.write_text(
        "# a comment\nPARTERRE_TEST_A='file=1'\nPARTERRE_TEST_B=file\n#PARTERRE_TEST_C=file\n\nother text\n"
    )
    env_file_load(file)
    assert os.environ["PARTERRE_TEST_A"] == "file=1"
    assert os.environ["PARTERRE_TEST_B"] == "environment"
    assert "PARTERRE_TEST_C" not in os.environ
    env_file_load(tmp_path / "missing")


def test_bus_url_needs_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUS_URL", "redis://:secret@valkey.example:6379/0")
    assert bus_url_read() == "redis://:secret@valkey.example:6379/0"
    monkeypatch.setattr(config, "find_spec", lambda _name: None)
    with pytest.raises(Refusal, match="make build MANY=1"):
        bus_url_read()
    monkeypatch.setenv("BUS_URL", "")
    assert bus_url_read() == ""


def test_push_key_is_created_once_and_only_on_the_own_machine(tmp_path: Path) -> None:
    first, again = settings_with(tmp_path), settings_with(tmp_path)
    assert is_push_key(first["PUSH_PRIVATE_KEY"])
    assert again["PUSH_PRIVATE_KEY"] == first["PUSH_PRIVATE_KEY"] == (tmp_path / "push-key").read_text()
    assert stat.S_IMODE((tmp_path / "push-key").stat().st_mode) == 0o600
    public = settings_with(tmp_path, PUBLIC_URL="https://parterre.example", SECRET_KEY=KEY)
    assert (public["PUSH_PRIVATE_KEY"], public["PUSH_CONTACT"]) == ("", "https://parterre.example")
    assert public["PUSH_TEST_ORIGIN"] == public["PUSH_TEST_AUTHORITY"] == ""
    named = settings_with(tmp_path, CONTACT_EMAIL="society@example.org", PUSH_PRIVATE_KEY=push_key_create())
    assert named["PUSH_CONTACT"] == "mailto:society@example.org"
    assert named["PUSH_PRIVATE_KEY"] != first["PUSH_PRIVATE_KEY"]
