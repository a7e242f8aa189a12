"""The settings that result from the environment, read by real processes."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from apps.notifications.push.site_key import is_push_key, push_key_create
from project import config as environment
from project.config import (
    ROOT,
    MailServer,
    Refusal,
    bus_url_read,
    database_parameters,
    env_file_load,
    key_file_read,
    mail_server,
    push_contact_read,
    push_private_key_read,
)
from project.launcher.serve import THREADS

OURS = (
    "PORT", "INTERFACE", "PUBLIC_URL", "DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL",
    "OWNER_DATABASE_URL", "BUS_URL", "SECRET_KEY", "SECRET_KEY_FALLBACKS",
    "ALLOWED_HOSTS", "DEBUG", "VENUE_TIME_ZONE", "DEMO", "DEMO_ALIVE", "DRAIN_SECONDS", "LOG_FORMAT", "VENUE_ADDRESSES",
    "BEHIND_PROXY", "METRICS_TOKEN", "MEMORY_LIMIT_MB", "EMAIL_URL", "MAIL_FROM", "GOOGLE_CLIENT_ID",
    "GOOGLE_CLIENT_SECRET", "GOOGLE_AUTHORIZE_URL", "GOOGLE_TOKEN_URL", "GOOGLE_ISSUER", "GOOGLE_KEYS_URL",
    "MFA_REQUIRED_FOR_ADMINISTRATORS", "REPORTS_HIDE_AT",
    "OPERATOR_NAME", "CONTACT_EMAIL", "PUSH_PRIVATE_KEY", "PUSH_CONTACT",
)  # fmt: skip
KEY = "k" * 50
PRINT = """
import json, sys
sys.argv[1:] = sys.argv[2:]
from project import settings
print(json.dumps({name: getattr(settings, name) for name in dir(settings) if name.isupper()}, default=str))
"""
COOKIES = ("SESSION", "CSRF", "BROWSER", "RESET", "REGISTERED", "MESSAGE")
NAMES = ["session", "csrf", "browser", "reset", "registered", "messages"]


def process(data: Path, *command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with only these variables of the site. The others are empty, so that no .env file sets them."""
    ours = {**dict.fromkeys(OURS, ""), "PARTERRE_DATA": str(data), "DJANGO_SETTINGS_MODULE": "project.settings"}
    return subprocess.run(
        [sys.executable, *command], check=False, cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={**os.environ, **ours, **environment},
    )  # fmt: skip


def settings_with(data: Path, *arguments: str, **environment: str) -> dict[str, Any]:
    """Return the settings of a process with this environment and these command-line arguments."""
    done = process(data, "-c", PRINT, "manage.py", *arguments, **environment)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_own_machine_is_safe_and_needs_nothing(tmp_path: Path) -> None:
    found = settings_with(tmp_path)
    assert found["DEBUG"] is False
    assert found["PUBLIC_URL"] == "http://localhost:8000"
    assert (found["SESSION_COOKIE_SECURE"], found["CSRF_COOKIE_SECURE"]) == (False, False)
    assert [found[f"{name}_COOKIE_NAME"] for name in COOKIES] == NAMES
    assert found["SECURE_HSTS_SECONDS"] == 0
    assert found["DATABASES"]["default"]["HOST"].startswith("/")
    assert found["VENUE_TIME_ZONE"] == "Europe/Warsaw"


def test_port_is_in_the_public_address(tmp_path: Path) -> None:
    assert settings_with(tmp_path, PORT="8123")["PUBLIC_URL"] == "http://localhost:8123"


def test_public_site_has_bound_cookies_and_no_kept_key(tmp_path: Path) -> None:
    found = settings_with(tmp_path, PUBLIC_URL="https://parterre.example", SECRET_KEY=KEY)
    assert (found["SESSION_COOKIE_SECURE"], found["CSRF_COOKIE_SECURE"]) == (True, True)
    bound = [f"__Host-{name}" for name in NAMES]
    assert [found[f"{name}_COOKIE_NAME"] for name in COOKIES] == bound
    assert found["SECURE_HSTS_SECONDS"] == 63_072_000
    assert "parterre.example" in found["ALLOWED_HOSTS"]
    assert found["SECRET_KEY"] == KEY
    assert not (tmp_path / "secret-key").exists()


def test_earlier_keys_are_fallbacks(tmp_path: Path) -> None:
    assert settings_with(tmp_path)["SECRET_KEY_FALLBACKS"] == []
    assert settings_with(tmp_path, SECRET_KEY_FALLBACKS="one, two,")["SECRET_KEY_FALLBACKS"] == ["one", "two"]


