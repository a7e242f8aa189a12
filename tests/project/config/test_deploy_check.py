"""`manage.py check --deploy` of Django and this site, with the settings of a deployment."""

import string
from pathlib import Path

from django.core.checks import Tags, run_checks

from project.launcher.checks import settings_check
from tests.offenders import check_each
from tests.project.config.test_settings import checked_settings, process

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


def findings(folder: Path, **environment: str) -> set[str]:
    """Return the ids of what the checks of a deployment find in the settings of this environment."""
    with checked_settings(folder, **environment):
        found = [*run_checks(tags=[Tags.security], include_deployment_checks=True), *settings_check()]
        return {str(each.id) for each in found if not each.is_silenced()}


def test_deployment_passes_all_checks(tmp_path: Path) -> None:
    command = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    done = process(tmp_path, *command, **DEPLOYED)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "System check identified no issues (2 silenced)."
    assert findings(tmp_path, **DEPLOYED) == set()


def test_mistakes_of_a_deployment_are_found(tmp_path: Path) -> None:
    def check(case: tuple[dict[str, str], str]) -> None:
        environment, name = case
        assert name in findings(tmp_path, **(DEPLOYED | environment))

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
