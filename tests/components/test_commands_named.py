"""Every command that a component names is registered, and a component names every registered command."""

import ast
import re
from pathlib import Path

import apps
import components
from apps.community.services.report_moderation import REPORT_MODERATION
from apps.core.commands import REGISTERED
from apps.ratings.services.rating_moderation import RATING_MODERATION

COMMAND = re.compile(r"^@command\([^@]*?\)\ndef (\w+)\(", re.MULTILINE)
HELPERS = {"command_button", "command_form", "delete_button", "posted_button"}
DESK = {"selected_command", "matching_command"}  # arguments of a moderation queue
UNDONE = {each.undo_command for each in (RATING_MODERATION, REPORT_MODERATION)}
SENT_BY_ANSWERS = {"live_restore", "planned_times_shift_back"}  # the browser offers an answer's `undo`
SENT_BY_SCRIPTS = {"rating_keep", "ratings_take_over"}  # while marks are struck, and after a sign-in


def named() -> set[str]:
    """Return the commands that components name: first arguments of HELPERS, and arguments of moderation queues."""
    trees = [ast.parse(path.read_text()) for path in Path(components.__path__[0]).rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    helped = {
        str(call.args[0].value)
        for call in calls
        if (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) in HELPERS
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }
    keywords = [keyword for call in calls for keyword in call.keywords]
    return helped | {
        str(each.value.value) for each in keywords if each.arg in DESK and isinstance(each.value, ast.Constant)
    }


def decorated() -> set[str]:
    """Return the functions that the sources of the apps decorate as commands, whether Django imports them or not."""
    found = {name for path in Path(apps.__path__[0]).rglob("*.py") for name in COMMAND.findall(path.read_text())}
    assert len(found) >= 70
    return found


def test_what_components_name_is_registered_and_what_is_registered_is_offered() -> None:
    registered = {name for name, each in REGISTERED.items() if each.work.__module__.startswith("apps.")}
    assert named() | UNDONE | SENT_BY_ANSWERS | SENT_BY_SCRIPTS == registered
    assert registered == decorated()


def test_a_command_stands_in_the_commands_of_its_app() -> None:
    for each in REGISTERED.values():
        module = each.work.__module__
        assert not module.startswith("apps.") or module.split(".")[2] == "commands", module
