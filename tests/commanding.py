"""Send commands as the browser does, and wait for their answers by idempotency key (docs/howto/add-a-command.md)."""

from typing import Any
from uuid import uuid4

from tests.screen import Screen

Answer = dict[str, Any]


async def command(screen: Screen, name: str, argument: str | int = "", /, *, key: str = "", **fields: Any) -> Answer:
    """Send the command of a form or button with this `data-command` and `data-argument`. Return its answer."""
    key = key or uuid4().hex
    known = len(answers(screen, key))
    screen.command(name, argument=str(argument), fields=fields, key=key)
    await answered(screen, key, known + 1)
    return answers(screen, key)[known]


async def answered(screen: Screen, key: str, times: int = 1) -> None:
    """Wait until there are this many answers to the key."""
    await screen._until(lambda: len(answers(screen, key)) >= times, f"no answer to {key}")


def answers(screen: Screen, key: str = "") -> list[Answer]:
    """Return the answers that came over the current socket, to this key or to all keys."""
    return [each for each in screen.frames if each["type"] == "answer" and key in ("", each["key"])]
