"""The order of playing in a session's form: its field, and the list that its module draws of it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from apps.competition.limits import ORDER_MOST
from apps.competition.selectors.admin import AppearanceRow, ParticipantOption, participant_options
from apps.core.limits import SEARCH_LENGTH
from apps.core.text_rules.names import search_texts
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from components.markup import VdomDict, component, event, html, use_state, web_module
from components.pages.admin.choices import PARTICIPANT, find_name

WAIT = 200  # milliseconds between two searches
NAME = "participant_ids"
ORDER = web_module("modules/backstage/running-order.js", "RunningOrder")
Option = tuple[int, str, str, str]  # id, name, country, what the name is searched in


def search_read(sent: Sequence[Any]) -> tuple[str, list[int]] | None:
    """Return the words that a browser searches for, and the ids whose names it misses; None for malformed data."""
    match sent:
        case [{"text": str(text), "ids": [*ids]}] if len(ids) <= ORDER_MOST and all(type(pk) is int for pk in ids):
            return text[:SEARCH_LENGTH], [pk for pk in ids if 0 < pk < 2**63]
    return None


@component
def running_order(
    playing: Mapping[int, AppearanceRow], options: Sequence[ParticipantOption], language: str
) -> VdomDict:
    """The field with the ids in their order, and the list; participants are searched for among all there are."""
    t, (found, set_found) = texts(language), use_state(lambda: _options(playing, options))

    async def on_search(*sent: Any) -> None:
        asked = search_read(sent)
        if asked is not None:
            text, ids = asked
            read = partial(participant_options, query=text, chosen=tuple(ids))
            set_found(_options({}, await in_thread(read)))

    # the field stands in the page from the beginning, so that a draft finds it
    own = {"name": NAME, "id": NAME, "defaultValue": ",".join(map(str, playing)), "class": "visually-hidden"}
    drawn = {"name": NAME, "find": find_name(PARTICIPANT), "options": found, "words": _words(t)} | {
        "onSearch": event(on_search, throttle=WAIT)
    }
    return html.div(html.input(own | {"type": "text", "tabIndex": -1, "aria-hidden": "true"}), ORDER(drawn))


def _options(playing: Mapping[int, AppearanceRow], options: Sequence[ParticipantOption]) -> list[Option]:
    rows = {option.id: option for option in options} | dict(playing)
    return [(pk, row.name, row.country, search_texts(row.name)) for pk, row in rows.items()]


def _words(t: Texts) -> dict[str, str]:
    return {
        "add": t("Add a participant"),
        "search": t("Search by name"),
        "empty": t("Nobody is in the order of playing yet."),
        "none": t("No participants found matching your criteria."),
        "gone": t("No longer there"),
        "take": t("Remove"),
        "remove": t("Remove: {name}"),
        "up": t("Move up: {name}"),
        "down": t("Move down: {name}"),
        "moved": t("{name}: now {number} of {count}."),
        "removed": t("{name} removed."),
        "added": t("{name} added as number {number}."),
    }