def test_key_is_made_once_and_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    first, second = settings_with(tmp_path)["SECRET_KEY"], settings_with(tmp_path)["SECRET_KEY"]
    assert first == second == (tmp_path / "secret-key").read_text()
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert {file.name for file in tmp_path.iterdir()} == {"secret-key", "push-key"}


def test_key_of_the_quicker_process_is_everybodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret-key"
    link = os.link

    def late(source: str, target: Path) -> None:
        file.write_text("theirs")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    assert key_file_read(file) == "theirs"


def test_queries_are_bounded_but_migrations_are_not(tmp_path: Path) -> None:
    serving = settings_with(tmp_path)["DATABASES"]["default"]["OPTIONS"]
    assert "-c statement_timeout=5000" in serving["options"]
    assert "-c lock_timeout=1000" in serving["options"]
    assert "-c idle_in_transaction_session_timeout=15000" in serving["options"]
    assert "-c transaction_timeout=20000" in serving["options"]
    assert serving["pool"] == {"min_size": 2, "max_size": THREADS, "timeout": 3, "reconnect_timeout": 2}
    migrating = settings_with(tmp_path, "migrate")["DATABASES"]["default"]["OPTIONS"]
    endless = "-c statement_timeout=0 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=0"
    assert migrating["options"] == f"{endless} -c transaction_timeout=0", "whatever stands on the role"
    address = "postgresql://me@h/x?options=-c%20lock_timeout%3D5s&sslmode=require"
    own = settings_with(tmp_path, DATABASE_URL=address)["DATABASES"]["default"]["OPTIONS"]
    assert own["options"] == f"{serving['options']} -c lock_timeout=5s", "what an address adds takes nothing away"
    assert own["sslmode"] == "require"


def test_nothing_that_a_pooler_would_refuse_is_asked_of_one(tmp_path: Path) -> None:
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


def test_a_standby_is_an_address_of_its_own(tmp_path: Path) -> None:
    assert settings_with(tmp_path)["REPLICA_DATABASE"] == {}
    found = settings_with(tmp_path, DATABASE_REPLICA_URL="postgresql://me@standby/x")
    assert found["REPLICA_DATABASE"]["HOST"] == "standby"
    assert "-c lock_timeout=250 " in found["REPLICA_DATABASE"]["OPTIONS"]["options"]
    assert set(found["DATABASES"]) == {"default"}


def test_database_address_is_taken_apart() -> None:
    encrypted = "sslmode=verify-full&sslrootcert=/etc/parterre/ca.pem"
    found = database_parameters(f"postgresql://some%40one:p%2Fw@db.example:5433/parterre?{encrypted}")
    assert found == {
        "NAME": "parterre",
        "USER": "some@one",
        "PASSWORD": "p/w",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "verify-full", "sslrootcert": "/etc/parterre/ca.pem"},
    }
    assert database_parameters("postgres://me@/x?host=/run/postgresql")["HOST"] == "/run/postgresql"


