"""The site refuses to start with unsafe settings, one plain sentence for each; a deployment passes `check --deploy`."""

import string
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.checks import CheckMessage, Tags, run_checks
from django.test import override_settings

from project.database import parameters
from project.database.embedded import programs, runner_for
from project.launcher import checks
from project.launcher.checks import settings_check
from tests.offenders import check_each
from tests.project.config.test_settings import KEY, checked_settings, process

PUBLIC = {"PUBLIC_URL": "https://parterre.example", "SECRET_KEY": KEY, "BEHIND_PROXY": "1"}


UNSAFE: list[tuple[dict[str, str], str]] = [
    (PUBLIC | {"SECRET_KEY": ""}, "SECRET_KEY is missing. A public site needs its own; see .env.example."),
    (PUBLIC | {"SECRET_KEY": "short"}, "SECRET_KEY is too short. It needs 32 characters or more."),
    (
        PUBLIC | {"SECRET_KEY_FALLBACKS": f"{KEY}, short"},
        "SECRET_KEY_FALLBACKS has a key that is too short. Each needs 32 characters or more.",
    ),
    (PUBLIC | {"DEBUG": "1"}, "DEBUG is on, but the site is public (parterre.example). Switch DEBUG off."),
    (
        {"DEBUG": "1", "ALLOWED_HOSTS": "localhost,parterre.example"},
        "DEBUG is on, but the site is public (parterre.example). Switch DEBUG off.",
    ),
    (
        PUBLIC | {"PUBLIC_URL": "http://parterre.example"},
        "PUBLIC_URL is http://parterre.example, over which cookies would travel unprotected. Use https.",
    ),
    (
        PUBLIC | {"ALLOWED_HOSTS": "other.example"},
        "PUBLIC_URL names the host parterre.example, but ALLOWED_HOSTS only allows other.example. Add it.",
    ),
    (
        {"DATABASE_URL": "postgresql://one@pooler/x", "DATABASE_DIRECT_URL": "postgresql://other@server/x"},
        "DATABASE_DIRECT_URL and DATABASE_URL must name one role: the server itself, and the pooler before it.",
    ),
    (
        {"DATABASE_DIRECT_URL": "postgresql://one@server/x"},
        "DATABASE_DIRECT_URL and DATABASE_URL must name one role: the server itself, and the pooler before it.",
    ),
    (
        PUBLIC | {"BEHIND_PROXY": "0"},
        (
            "PUBLIC_URL is https://parterre.example, which a proxy serves, but BEHIND_PROXY is off: everybody "
            "would count as one client. Set BEHIND_PROXY=1 and let the proxy overwrite X-Real-IP."
        ),
    ),
]


def findings(folder: Path, **environment: str) -> list[CheckMessage]:
    """Return the findings about the settings that result from this environment."""
    with checked_settings(folder, **environment):
        return checks.settings_check()


def test_unsafe_settings_are_found(tmp_path: Path) -> None:
    def check(case: tuple[dict[str, str], str]) -> None:
        environment, sentence = case
        serious = [finding.msg for finding in findings(tmp_path, **environment) if finding.is_serious()]
        assert serious == [sentence]

    check_each(UNSAFE, check)


def test_start_is_refused_with_all_reasons(tmp_path: Path) -> None:
    public = PUBLIC | {"SECRET_KEY": "", "DEBUG": "1"}
    done = process(tmp_path, "-m", "project.launcher.launch", **public)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "SECRET_KEY is missing. A public site needs its own; see .env.example.",
        "DEBUG is on, but the site is public (parterre.example). Switch DEBUG off.",
    ]


def test_public_site_needs_secure_cookies(tmp_path: Path) -> None:
    with checked_settings(tmp_path, **PUBLIC, EMAIL_URL="smtp://mail.example"):
        assert checks.settings_check() == []
        for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"):
            with override_settings(**{name: False}):
                assert [finding.id for finding in checks.settings_check()] == ["parterre.E005"]


def test_public_site_without_mails_is_a_warning(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, **PUBLIC)
    assert (finding.id, finding.is_serious()) == ("parterre.W001", False)


def test_own_machine_passes() -> None:
    assert checks.settings_check() == []
    parameters.database_require(parameters.connection_parameters())


def test_unreachable_database_is_refused_without_its_password(tmp_path: Path) -> None:
    done = process(
        tmp_path, "-m", "project.launcher.launch", DATABASE_URL="postgresql://me:hidden@127.0.0.1:1/parterre"
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The database that DATABASE_URL names does not answer: ")
    assert "hidden" not in done.stderr
    assert "Traceback" not in done.stderr


@contextmanager
def older_server(folder: Path) -> Iterator[str]:
    """Start PostgreSQL 16, which the wheel also contains, and yield its address."""
    old = programs().parent.parent / "pginstall" / "bin"
    data = folder / "old"
    data.mkdir(mode=0o700)
    runner = runner_for(old / "postgres", data)
    assert runner
    runner.give(data)

    def run(program: str, *arguments: str) -> None:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        done = runner.run([str(old / program), *arguments, f"--pgdata={data}"], cwd="/", **quiet)
        assert done.returncode == 0

    run("initdb", "--username=postgres", "--auth=trust", "--no-sync")
    options = f"-k {data} -c listen_addresses=''"
    run("pg_ctl", "start", "--wait", f"--options={options}", f"--log={data / 'log'}")
    try:
        yield f"postgresql://postgres@/postgres?host={data}"
    finally:
        run("pg_ctl", "stop", "--wait", "--mode=immediate")


def test_too_old_database_server_is_refused(tmp_path: Path) -> None:
    with older_server(tmp_path) as address:
        done = process(tmp_path, "-m", "project.launcher.launch", DATABASE_URL=address)
    sentence = "The database server is PostgreSQL 16, but it must be 17 or newer.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)


DEPLOYED = {
    "PUBLIC_URL": "https://parterre.example",
    "SECRET_KEY": string.ascii_letters + string.digits,
    "BEHIND_PROXY": "1",
    "EMAIL_URL": "smtps://user:password@mail.example:465",
    "DATABASE_URL": "postgresql://parterre:password@database.example/parterre",
    "GOOGLE_CLIENT_ID": "client.apps.example",
    "GOOGLE_CLIENT_SECRET": "secret",
    "LOG_FORMAT": "json",
}


def finding_ids(folder: Path, **environment: str) -> set[str]:
    """Return the ids of what the checks of a deployment find in the settings of this environment."""
    with checked_settings(folder, **environment):
        found = [*run_checks(tags=[Tags.security], include_deployment_checks=True), *settings_check()]
        return {str(each.id) for each in found if not each.is_silenced()}


def test_deployment_passes_all_checks(tmp_path: Path) -> None:
    command = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    done = process(tmp_path, *command, **DEPLOYED)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "System check identified no issues (2 silenced)."
    assert finding_ids(tmp_path, **DEPLOYED) == set()


def test_mistakes_of_a_deployment_are_found(tmp_path: Path) -> None:
    def check(case: tuple[dict[str, str], str]) -> None:
        environment, name = case
        assert name in finding_ids(tmp_path, **(DEPLOYED | environment))

    check_each(
        [
            ({"DEBUG": "1"}, "security.W018"),
            ({"PUBLIC_URL": "http://localhost:8000", "BEHIND_PROXY": ""}, "security.W016"),
            ({"SECRET_KEY": "x" * 40}, "security.W009"),
            ({"BEHIND_PROXY": ""}, "parterre.E007"),
            ({"EMAIL_URL": ""}, "parterre.W001"),
        ],
        check,
    )
