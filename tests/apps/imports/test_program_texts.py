"""Test the parsing of program texts: headings, times, links, duplicates and arbitrary text."""

import time

from hypothesis import given
from hypothesis import strategies as st

from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.matching import Why
from tests.apps.imports.program_lines import AMBIGUOUS, MATCHED, NOISE, one, short
from tests.offenders import check_each


def test_heading_gives_slot_title_and_opus_to_its_lines(catalogue):
    text = """Zofia Nowak
    Etiudy op. 10:
    C-dur nr 1
    Nocturne
    Etude in E major, Op. 10 No. 3
    Etude Op. 25
    a-moll nr 11
    Mazurkas Op. 59

    No. 1 in A minor
    No. 2
    Scherzo
    Mazurka in C major, Op. 24 No. 2"""
    lines = program_read(text, catalogue, names=["Zofia Nowak"])
    assert [line.number for line in lines] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13]
    assert [(*short(line.pieces), *(each.slot for each in line.pieces)) for line in lines if line.status != NOISE] == [
        ("10/1", "etiuda_a"),
        ("10/3", "nocturn"),
        ("25/11", "etiuda_b"),
        ("59/1", "mazurek"),
        ("59/2", "mazurek"),
        ("24/2", "mazurek"),
    ]


def test_line_with_an_opus_is_a_heading_only_above_its_pieces(catalogue):
    for text, read in (
        ("Etudes Op. 10\n19:30\nC-dur nr 1", [[], [], ["10/1"]]),
        ("Etudes Op. 10 & 25:\nEtude Op. 10 No. 1\nEtude Op. 25 No. 11", [[], ["10/1"], ["25/11"]]),
        ("Etudes Op. 10, 1 and 2\nScherzo No. 1", [["10/1", "10/2"], ["20"]]),
    ):
        assert [short(line.pieces) for line in program_read(text, catalogue)] == read, text
    for text in ("Etudes Op. 10", "Etudes Op. 10\nEtudes Op. 25", "Etudes Op. 10\nEtude Op. 25 No. 11"):
        line = program_read(text, catalogue)[0]
        assert (line.status, line.why, line.is_several) == (AMBIGUOUS, Why.HEADING, True), text
    damaged = program_read("Mazurkas Op. 24\nNo. 1\nMazurkas Op. 6?\nNo. 1", catalogue)
    assert [short(line.pieces) for line in damaged] == [[], ["24/1"], [], []]
    numbers = program_read("Etudes Op. 10:\n1, 2\n4", catalogue)[1:]
    assert [(line.status, short(line.choices)) for line in numbers] == [
        (AMBIGUOUS, ["10/1", "10/2"]),
        (AMBIGUOUS, ["10/4"]),
    ]


def test_times_and_links_give_the_start_of_a_piece(catalogue):
    for text, second, url in (
        ("Scherzo No. 1 0:35", 35, ""),
        ("0:35 Scherzo No. 1", 35, ""),
        ("[1:02:35] Scherzo No. 1", 3755, ""),
        ("Scherzo No. 1 (9:40)", None, ""),  # perhaps a duration
        ("Scherzo No. 1 (9'40'')", None, ""),
        ("Scherzo No. 1 https://youtu.be/XXXXXXXXXXX?t=1h2m35s", 3755, "https://youtu.be/XXXXXXXXXXX?t=3755"),
        ("Scherzo No. 1 https://youtu.be/XXXXXXXXXXX&amp;t=95", 95, "https://youtu.be/XXXXXXXXXXX?t=95"),
        ("Scherzo No. 1 (m.YouTube.com/watch?v=XXXXXXXXXXX&t=95)", 95, "https://youtu.be/XXXXXXXXXXX?t=95"),
        ("Scherzo No. 1 youtu.be/XXXXXXXXXXX 0:35", 35, "https://youtu.be/XXXXXXXXXXX?t=35"),
        ("Scherzo No. 1 https://example.org/XXXXXXXXXXX", None, ""),
    ):
        line = one(text, catalogue)
        assert (line.status, line.second, line.url) == (MATCHED, second, url), text
    for link in (
        "youtu.be/XXXXXXXXXXX?t=later",
        "https://youtu.be/XXXX?t=5",
        "https://www.youtube.com/playlist?list=P",
    ):
        line = one(f"Scherzo No. 1 {link}", catalogue)
        assert (line.status, line.why, line.second, line.url) == (LineStatus.UNKNOWN, Why.BAD_LINK, None, ""), link
    rising = "Scherzo No. 1 (0:10)\nScherzo No. 2 (9:40)"
    assert [line.second for line in program_read(rising, catalogue)] == [10, 580]
    lasting = "Scherzo No. 1 (9:40)\nScherzo No. 2 (9:39)"
    assert [line.second for line in program_read(lasting, catalogue)] == [None, None]


def test_repeated_piece_is_left_out(catalogue):
    lines = program_read("Scherzo No. 1\nScherzo h-moll op. 20", catalogue)
    assert [(line.status, line.same_as) for line in lines] == [(MATCHED, None), (NOISE, 1)]


@given(st.text(max_size=400))
def test_any_text_is_parsed(text):
    for line in program_read(text, Catalogue(())):
        assert not line.pieces
        assert 0 < line.number <= len(text.splitlines())


WORDS = [*"abcdefgh", *"op. no. 10 25 / - etude in sharp minor 第 番 升 変 다 ( 3:05 '".split(), " "]


@given(st.lists(st.sampled_from(WORDS), max_size=40).map("".join))
def test_any_mixture_of_known_words_is_parsed(text):
    program_read(text, Catalogue(()))


LONG = ("op. 10 no. ", "no. 1, ", "op. 10 1 ", "op. 10 without no. 1 ", "Ã‰", "no. 1 to 60 ", "c", "((((", "1:00 ")
LONG += ("升", "https://", "in c sharp ", "第一", "' ")


def test_parsing_time_grows_linearly_with_the_line(catalogue):
    def seconds(word: str, length: int) -> float:
        text, best = (word * length)[:length], []
        for _ in range(3):
            begun = time.process_time()
            program_read(text, catalogue)
            best.append(time.process_time() - begun)
        return min(best)

    # a linear time is 16 times as long, a quadratic one 256 times
    check_each(LONG, lambda word: seconds(word, 4_000) < 4 * 16 * max(seconds(word, 250), 0.0001))
