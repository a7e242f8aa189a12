"""The answer to a command that was posted without JavaScript, for the page that shows it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from apps.accounts.actors import Viewer
from apps.accounts.selectors import answer_get
from apps.core.threads import in_thread
from components.ui.controls.posted_answer import COMMAND


async def posted_of(address: str, viewer: Viewer) -> Mapping[str, Any] | None:
    """Return the stored answer that the address names, if it is this viewer's; else None."""
    answer_id = parse_qs(address.partition("?")[2]).get("answer", [""])[0]
    if not (answer_id and viewer.is_signed_in):
        return None
    found = await in_thread(lambda: answer_get(answer_id=answer_id, user_id=viewer.id or 0))
    return found[1] | {"id": answer_id} if found and found[0] == COMMAND else None
