"""Reads of the search.

Of each kind the HEAVIEST entries are looked through, which are all of most kinds. Only when a kind has more, and too
few of those match, the index is asked for the others, at most TOTAL_MOST of each certainty. So a search costs as much
in a large table as in a small one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import connection

from apps.search.corrections import corrected, vocabulary
from apps.search.entries import ANYWHERE, NAMED
from apps.search.enums import Kind
from apps.search.inflections import inflected, may_be_inflected
from apps.search.limits import EXCERPT_FROM, HEAVIEST, HIT_DETAIL, TOTAL_MOST
from apps.search.marks import begin_of, excerpt, marks, missing
from apps.search.queries import Query, query_read
from apps.search.results import Found, Group, Hit

_ADDRESSES = {
    Kind.PARTICIPANT: "/participants/{}",
    Kind.PIECE: "/pieces/{}",
    Kind.SESSION: "/sessions/{}",
    Kind.STAGE: "/stages/{}",
    Kind.NEWS: "/news/{}",
    Kind.POST: "/community?post={}",
}
_ORDER = (Kind.PARTICIPANT, Kind.PIECE, Kind.STAGE, Kind.SESSION, Kind.NEWS, Kind.POST)  # of equally certain hits
_ENTRY = "id, kind, object_id, weight, folded, words"
_SHOWN = "(is_public OR %(all)s)"
# The certainty of a match: 0 a whole name, 1 words of a name in this order, 2 such words with the last one half typed,
# 3 whole words of names, 4 beginnings of words of names, 5 whole words of anything, 6 beginnings of words of anything.
_CERTAINTY = """
CASE WHEN strpos(entry.folded, %(name)s) > 0 THEN 0
    WHEN strpos(entry.folded, %(phrase)s) > 0 THEN 1
    WHEN strpos(entry.folded, %(begun)s) > 0 THEN 2
    WHEN entry.words @@ asked.named_whole THEN 3
    WHEN entry.words @@ asked.named THEN 4
    WHEN entry.words @@ asked.whole THEN 5
    ELSE 6 END"""
_NAMED = 4  # the least certainty of a match by a name
_INDEXED = f"""
    (SELECT {_ENTRY} FROM search_entries WHERE is_large AND words @@ {{asked}} AND {_SHOWN}
        AND (SELECT count(*) FROM heaviest WHERE heaviest.kind = asked.kind AND certainty <= {{least}}) < %(most)s
        LIMIT %(most)s)"""  # noqa: S608 - our own columns
_FIND = f"""
WITH asked AS (
    SELECT kind, place, named_whole::tsquery, named::tsquery, whole::tsquery, anything::tsquery,
        (SELECT entry.id FROM search_entries AS entry WHERE entry.kind = given.kind
            ORDER BY weight DESC, object_id DESC OFFSET %(heaviest)s LIMIT 1) IS NOT NULL AS is_large
    FROM unnest(%(kinds)s::text[], %(named_whole)s::text[], %(named)s::text[], %(whole)s::text[], %(anything)s::text[])
        WITH ORDINALITY AS given (kind, named_whole, named, whole, anything, place)
), heaviest AS MATERIALIZED (
    SELECT entry.id, entry.kind, place, entry.object_id, entry.weight, entry.folded, {_CERTAINTY} AS certainty
    FROM asked CROSS JOIN LATERAL (
        SELECT {_ENTRY} FROM search_entries WHERE kind = asked.kind AND {_SHOWN}
        ORDER BY weight DESC, object_id DESC LIMIT %(heaviest)s
    ) AS entry
    WHERE entry.words @@ asked.anything OR entry.words @@ asked.named
), found AS (
    SELECT * FROM heaviest
    UNION
    SELECT entry.id, entry.kind, place, entry.object_id, entry.weight, entry.folded, {_CERTAINTY}
    FROM asked CROSS JOIN LATERAL (
        {_INDEXED.format(asked="asked.named_whole", least=3)}
        UNION ALL {_INDEXED.format(asked="asked.named", least=_NAMED)}
        UNION ALL {_INDEXED.format(asked="asked.anything", least=6)}
    ) AS entry
), ranked AS (
    SELECT id, place, certainty, count(*) OVER (PARTITION BY kind) AS total,
        row_number() OVER (PARTITION BY kind ORDER BY certainty, weight DESC, folded, object_id DESC) AS number
    FROM found
)
SELECT place, certainty, least(total, %(most)s), entry.kind, entry.object_id, entry.title, entry.detail,
    left(entry.text, %(read)s), entry.is_public
