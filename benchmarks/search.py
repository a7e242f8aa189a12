"""The time of a search with 2,000 and with 200,000 entries, in one run (`make bench ONLY=search`).

Entries are made in SQL: posts with words of a vocabulary in which some are frequent and most are rare, beside 84
participants and the catalogue.
"""

import statistics
import time
from typing import Any

SMALL, LARGE = 2_000, 200_000
ROUNDS = 30
QUERIES = {
    "a name": "kaldunski",
    "two words, in any order": "kaldunski jan",
    "half a word": "kaldun",
    "a short beginning": "ka",
    "a frequent word": "chopin",
    "two frequent words": "chopin piano",
    "a frequent and a rare word": "chopin w1777",
    "a frequent beginning and a rare word": "cho w1777",
    "a rare word": "w1777",
    "a word of one letter": "a",
    "a piece": "op 10/4",
    "nothing": "xqzzt",
}
AIM = 2.0
"""The highest ratio of both times."""

_FILL = """
INSERT INTO search_entries (kind, object_id, is_public, weight, title, detail, text, folded, words)
SELECT 'post', number, true, number, 'Post ' || number, '', text, '|',
    (SELECT string_agg(DISTINCT quote_literal('po~' || word), ' ') FROM unnest(string_to_array(text, ' ')) AS word)
        ::tsvector
FROM (
    SELECT number, 'chopin piano a ' || CASE number %% 3 WHEN 0 THEN 'kawai ' ELSE 'steinway ' END
        || string_agg('w' || floor(power(random(), 3) * 20000)::int, ' ') AS text
    FROM generate_series(1, %s) AS number, generate_series(1, 12) AS words
    WHERE words > 0 GROUP BY number
) AS post
"""
_NAMES = """
INSERT INTO search_entries (kind, object_id, is_public, weight, title, detail, text, folded, words)
SELECT 'participant', number, true, 0, name, 'Poland', '', '| ' || lower(name) || ' |',
    (SELECT string_agg(quote_literal('pa' || mark || word), ' ')
        FROM unnest(string_to_array(lower(name), ' ')) AS word, unnest(ARRAY['=', '~']) AS mark)::tsvector
FROM (
    SELECT number, CASE number WHEN 1 THEN 'Jan Kaldunski' ELSE 'First' || number || ' Last' || number END AS name
    FROM generate_series(1, 84) AS number
) AS participant
"""


def fill(cursor: Any, entries: int) -> None:
    """Replace all entries by the catalogue, 84 participants, and posts up to this number."""
    from apps.competition.services.pieces import catalogue_load

    cursor.execute("TRUNCATE search_entries")
    cursor.execute("DELETE FROM pieces")
    catalogue_load()
    cursor.execute(_NAMES)
    cursor.execute("SELECT setseed(0.45)")
    cursor.execute(_FILL, [entries - 84 - 105])
    cursor.execute("ANALYZE search_entries")  # as autovacuum does


def times() -> dict[str, float]:
    """Return the milliseconds of each query, the median of ROUNDS, without kept answers."""
    from apps.search.kept import answers_forget
    from apps.search.selectors import found

    taken: dict[str, list[float]] = {name: [] for name in QUERIES}
    for _ in range(ROUNDS):
        for name, typed in QUERIES.items():
            answers_forget()
            began = time.perf_counter()
            found(typed, is_administrator=False, language="en", most=8)
            taken[name].append((time.perf_counter() - began) * 1000)
    return {name: statistics.median(each) for name, each in taken.items()}
