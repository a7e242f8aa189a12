"""The results of a search, grouped by kind, with the matches marked in the original texts."""

from collections.abc import Sequence
from urllib.parse import urlencode

from apps.accounts.actors import Viewer
from apps.community.selectors.words import PostSubject, post_subjects
from apps.core.texts import Texts, texts
from apps.search.enums import Kind
from apps.search.limits import HITS_SHOWN, TOTAL_MOST
from apps.search.results import Found, Group, Hit, Marks
from apps.search.selectors import found
from components.parts.covered_texts import EVERYTHING, TOPICS, Covered, lines_or_rows, sight_of, sighted
from components.runtime import (
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    covered_by,
    html,
    public_part,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import badge, link
from components.ui.empty_states import empty
from components.ui.people import NAMED

PATH = "/search"
RESULTS = "search_results"  # the slot's name
# sources of gettext
NAMES = {
    Kind.PARTICIPANT: "Performers",
    Kind.PIECE: "Pieces",
    Kind.SESSION: "Sessions",
    Kind.STAGE: "Stages",
    Kind.NEWS: "News",
    Kind.POST: "Posts",
}
# what can be found is written with these; "profiles" because a post is found by its author
_TOPICS = (
    *("featured_participants", "participants.removed", "pieces", "sessions", "stages", "latest_news"),
    *("community", "reports", "profiles"),
)


def search_address(words: str, kind: str = "") -> str:
    """Return the address of the results for these words, of one kind or of all."""
    fields = {"q": words} | ({"kind": kind} if kind else {})
    return f"{PATH}?{urlencode(fields)}"


def corrected_words(answer: Found, t: Texts) -> str:
    """Return what was searched for instead of the typed words, empty if those were found."""
    return (
        t("Nothing found for “{typed}”. Showing “{words}”.").format(typed=answer.words, words=answer.corrected)
        if answer.corrected
        else ""
    )


@public_part(topics=lambda *_: _TOPICS)
def search_results(words: str, kind: str, sight: str, *, language: str) -> VdomDict:
    """What viewers with this sight find with these words."""
    return _results(words, kind, sight, language, is_administrator=False)


@public_part(topics=lambda *_: _TOPICS)
def search_results_all(words: str, kind: str, sight: str, *, language: str) -> VdomDict:
    """What an administrator with this sight finds with these words."""
    return _results(words, kind, sight, language, is_administrator=True)


@public_part(topics=lambda *_: ())  # it never changes; its inner part does
def search_answer(words: str, kind: str, *, language: str) -> VdomDict:
    """The results of a search."""
    return html.div(slot(RESULTS, 0), shared_part(search_results(words, kind, EVERYTHING, language=language)))


def search_slots(*, words: str, kind: str, language: str) -> SlotQuery:
    """Return the query that shows administrators also what is not public, and covers texts about performances."""
    return slot_query(search_fills, topics=("account.<id>", *TOPICS), words=words, kind=kind, language=language)


def search_fills(*, viewer: Viewer, words: str, kind: str, language: str) -> Fills:
    """Return the results with what is not public, for administrators, and without covered texts.

    At most two queries, none for viewers without covered texts.
    """
    if not viewer.is_admin and not viewer.covers_texts:
        return {}
    results = search_results_all if viewer.is_admin else search_results
    return {f"{RESULTS}:0": covered_by(results(words, kind, sight_of(viewer), language=language))}


def hits_sighted(group: Group, sight: str) -> Sequence[Hit | Covered]:
    """Return the hits of a group as a viewer with this sight sees them. One query for posts, none with EVERYTHING."""
    if group.kind is not Kind.POST or sight == EVERYTHING:
        return group.hits
    about, nothing = post_subjects(ids=[hit.object_id for hit in group.hits]), PostSubject(None, None)
    return sighted(
        group.hits,
        sight,
        lambda hit: about.get(hit.object_id, nothing).subject,
        lambda hit: about.get(hit.object_id, nothing).author_id,
    )


def _results(words: str, kind: str, sight: str, language: str, *, is_administrator: bool) -> VdomDict:
    t, most = texts(language), TOTAL_MOST if kind else HITS_SHOWN
    answer = found(words, is_administrator=is_administrator, most=most)
    groups = [group for group in answer.groups if kind in ("", group.kind)]
    if not answer.words:
        return html.div(html.p({"class": "muted"}, t("Names, pieces in any language, opus numbers, sessions, news.")))
    if not groups:
        return html.div(
            html.p({"class": "visually-hidden", "role": "status"}, t("Nothing found.")),
            empty(
                t("Nothing found for “{words}”.").format(words=answer.words), ("/participants", t("All participants"))
            ),
        )
    total = sum(group.total for group in groups)
    words_of = [corrected_words(answer, t), t.plural("%(n)d result", "%(n)d results", total)]
    return html.div(
        html.p({"class": "small muted", "role": "status"}, " ".join(filter(None, words_of))),
        *(_group(group, answer, kind, sight, t) for group in groups),
        html.p(link(search_address(answer.words), t("Results of all kinds"))) if kind else None,
    )


def _group(group: Group, answer: Found, kind: str, sight: str, t: Texts) -> VdomDict:
    name = f"found-{group.kind.value}"
    left = group.total - len(group.hits)
    more = t.plural("One more", "%(n)d more", left) if left else ""
    if left and not kind:
        way: Markup = link(search_address(answer.words, group.kind.value), more)
    else:
        way = html.span({"class": "muted small"}, more) if left else None
    return html.section(
        {"key": name, "class": "found", "aria-labelledby": name},
        html.h2({"id": name}, t(NAMES[group.kind])),
        html.ol(*lines_or_rows(hits_sighted(group, sight), lambda hit: _hit(hit, t), t)),
        html.p(way) if way else None,
    )


def _hit(hit: Hit, t: Texts) -> VdomDict:
    name = NAMED if hit.kind is Kind.PARTICIPANT else {}
    return html.li(
        {"key": f"{hit.kind.value}-{hit.object_id}"},
        html.a({"class": "found__title", "href": hit.address} | name, *marked(hit.title, hit.title_marks)),
        *((" ", badge(t("not public"), "quiet")) if not hit.is_public else ()),
        html.p({"class": "small muted"}, *marked(hit.detail, hit.detail_marks)) if hit.detail else None,
    )


def marked(text: str, marks: Marks) -> list[Markup]:
    """Return a text with its matches marked."""
    pieces: list[Markup] = []
    place = 0
    for start, end in marks:
        pieces += [text[place:start], html.mark(text[start:end])]
        place = end
    return [*pieces, text[place:]]
