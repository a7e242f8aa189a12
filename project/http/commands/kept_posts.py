"""Commands that are posted after their session ended: what was typed is kept for its account, for after the sign-in.

The page that was posted says whose it is (`apps/accounts/form_owner.py`), so no other account ever reads it.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from apps.accounts.form_owner import TYPED_BY, form_owner
from apps.accounts.selectors import viewer_get
from apps.accounts.services import answer_keep
from apps.core.commands.registry import refusal
from apps.core.text_rules.characters import is_storable
from apps.core.texts import texts
from components.ui.controls.posted_answer import COMMAND, CONFIRMED, SURE
from project.http.language import request_language
from project.process.command_run import KEYS, CommandRequest
from project.process.web_process import process

KEPT = "You were signed out before this was sent. What you typed is in its form again: please send it once more."


def post_keep(request: HttpRequest, command_request: CommandRequest, path: str) -> str:
    """Keep what was typed; return the address at which its account finds it, empty when there is nothing to keep."""
    owner = viewer_get(user_id=form_owner(request.POST.get(TYPED_BY, "")))
    values, name = _typed(command_request.fields), command_request.name
    data = {"command": name, "argument": command_request.argument, "values": values}
    if owner.id is None or not values or len(values) > KEYS or not is_storable(data):
        return ""
    if not process.connection_limits.post_command(owner.id, name, is_admin=False):
        return ""
    answer = refusal(texts(request_language(request))(KEPT))
    return with_answer(path, str(answer_keep(user_id=owner.id, form=COMMAND, data={**data, "answer": answer})))


def with_answer(path: str, answer_id: str) -> str:
    """Return the address of the page at `path` that shows this answer."""
    return path + ("&" if "?" in path else "?") + urlencode({"answer": answer_id})


def _typed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields but passwords and the yes to a question, which is asked again; none when all are empty."""
    kept = {name: value for name, value in fields.items() if name not in (SURE, CONFIRMED) and "password" not in name}
    return kept if any(kept.values()) else {}
