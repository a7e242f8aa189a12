"""Selects for a session or a participant in the form of a list, with a search for options beyond the first ones.

The search text is part of the address, as every field of such a form. With JavaScript the options follow the typed
text; without it the form is submitted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from apps.competition.limits import OPTIONS_MOST
from apps.competition.selectors.admin.participants import ParticipantOption, participant_options
from apps.competition.selectors.admin.sessions import SessionOption, session_options
from apps.core.database.fields import venue_zone
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.runtime import Query, VdomDict
from components.ui.forms import field, select
from components.ui.people import NAMED
from components.ui.venue_time import day_text

SESSION, PARTICIPANT = "session", "participant"  # names of the fields
Pairs = Sequence[tuple[str, str]]  # values and labels


class _Option(Protocol):
    @property
    def id(self) -> int:
        """Return the row's id."""


Option = TypeVar("Option", bound=_Option)


@dataclass(frozen=True, slots=True)
class Choice(Generic[Option]):
    """The options: the rows `found` by the search text `find`, and `chosen` ones that it did not find."""

    find: str
    found: tuple[Option, ...]
    chosen: tuple[Option, ...] = ()

    @property
    def options(self) -> tuple[Option, ...]:
        """Return all options."""
        return (*self.found, *self.chosen)

    @property
    def is_empty(self) -> bool:
        """Return whether there is no option, even without a search."""
        return not self.options and not self.find

    @property
    def is_searched(self) -> bool:
        """Return whether the search field is shown: if the options may be incomplete, or a search text is set."""
        return bool(self.find) or len(self.found) >= OPTIONS_MOST


def session_choice(query: Query, chosen: int = 0) -> Choice[SessionOption]:
    """Return the session options for the search in the address. At most two queries."""
    return _choice(session_options, query.get(find_name(SESSION), ""), chosen)


def participant_choice(query: Query, chosen: int = 0) -> Choice[ParticipantOption]:
    """Return the participant options for the search in the address. At most two queries."""
    return _choice(participant_options, query.get(find_name(PARTICIPANT), ""), chosen)


def _choice(read: Callable[..., tuple[Option, ...]], typed: str, chosen: int) -> Choice[Option]:
    find = typed.strip()[:SEARCH_LENGTH]
    options = read(query=find)
    if not chosen or chosen in {each.id for each in options}:
        return Choice(find, options)
    return Choice(find, options, read(limit=0, chosen=(chosen,)))


def find_name(name: str) -> str:
    """Return the name of the search field for the options of the field `name`."""
    return f"{name}_find"


def session_fields(
    choice: Choice[SessionOption], chosen: int | str | None, language: str, *, first: Pairs = ()
) -> tuple[VdomDict, ...]:
    """Return the select of a session, after its search field if shown; `first` are options before all sessions."""
    t = texts(language)
    pairs = [*first, *((str(each.id), session_words(each, language)) for each in choice.options)]
    searched = _search(choice, SESSION, t("Search all sessions")) if choice.is_searched else ()
    return (*searched, select(_found(t("Session"), choice, t), SESSION, pairs, str(chosen or "")))


def participant_fields(
    choice: Choice[ParticipantOption], chosen: int | None, t: Texts, *, first: Pairs = ()
) -> tuple[VdomDict, ...]:
    """Return the select of a participant, after its search field if shown; `first` are options before all others."""
    pairs = [*first, *((str(each.id), f"{each.name}, {each.country}") for each in choice.options)]
    searched = participant_search(choice, t)
    return (
        *searched,
        select(_found(t("Participant"), choice, t), PARTICIPANT, pairs, str(chosen or ""), stored=lambda _name: NAMED),
    )


def participant_search(choice: Choice[ParticipantOption], t: Texts, **attributes: Any) -> tuple[VdomDict, ...]:
    """Return the field that searches participants; empty if all are already options."""
    return _search(choice, PARTICIPANT, t("Search all participants"), **attributes) if choice.is_searched else ()


def session_words(option: SessionOption, language: str) -> str:
    """Return a session's label: its title, day, and whether it is live."""
    live = texts(language)(" (live)") if option.is_live else ""
    return f"{option.title}, {day_text(option.starts_at, zone=venue_zone(), language=language)}{live}"


def _found(label: str, choice: Choice[Option], t: Texts) -> str:
    """Return the label of a select with the number of matches, because a closed select does not show them."""
    if not choice.find:
        return label
    count = f"{len(choice.found)}+" if len(choice.found) >= OPTIONS_MOST else str(len(choice.found))
    return t("{label}, {n} found").format(label=label, n=count)


def _search(choice: Choice[Option], name: str, label: str, **attributes: Any) -> tuple[VdomDict, ...]:
    own: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"} | attributes
    return (field(label, find_name(name), value=choice.find, **own),)
