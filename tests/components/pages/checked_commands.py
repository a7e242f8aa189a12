"""Send commands and check their answers: a success, a refusal, or the refusals of several wrong values."""

from collections.abc import Iterable, Mapping
from typing import Any

from tests.commanding import Answer, command
from tests.screen import Screen

Case = tuple[Mapping[str, Any], str | None, str]


async def succeed(screen: Screen, name: str, argument: str | int, sentence: str, /, **fields: Any) -> Answer:
    """Send the command, check that it succeeds with this sentence, and return its answer."""
    answer = await command(screen, name, argument, **fields)
    assert (answer["ok"], answer["text"]) == (True, sentence)
    return answer


async def be_refused(screen: Screen, name: str, argument: str | int, sentence: str, /, **fields: Any) -> Answer:
    """Send the command, check that it is refused with this sentence, and return its answer."""
    answer = await command(screen, name, argument, **fields)
    assert (answer["ok"], answer["text"]) == (False, sentence)
    return answer


async def check_refusals(
    screen: Screen, name: str, argument: str | int, cases: Iterable[Case], valid: Mapping[str, Any] | None = None
) -> None:
    """Send the command once for each case: wrong fields, the field that the answer names, and its sentence.

    `valid` are the fields that a case does not replace. A sentence that ends with "…" is the beginning of the answer's.
    """
    offenders = []
    for wrong, field, sentence in cases:
        answer = await command(screen, name, argument, **{**(valid or {}), **wrong})
        beginning = sentence.removesuffix("…")
        is_expected = answer["text"].startswith(beginning) if beginning != sentence else answer["text"] == sentence
        if answer["ok"] or answer.get("field") != field or not is_expected:
            offenders.append(f"{wrong}: {answer}")
    assert not offenders, "\n".join(offenders)


UNREADABLE = "This page and the server no longer understand each other. Please reload the page."
