"""Commands as the browser gives them: one key, one answer (docs/howto/add-a-command.md)."""

from typing import Any
from uuid import uuid4

from tests.screen import Screen

Answer = dict[str, Any]


async def command(screen: Screen, name: str, argument: str | int = "", /, *, key: str = "", **fields: Any) -> Answer:
    """Do what a form or button with these `data-command` and `data-argument` does; returns the answer to this time."""
    key = key or uuid4().hex
    known = len(answers(screen, key))
    screen.command(name, argument=str(argument), fields=fields, key=key)
    await answered(screen, key, known + 1)
    return answers(screen, key)[known]


async def answered(screen: Screen, key: str, times: int = 1) -> None:
    """Wait until this key was answered so many times."""
    await screen._until(lambda: len(answers(screen, key)) >= times, f"no answer to {key}")


def answers(screen: Screen, key: str = "") -> list[Answer]:
    """The answers that came over the present socket, to this key or to all."""
    return [each for each in screen.frames if each["type"] == "answer" and key in ("", each["key"])]
