"""`manage.py check --deploy` of Django and this site, run in a process with the settings of a deployment."""

import string
from pathlib import Path

import pytest

from tests.project.config.test_settings import process

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


def check(folder: Path, **environment: str) -> "tuple[int, str]":
    done = process(folder, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **environment)
    return done.returncode, done.stdout + done.stderr


def test_a_deployment_has_nothing_to_be_told(tmp_path: Path) -> None:
    code, said = check(tmp_path, **DEPLOYED)
    assert (code, said.splitlines()[0]) == (0, "System check identified no issues (2 silenced).")


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"DEBUG": "1"}, "security.W018"),
        ({"PUBLIC_URL": "http://localhost:8000", "BEHIND_PROXY": ""}, "security.W016"),
        ({"SECRET_KEY": "x" * 40}, "security.W009"),
        ({"BEHIND_PROXY": ""}, "parterre.E007"),
        ({"EMAIL_URL": ""}, "parterre.W001"),
    ],
)
def test_what_is_missing_is_found(tmp_path: Path, change: dict[str, str], found: str) -> None:
    code, said = check(tmp_path, **(DEPLOYED | change))
    assert code == 1
    assert found in said
