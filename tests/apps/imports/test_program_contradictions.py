"""Test lines that contradict themselves: each candidate shares the line's name, key or number."""

import os
from itertools import product

from apps.imports.enums import LineStatus
from apps.imports.program_lines.matching import Why
from tests.apps.imports.program_lines import CONTRADICTORY, UNKNOWN, one, short

STEP = 31 if "EXAMPLES" in os.environ else 127  # of titles, keys and numbers; `make soak` reads more of them
CHOICES = {
    "Scherzo in B-flat minor, Op. 20": ["20", "31"],  # the name and the only piece of the opus, or name and key
    "Etude in C minor, Op. 10 No. 4": ["10/4", "10/12"],  # the number, or the key
    "Mazurka in A minor, Op. 10": ["7/2", "10/2", "17/4", "59/1", "67/4", "68/2"],  # the key; the others: name and key
    "Nocturne in C-sharp minor, Op. 10 No. 4": ["10/4", "27/1"],
    "Etude “Winter Wind” Op. 10 No. 4": ["10/4", "25/11"],
}


def number_of(piece):
    return {piece.number, piece.other_number, *piece.series}


def test_contradictory_line_offers_its_candidates(catalogue):
    for text, expected in CHOICES.items():
        line = one(text, catalogue)
        assert line.status == CONTRADICTORY, text
        assert [piece for piece in short(line.choices) if not piece.startswith(("BI", "posth"))] == expected, text


def test_opus_of_another_name_offers_no_candidates(catalogue):
    line = one("Mazurkas Op. 10", catalogue)
    assert (line.status, line.why, line.choices) == (UNKNOWN, Why.OTHER_TITLE, ())


def test_every_candidate_shares_name_key_or_number_of_its_line(catalogue):
    """The oracle is independent of the matching: it compares the written facts with the catalogue's."""
    titles = sorted({piece.title for piece in catalogue.pieces})
    keys = sorted({piece.key for piece in catalogue.pieces})
    places = sorted({(piece.opus, piece.number) for piece in catalogue.pieces if piece.opus.isdigit()}, key=str)
    places += sorted({(opus, None) for opus, _ in places}, key=str)
    contradictory = 0
    for title, key, (opus, number) in list(product(titles, keys, places))[::STEP]:
        written = f"{title.capitalize()} in {key}, Op. {opus}" + (f" No. {number}" if number else "")
        line = one(written, catalogue)
        if line.status != LineStatus.CONTRADICTORY:
            continue
        contradictory += 1
        for each in line.choices:
            piece = each.piece
            has_number = number is not None and number in number_of(piece)
            assert piece.title == title or piece.key == key or has_number, (written, piece.name)
    assert contradictory > 5_270 / STEP
