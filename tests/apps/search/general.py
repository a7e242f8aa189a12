"""Reads and rows of the search app for the general tests."""

from apps.search.selectors import found
from tests.apps.reads import Read


def _found(typed: str) -> object:
    return found(typed, is_administrator=False, most=8)


LOOKED_THROUGH = "the entries of the highest weight of each kind are looked through, 500 of each"
READS = {
    "found": [
        Read(lambda: _found("word17"), 8_000, LOOKED_THROUGH),
        Read(lambda: _found("rare9999"), 8_000, LOOKED_THROUGH),
        Read(lambda: _found("wo"), 8_000, LOOKED_THROUGH),
        Read(lambda: _found("nowhere"), 8_000, LOOKED_THROUGH),
    ]
}
ROWS = """
INSERT INTO search_entries (kind, object_id, is_public, weight, title, detail, text, folded, words)
SELECT 'post', number, true, number, 'Post', '', 'word' || number % 50 || ' rare' || number, '|',
    format('%L %L', 'po~word' || number % 50, 'po~rare' || number)::tsvector
FROM generate_series(1, 50000) AS number;
"""