FROM (SELECT * FROM ranked WHERE number <= %(shown)s) AS shown CROSS JOIN LATERAL (
    SELECT * FROM search_entries AS one WHERE one.id = shown.id OFFSET 0 -- else a plan reads the whole table
) AS entry
ORDER BY place, number
"""  # noqa: S608 - as above


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of the answer."""

    place: int
    certainty: int
    total: int
    kind: str
    object_id: int
    title: str
    detail: str
    text: str
    is_public: bool


def found(typed: str, *, is_administrator: bool, most: int) -> Found:
    """Return what the typed words find, at most `most` hits of each kind. One query.

    One to four more if no name was found and a word looks like an inflected name or a slip. Only administrators find
    what is not public.
    """
    query = query_read(typed)
    if not query.terms:
        return Found(query.words, "", ())
    groups, is_named = _search(query, is_administrator=is_administrator, most=most)
    if is_named or (groups and not may_be_inflected(query)):
        return Found(query.words, "", groups)
    known = vocabulary()
    if names := inflected(query, known):
        groups, _ = _search(names, is_administrator=is_administrator, most=most)
    if groups or not (other := corrected(query.words, known)):
        return Found(query.words, "", groups)
    groups, _ = _search(query_read(other), is_administrator=is_administrator, most=most)
    return Found(query.words, other if groups else "", groups)


def _search(query: Query, *, is_administrator: bool, most: int) -> tuple[tuple[Group, ...], bool]:
    """Return the hits of a query, and whether one was found by its name. One query."""
    parameters: dict[str, Any] = {
        "kinds": [kind.value for kind in _ORDER],
        "named_whole": [query.tsquery(kind, NAMED, is_whole=True) for kind in _ORDER],
        "named": [query.tsquery(kind, NAMED, is_whole=False) for kind in _ORDER],
        "whole": [query.tsquery(kind, ANYWHERE, is_whole=True) for kind in _ORDER],
        "anything": [query.tsquery(kind, ANYWHERE, is_whole=False) for kind in _ORDER],
        "name": f"| {query.phrase} |",
        "phrase": f" {query.phrase} ",
        "begun": f" {query.phrase}",
        "all": is_administrator,
        "heaviest": HEAVIEST,
        "most": TOTAL_MOST,
        "shown": most,
        "read": EXCERPT_FROM,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FIND, parameters)
        rows = [_Row(*row) for row in cursor.fetchall()]
    groups = [list(group) for _, group in groupby(rows, key=lambda row: row.kind)]
    groups.sort(key=lambda group: (group[0].certainty, group[0].place))
    is_named = bool(groups) and groups[0][0].certainty <= _NAMED
    return tuple(_group(group, query) for group in groups), is_named


def _group(rows: Sequence[_Row], query: Query) -> Group:
    return Group(Kind(rows[0].kind), tuple(_hit(row, query) for row in rows), rows[0].total)


def _hit(row: _Row, query: Query) -> Hit:
    kind, detail = Kind(row.kind), _detail(row, query)
    return Hit(
        kind,
        row.object_id,
        row.title,
        detail,
        _ADDRESSES[kind].format(row.object_id),
        marks(row.title, query),
        marks(detail, query),
        row.is_public,
    )


def _detail(row: _Row, query: Query) -> str:
    """Return the second line: an excerpt of the text if title and second line do not show all that was searched for."""
    around = ""
    if row.text and (others := missing(query.terms, row.title, row.detail)):
        around = excerpt(row.text, others)
    detail = around or row.detail
    return detail if len(detail) <= HIT_DETAIL else excerpt(detail, query.terms) or begin_of(detail)