@pytest.mark.parametrize("address", ["mysql://u:secret@h/x", "postgresql://h", "secret", "postgresql://h:secret/x"])
def test_unusable_database_address_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(Refusal, match="DATABASE_URL must look like") as refusal:
        database_parameters(address)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "80000", "PORT is '80000', but it must be a number from 1 to 65535."),
        ("PORT", "http", "PORT is 'http', but it must be a number from 1 to 65535."),
        (
            "GOOGLE_TOKEN_URL",
            "http://oauth.example/token",
            "GOOGLE_TOKEN_URL is 'http://oauth.example/token', but it must begin with https://.",
        ),
        ("PUBLIC_URL", "parterre.example", "PUBLIC_URL is 'parterre.example', but it must be an origin"),
        ("PUBLIC_URL", "https://a.example/path", "PUBLIC_URL is 'https://a.example/path', but it must be an origin"),
        ("VENUE_TIME_ZONE", "Warsaw", "VENUE_TIME_ZONE is 'Warsaw', but it must be a name such as Europe/Warsaw."),
        ("DATABASE_URL", "nonsense", "DATABASE_URL must look like postgresql://"),
        ("BUS_URL", "valkey.example:6379", "BUS_URL must look like redis://"),
        ("DRAIN_SECONDS", "soon", "DRAIN_SECONDS is 'soon', but it must be a number of seconds."),
        ("MEMORY_LIMIT_MB", "much", "MEMORY_LIMIT_MB is 'much', but it must be a number of megabytes."),
        ("LOG_FORMAT", "xml", "LOG_FORMAT is 'xml', but it must be text or json."),
        ("EMAIL_URL", "mail.example", "EMAIL_URL must look like smtp://user:password@host:587?tls=starttls"),
    ],
)
def test_unreadable_variable_ends_every_command_with_a_sentence(
    tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    for command in (("manage.py", "check"), ("-m", "project.launcher.launch")):
        done = process(tmp_path, *command, **{name: value})
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(sentence)
        assert done.stderr.count("\n") == 1


def test_mails_are_printed_unless_a_server_is_named(tmp_path: Path) -> None:
    own = settings_with(tmp_path)
    assert own["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"
    assert own["DEFAULT_FROM_EMAIL"] == "Parterre <noreply@localhost>"
    assert own["SOCIALACCOUNT_PROVIDERS"]["google"]["APPS"] == []
    found = settings_with(tmp_path, EMAIL_URL="smtp://me%40x:p%2Fw@mail.example", MAIL_FROM="Hall <a@b.example>")
    assert found["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    names = ("EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD", "EMAIL_USE_TLS", "EMAIL_USE_SSL")
    assert [found[name] for name in names] == ["mail.example", 587, "me@x", "p/w", True, False]
    assert (found["EMAIL_TIMEOUT"], found["DEFAULT_FROM_EMAIL"]) == (5, "Hall <a@b.example>")


def test_mail_address_is_taken_apart() -> None:
    assert mail_server("smtps://mail.example") == MailServer("smtp", "mail.example", 465, tls=True)
    assert mail_server("smtp://relay?tls=none") == MailServer("smtp", "relay", 25)
    assert mail_server("smtp://relay:2525?tls=tls") == MailServer("smtp", "relay", 2525, tls=True)
    assert mail_server("file:///some/folder") == MailServer("filebased", folder="/some/folder")
    assert mail_server("") == MailServer("console")


@pytest.mark.parametrize(
    "address", ["smtp://", "http://u:secret@h", "secret", "smtp://h:secret", "smtp://h?tls=secret"]
)
def test_unusable_mail_address_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(Refusal, match="EMAIL_URL must look like") as refusal:
        mail_server(address)
    assert "secret" not in str(refusal.value)


def test_file_gives_what_the_environment_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PARTERRE_TEST_A", "PARTERRE_TEST_B", "PARTERRE_TEST_C"):
        monkeypatch.setenv(name, "environment")  # so that monkeypatch restores it
        monkeypatch.delenv(name)
    monkeypatch.setenv("PARTERRE_TEST_B", "environment")
    file = tmp_path / ".env"
    file.write_text("# a comment\nPARTERRE_TEST_A='file=1'\nPARTERRE_TEST_B=file\n#PARTERRE_TEST_C=file\n\nnonsense\n")
    env_file_load(file)
    assert os.environ["PARTERRE_TEST_A"] == "file=1"
    assert os.environ["PARTERRE_TEST_B"] == "environment"
    assert "PARTERRE_TEST_C" not in os.environ
    env_file_load(tmp_path / "missing")


@pytest.mark.parametrize(
    "address", ["valkey:6379", "http://h:secret@h", "redis://", "redis:///secret", "redis://h:secret/0"]
)
def test_unusable_address_of_valkey_is_refused_without_repeating_it(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("BUS_URL", address)
    with pytest.raises(Refusal, match="BUS_URL must look like redis://") as refusal:
        bus_url_read()
    assert "secret" not in str(refusal.value)


def test_an_address_of_valkey_without_its_packages_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUS_URL", "redis://:secret@valkey.example:6379/0")
    assert bus_url_read() == "redis://:secret@valkey.example:6379/0"
    monkeypatch.setattr(environment, "find_spec", lambda _name: None)
    with pytest.raises(Refusal, match="make build MANY=1"):
        bus_url_read()
    monkeypatch.setenv("BUS_URL", "")
    assert bus_url_read() == ""


def test_a_push_key_is_made_on_the_own_machine_only_and_kept(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("text", ["secret", "A" * 43, "_" * 43, "ą"])
def test_an_unusable_push_key_is_refused_without_repeating_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_PRIVATE_KEY", text)
    with pytest.raises(Refusal, match="PUSH_PRIVATE_KEY must be a key") as refusal:
        push_private_key_read()
    assert text not in str(refusal.value)


@pytest.mark.parametrize("text", ["society@example.org", "http://example.org", "mailto:society", "tel:1"])
def test_push_services_get_an_address_or_a_mail_address_only(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_CONTACT", text)
    with pytest.raises(Refusal, match=r"PUSH_CONTACT is .* but it must look like mailto:"):
        push_contact_read()
