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
HELPERS = {"command_button", "command_form", "delete_button", "move", "posted_button"}
QUEUE_ARGUMENTS = {"selected_command", "matching_command"}  # of a moderation queue
UNDO_COMMANDS = {RATING_MODERATION.undo_command, REPORT_MODERATION.undo_command}
SENT_BY_ANSWERS = {
    "live_restore",
    "prizes_restore",
    "planned_times_shift_back",
}  # the browser offers an answer's `undo`
SENT_BY_SCRIPTS = {"rating_keep", "ratings_take_over"}  # while marks are struck, and after a sign-in


def named_commands() -> set[str]:
    """Return the commands that components name: first arguments of HELPERS, and arguments of moderation queues."""
    sources = [path.read_text() for path in Path(components.__path__[0]).rglob("*.py")]
    trees = [ast.parse(source) for source in sources if any(name in source for name in HELPERS | QUEUE_ARGUMENTS)]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = {
        str(call.args[0].value)
        for call in calls
        if (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) in HELPERS
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }
    keywords = [keyword for call in calls for keyword in call.keywords]
    return named | {
        str(keyword.value.value)
        for keyword in keywords
        if keyword.arg in QUEUE_ARGUMENTS and isinstance(keyword.value, ast.Constant)
    }


def decorated_functions() -> set[str]:
    """Return the functions that the sources of the apps decorate as commands, whether Django imports them or not."""
    return {name for path in Path(apps.__path__[0]).rglob("*.py") for name in COMMAND.findall(path.read_text())}


def test_components_name_exactly_the_registered_commands() -> None:
    registered = {name for name, entry in REGISTERED.items() if entry.work.__module__.startswith("apps.")}
    assert len(registered) >= 70
    assert named_commands() | UNDO_COMMANDS | SENT_BY_ANSWERS | SENT_BY_SCRIPTS == registered
    assert registered == decorated_functions()
    modules = [entry.work.__module__ for entry in REGISTERED.values()]
    assert [name for name in modules if name.startswith("apps.") and not name.split(".")[2].endswith("commands")] == []
