"""Texts about performances that are covered for a member until the member has marked or asked for them (ADR 43).

    @texts_part(lambda session_id: (f"session.{session_id}.comments",))
    def session_comments(session_id: int, sight: str, *, language: str) -> VdomDict:
        rows = sighted(found, sight, subject_of, author_of)      # with `sight`, covered rows are one `Covered` each

    Page(parts={"comments": (ref := session_comments(7, language="en"))}, slots=(texts_slots(ref, session_id=7),))

A list of texts is declared with `texts_part`: pages list a part with a slot, which contains the whole list. The fills
of a member with the choice cover all of these slots, and show in each listed one the list as this member sees it. Its
parameter `sight` names the performances that the member has heard; members with equal ones share it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from apps.accounts.actors import Viewer
from apps.community.selectors.words import subjects_written
from apps.core.texts import Texts
from apps.ratings.selectors.covering import performances_heard
from components.runtime import (
    Fill,
    Fills,
    Markup,
    Ref,
    SlotQuery,
    VdomDict,
    command_button,
    covered,
    covered_by,
    html,
    public_part,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import visually_hidden

TEXTS = "texts"  # the slots' name: lists of texts about performances
EVERYTHING = ""  # the sight of visitors and of members without the choice
TOPICS = ("account.<id>.ratings", "account.<id>.words")
Row = TypeVar("Row")
Subject = tuple[int, str] | None  # a performance and its participant's name; None: about no performance


@dataclass(frozen=True, slots=True)
class Covered:
    """The texts of a list about one performance, in the place of the first of them."""

    appearance_id: int
    performer: str
    count: int


@dataclass(frozen=True, slots=True)
class TextsPart:
    """A list of texts: `shown` is the part that pages list, `of_sight` the list with the parameter `sight`."""

    shown: Callable[..., Ref]
    of_sight: Callable[..., Ref]

    def __call__(self, *parameters: str | int, language: str) -> Ref:
        """Return a reference to the part that pages list."""
        return self.shown(*parameters, language=language)


_LISTS: dict[str, Callable[..., Ref]] = {}  # the lists with a sight, by the name of the part that pages list


def texts_part(topics: Callable[..., Iterable[str]], **more: Any) -> Callable[[Callable[..., Any]], TextsPart]:
    """Declare a function of plain parameters, `sight` and `language` as a list of texts about performances."""

    def register(markup: Callable[..., Any]) -> TextsPart:
        name = markup.__name__

        def outer(*parameters: str | int, language: str) -> VdomDict:
            ref = of_sight(*parameters, EVERYTHING, language=language)
            return html.div(slot(TEXTS, _key(name, parameters)), shared_part(ref))

        markup.__name__, outer.__name__, outer.__doc__ = f"{name}_of_sight", name, markup.__doc__
        of_sight = public_part(lambda *parameters: topics(*parameters[:-1]), **more)(markup)
        shown = public_part(lambda *_: ())(outer)  # it never changes; its inner part does
        _LISTS[name] = of_sight
        return TextsPart(shown, of_sight)

    return register


def _key(name: str, parameters: Iterable[str | int]) -> str:
    return "-".join([name, *map(str, parameters)])


def texts_slots(*refs: Ref, **within: int) -> SlotQuery:
    """Return the query that covers texts on a page, and shows in these lists what the viewer sees of them.

    `within` is the id of the session, stage or participant that all of their texts are about, by the name of the
    parameter of `performances_heard`.
    """
    return slot_query(texts_fills, topics=TOPICS, refs=refs, within=tuple(within.items()))


def texts_fills(*, viewer: Viewer, refs: tuple[Ref, ...], within: tuple[tuple[str, int], ...]) -> Fills:
    """Return the fills of a viewer with covered texts, none for others. At most two queries, none for others."""
    if viewer.id is None or not viewer.covers_texts:
        return {}
    sight = sight_read(user_id=viewer.id, **dict(within))
    fills: dict[str, Fill] = {TEXTS: covered()}
    for ref in refs:
        own = _LISTS[ref.part.name](*ref.parameters, sight, language=ref.language)
        fills[f"{TEXTS}:{_key(ref.part.name, ref.parameters)}"] = covered_by(own)
    return fills


def sight_topics(viewer: Viewer) -> tuple[str, ...]:
    """Return the topics that change the sight of a viewer; none without the choice."""
    return tuple(each.replace("<id>", str(viewer.id)) for each in TOPICS) if viewer.covers_texts else ()


def sight_of(viewer: Viewer) -> str:
    """Return the sight of a viewer: EVERYTHING without the choice. At most two queries."""
    return sight_read(user_id=viewer.id) if viewer.id is not None and viewer.covers_texts else EVERYTHING


def sight_read(*, user_id: int, **within: int) -> str:
    """Return the sight of a member with covered texts: the performances that are not covered. Two queries.

    The member's id is a part of it only if the member wrote about a covered performance: own texts always show.
    """
    heard = performances_heard(user_id=user_id, **within)
    has_written = not subjects_written(user_id=user_id) <= frozenset(heard)
    return f"{user_id if has_written else 0}:{'-'.join(map(str, heard))}"


def sees(sight: str, appearance_id: int | None, author_id: int | None) -> bool:
    """Return whether a text about this performance, by this author, is shown."""
    if sight == EVERYTHING or appearance_id is None:
        return True
    author, _, heard = sight.partition(":")
    return str(appearance_id) in heard.split("-") or (author_id is not None and str(author_id) == author)


def sighted(
    rows: Collection[Row], sight: str, subject_of: Callable[[Row], Subject], author_of: Callable[[Row], int | None]
) -> list[Row | Covered]:
    """Return the rows of a list, with those about each covered performance together as one `Covered`."""
    places: dict[int, int] = {}
    shown: list[Row | Covered] = []
    for row in rows:
        subject = subject_of(row)
        if subject is None or sees(sight, subject[0], author_of(row)):
            shown.append(row)
            continue
        appearance_id, performer = subject
        place = places.setdefault(appearance_id, len(shown))
        if place == len(shown):
            shown.append(Covered(appearance_id, performer, 0))
        line = shown[place]
        if isinstance(line, Covered):
            shown[place] = replace(line, count=line.count + 1)
    return shown


def lines_or_rows(
    shown: Iterable[Row | Covered], draw: Callable[[Row], VdomDict], t: Texts, *, has_name: bool = True
) -> Iterator[VdomDict]:
    """Yield the items of a list: covered texts as their line, others as `draw` returns them."""
    for each in shown:
        yield covered_line(each, t, has_name=has_name) if isinstance(each, Covered) else draw(each)


def covered_line(line: Covered, t: Texts, *, has_name: bool = True) -> VdomDict:
    """Return the item with the number of covered texts, and the button that shows them."""
    return html.li(_own(line), *_line(line, t, has_name))


def covered_words(line: Covered, t: Texts, *, has_name: bool = True) -> VdomDict:
    """Return the same as a paragraph."""
    return html.p(_own(line), *_line(line, t, has_name))


def count_words(line: Covered, t: Texts) -> str:
    """Return the number of covered texts as a sentence."""
    return t.plural("%(n)d text about this performance.", "%(n)d texts about this performance.", line.count)


def _own(line: Covered) -> dict[str, str]:
    return {"class": "covered-texts small muted", "key": f"covered-{line.appearance_id}"}


def _line(line: Covered, t: Texts, has_name: bool) -> tuple[Markup, ...]:  # noqa: FBT001
    show = command_button("texts_show", line.appearance_id, busy=t("Processing..."))
    name = (html.strong({"translate": "no"}, line.performer), ": ") if has_name else ()
    return (
        *name,
        count_words(line, t),
        " ",
        html.button({"class": "link"} | show, t("Show"), visually_hidden(f": {line.performer}", has_name=True)),
    )
