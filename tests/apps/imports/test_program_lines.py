"""Lines of programs: as people published them (programme_lines.csv), as others might, and any text at all."""

import csv
import re
import time
from pathlib import Path

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django.plugin import DjangoDbBlocker

from apps.competition.enums import Category
from apps.competition.services import catalogue_load
from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.matching import Why
from apps.imports.selectors import catalogue_get
from tests.factories import PieceFactory

PUBLISHED = Path(__file__).with_name("programme_lines.csv")
MATCHED, EXPANDED, AMBIGUOUS = LineStatus.MATCHED, LineStatus.EXPANDED, LineStatus.AMBIGUOUS
CONTRADICTORY, UNKNOWN, NOISE = LineStatus.CONTRADICTORY, LineStatus.UNKNOWN, LineStatus.NOISE
# Of the published lines: those of several pieces, and those that name none (their notes say why).
SEVERAL = {
    "4 Mazurken op. 24": ["24/1", "24/2", "24/3", "24/4"],
    "Etudes op.25 no.6, no.5 and op.10 no.4": ["25/6", "25/5", "10/4"],
    "Scherzos no.1 and 2": ["20", "31"],
}
NONE = {
    "Piano Sonata in B minor Op. 58": UNKNOWN,
    "Etude in C major, Op. 10 No. 13": UNKNOWN,
    "Etude in D major, Op. 10 No. 1": CONTRADICTORY,
}
# Others like them: written here by hand, in the manner of programme books, agencies and forums.
WRITTEN = {
    "Etiuda a-moll op. 25 nr 11": "25/11",
    "Étude en ut majeur op. 10 n° 1": "10/1",
    "Étude op.10 n°3 en mi majeur « Tristesse »": "10/3",
    "Etüde Nr. 12 c-Moll op. 10": "10/12",
    "Etude in C, Op. 10 No. 1": "10/1",
    "Revolutionary Etude": "10/12",
    "Revolutionsetüde": "10/12",
    'Etiuda Ges-dur "na czarnych klawiszach" op. 10 nr 5': "10/5",
    "エチュード ハ短調 作品10-12《革命》": "10/12",
    "練習曲 ハ長調 作品10の1": "10/1",
    "夜想曲第8番 変ニ長調 Op.27-2": "27/2",
    "スケルツォ第3番嬰ハ短調 Op.39": "39",
    "マズルカ 第13番 イ短調 作品17の4": "17/4",
    "练习曲 a小调 Op.25 No.11 “冬风”": "25/11",
    "肖邦 #c小调夜曲 Op.27 No.1": "27/1",
    "夜曲 降E大调 作品9之2": "9/2",
    "降b小调第二谐谑曲 作品31": "31",
    "a小调玛祖卡 作品17第4首": "17/4",
    "E大调第四谐谑曲 Op.54": "54",
    "녹턴 올림 다단조 Op. 27 No. 1": "27/1",
    "야상곡 8번 내림라장조 op.27-2": "27/2",
    "연습곡 가단조 작품 25-11 “겨울바람”": "25/11",
    "에튀드 C장조 Op.10 No.1": "10/1",
    "스케르초 2번 내림나단조 Op. 31": "31",
    "마주르카 가단조 작품번호 17의 4": "17/4",
    "Scherzo III": "39",
    "Scherzo n. 2 in si bemolle minore op. 31": "31",
    "Mazurka en la mineur, op. 59 nº 1": "59/1",
    "Nocturne H-Dur op. 32 Nr. 1": "32/1",
    "Nocturne c-Moll op. 48/1": "48/1",
    "B-Dur Mazurka op. 17 nr. 1": "17/1",
    "Mazurka in B flat minor, Op.24, No.4": "24/4",
    "Mazurka No. 49 in F minor": "68/4",
    "Mazurka in F minor, op. posth. 68 no. 4": "68/4",
    "Mazurka a-moll „Notre temps”": "BI 134",
    "Mazurka in G major, BI 16 No. 1": "BI 16/1",
    "Nocturne in C-sharp minor, Op. posth.": "posth.",
    "ノクターン 第20番 嬰ハ短調 遺作": "posth.",
    "Nocturne in E minor, Op. posth. 72 No. 1": "72/1",
    "Mazurka in D major, Op. 33 No. 2": "33/3",  # the number that German editions give it
    "Nokturn H-dur op. 62 nr 1 / Nocturne in B major Op. 62 No. 1": "62/1",
    "F. Chopin – Etude Op.10 No.4 in C# minor": "10/4",
    "ad. 3) Etiuda As-dur op. 25 nr 1": "25/1",
    "Mazurka in A minor, Op. 17 No. 4 – encore": "17/4",
    "Nocturne (E-flat major) Op 9 no 2 4'30\"": "9/2",
    "Nocturne in B\u266d minor, Op.\u00a09 No.\u202f1": "9/1",
}
WRITTEN_SEVERAL = {
    "Nocturnes Op. 27": ["27/1", "27/2"],
    "4つのマズルカ 作品24": ["24/1", "24/2", "24/3", "24/4"],
    "Four Mazurkas, Op. 17": ["17/1", "17/2", "17/3", "17/4"],
    "3 Mazurkas Op. 59: A minor, A-flat major, F-sharp minor": ["59/1", "59/2", "59/3"],
    "Mazurkas Op. 59 Nos. 1-3": ["59/1", "59/2", "59/3"],
    "Etude Op. 10 nos 1, 4 & 8": ["10/1", "10/4", "10/8"],
    "Mazurki op. 24 nr 1 i 2": ["24/1", "24/2"],
    "Etudes 10/4, 25/6": ["10/4", "25/6"],
    "Etude in F major Op. 10 No. 8 & Etude in A minor Op. 25 No. 11": ["10/8", "25/11"],
    "2 Etiudy: C-dur op. 10 nr 1, a-moll op. 25 nr 11": ["10/1", "25/11"],
    "Mazurek C-dur op. 24 nr 2; Scherzo h-moll op. 20": ["24/2", "20"],
}
WRITTEN_NONE = {
    "Nocturne in C minor": (AMBIGUOUS, ["48/1", "posth."]),
    "Etude in C-sharp minor": (AMBIGUOUS, ["10/4", "25/7"]),
    "Mazurka op. 33 no. 2": (AMBIGUOUS, ["33/2", "33/3"]),  # German editions begin with D major
    "Nocturne Op. 9 No. 2, Ballade Op. 23": (AMBIGUOUS, ["9/2"]),
    "5 Mazurkas Op. 24": (AMBIGUOUS, ["24/1", "24/2", "24/3", "24/4"]),
    "Scherzo in B-flat minor, Op. 20": (CONTRADICTORY, ["20", "31"]),
    "Mazurka in B-flat major Op. 7 No. 5": (CONTRADICTORY, ["7/1", "7/5"]),
    "Nocturne in C major, Op. 10 No. 1": (CONTRADICTORY, ["10/1"]),
    "Etude “Winter Wind” Op. 10 No. 4": (CONTRADICTORY, ["10/4", "25/11"]),
    "Barcarolle in F-sharp major, Op. 60": (UNKNOWN, []),
    "Ballade in G minor, Op. 23": (UNKNOWN, []),
    "Sonata in B-flat minor: Scherzo": (UNKNOWN, []),
    "Liszt: Etude in F minor Op. 10 No. 9": (UNKNOWN, []),
    "Szymanowski Mazurka op. 50 no. 1": (UNKNOWN, []),
    "Trois nouvelles études, No. 1 in F minor": (UNKNOWN, []),
    "Fantaisie-Impromptu": (UNKNOWN, []),
    "Scherzo No. 5": (UNKNOWN, []),
    "No. 7": (UNKNOWN, []),
    "Zofia Nowak": (UNKNOWN, []),
    "20:40": (NOISE, []),
    "17 October 2025, 10:00": (NOISE, []),
    "Stage II": (NOISE, []),
    "Stage I – Zofia Wróblewska-Łęcka": (NOISE, []),
    "------": (NOISE, []),
    "https://youtu.be/XXXXXXXXXXX": (NOISE, []),
}


@pytest.fixture(scope="module")
def catalogue(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Catalogue:
    """The competition's catalogue, read from the database once."""
    with django_db_blocker.unblock(), transaction.atomic():
        catalogue_load()
        found = catalogue_get()
        transaction.set_rollback(True)
    return found


def short(pieces: object) -> list[str]:
    """Opus and number of pieces, as one says them."""
    return [f"{each.piece.opus}/{each.piece.number}" if each.piece.number else each.piece.opus for each in pieces]


def one(text: str, catalogue: Catalogue):
    (line,) = program_read(text, catalogue)
    return line


def test_every_published_line_is_read_as_published(catalogue):
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 33
    for row in rows:
        text = row["raw_line"]
        line = one(text, catalogue)
        if text in NONE:
            assert (line.status, line.pieces) == (NONE[text], ()), text
        elif text in SEVERAL:
            assert (line.status, short(line.pieces)) == (EXPANDED, SEVERAL[text]), text
        else:
            wanted = "/".join(filter(None, (row["opus"], row["number"]))) or "10/2"  # of "Étude in A minor … (NFD"
            assert (line.status, short(line.pieces)) == (MATCHED, [wanted]), text


@pytest.mark.parametrize(("text", "wanted"), WRITTEN.items())
def test_a_line_that_names_one_piece(text, wanted, catalogue):
    line = one(text, catalogue)
    assert (line.status, short(line.pieces)) == (MATCHED, [wanted])


@pytest.mark.parametrize(("text", "wanted"), WRITTEN_SEVERAL.items())
def test_a_line_that_names_several(text, wanted, catalogue):
    line = one(text, catalogue)
    assert (line.status, short(line.pieces)) == (EXPANDED, wanted)


@pytest.mark.parametrize(("text", "wanted"), WRITTEN_NONE.items())
def test_a_line_that_names_none_for_certain(text, wanted, catalogue):
    line = one(text, catalogue)
    assert (line.status, short(line.choices), line.pieces) == (*wanted, ())


def test_why_a_line_names_none(catalogue):
    for text, why in (
        ("Etude in C major, Op. 10 No. 13", Why.NO_SUCH_NUMBER),
        ("Polonaise Op. 53", Why.NO_SUCH_OPUS),
        ("Scherzo in B-flat minor, Op. 20", Why.OTHER_KEY),
        ("Nocturne in C major, Op. 10 No. 1", Why.OTHER_TITLE),
        ("5 Mazurkas Op. 24", Why.OTHER_COUNT),
    ):
        assert one(text, catalogue).why == why, text


# Ways to write one piece in full, each from what is known of it.
GERMAN_TITLE = {"etude": "Etüde", "nocturne": "Nocturne", "scherzo": "Scherzo", "mazurka": "Mazurka"}
POLISH_TITLE = {"etude": "Etiuda", "nocturne": "Nokturn", "scherzo": "Scherzo", "mazurka": "Mazurek"}
JAPANESE_TITLE = {"etude": "練習曲", "nocturne": "ノクターン", "scherzo": "スケルツォ", "mazurka": "マズルカ"}
KOREAN_TITLE = {"etude": "연습곡", "nocturne": "녹턴", "scherzo": "스케르초", "mazurka": "마주르카"}


def german_key(key: str, minor: str, major: str) -> str:
    """B minor is h-moll, B-flat minor b-moll, E-flat major Es-Dur."""
    name, mode = key.split()
    letter, _, sign = name.partition("-")
    if sign == "flat":
        stem = {"B": "B", "E": "Es", "A": "As"}.get(letter, f"{letter}es")
    else:
        stem = {"B": "H"}.get(letter, letter) + ("is" if sign else "")
    return f"{stem.lower()}-{minor}" if mode == "minor" else f"{stem}-{major}"


def japanese_key(key: str) -> str:
    name, mode = key.split()
    letter, _, sign = name.partition("-")
    kana = dict(zip("CDEFGAB", "ハニホヘトイロ", strict=True))[letter]
    return {"sharp": "嬰", "flat": "変", "": ""}[sign] + kana + ("短調" if mode == "minor" else "長調")


def korean_key(key: str) -> str:
    name, mode = key.split()
    letter, _, sign = name.partition("-")
    hangul = dict(zip("CDEFGAB", "다라마바사가나", strict=True))[letter]
    return {"sharp": "올림", "flat": "내림", "": ""}[sign] + hangul + ("단조" if mode == "minor" else "장조")


def styles(piece: CataloguePiece) -> list[str]:
    """The ways of this test to write a piece of the catalogue."""
    found = [piece.name, piece.name.upper(), piece.name.replace(",", ""), f"• {piece.name} (3:05)"]
    if not piece.opus.isdecimal():
        return found
    signed = piece.key.replace("-sharp", "♯").replace("-flat", "♭")
    number = piece.number
    for title, key, opus in (
        (
            GERMAN_TITLE[piece.title],
            german_key(piece.key, "Moll", "Dur"),
            f"op. {piece.opus}" + (f" Nr. {number}" if number else ""),
        ),
        (
            POLISH_TITLE[piece.title],
            german_key(piece.key, "moll", "dur"),
            f"op. {piece.opus}" + (f" nr {number}" if number else ""),
        ),
        (f"Chopin: {piece.title}", f"in {signed}", f"Op.{piece.opus}" + (f"/{number}" if number else "")),
        (JAPANESE_TITLE[piece.title], japanese_key(piece.key), f"作品{piece.opus}" + (f"-{number}" if number else "")),
        (
            KOREAN_TITLE[piece.title],
            korean_key(piece.key),
            f"작품번호 {piece.opus}" + (f" {number}번" if number else ""),
        ),
    ):
        found += [f"{title} {key} {opus}", f"{key} {title}, {opus}", f"{title} {opus} {key}", f"{key} ({opus})"]
    return found


def test_every_piece_in_every_style_is_read_as_itself(catalogue):
    count = 0
    for piece in catalogue.pieces:
        for text in styles(piece):
            line = one(text, catalogue)
            assert (line.status, [each.piece.id for each in line.pieces]) == (MATCHED, [piece.id]), text
            count += 1
    assert count > 2000


def test_names_added_by_hand_are_read_in_the_specified_format_and_as_they_stand(db):
    catalogue_load()
    bare = {"title": "", "key": "", "opus": "", "number": None}
    barcarolle = PieceFactory(name="Barcarolle in F-sharp major, Op. 60", category=Category.NOCTURN, **bare)
    rondo = PieceFactory(name="Rondo à la mazur", category=Category.MAZUREK, **bare)
    souvenir = PieceFactory(name="Souvenir de Paganini in A major", category=Category.MAZUREK, **bare)
    found = catalogue_get()
    for text, piece in (
        ("barcarolle in f-sharp major, op. 60", barcarolle),
        ("Barkarola Fis-dur op. 60", barcarolle),
        ("RONDO A LA MAZUR", rondo),
        ("Souvenir de Paganini in A major", souvenir),
        ("Paganini in a major", souvenir),
    ):
        line = one(text, found)
        assert (line.status, [each.piece.id for each in line.pieces]) == (MATCHED, [piece.pk]), text
    assert one("Souvenir de Paganini in A minor", found).status == UNKNOWN
    assert one("Op. 6", found).status != MATCHED  # which is not a part of "Op. 60"


def test_a_heading_names_the_slot_and_what_the_lines_below_leave_out(catalogue):
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


def test_times_and_links_say_where_a_piece_begins(catalogue):
    for text, second, url in (
        ("Scherzo No. 1 0:35", 35, ""),
        ("0:35 Scherzo No. 1", 35, ""),
        ("[1:02:35] Scherzo No. 1", 3755, ""),
        ("Scherzo No. 1 (9:40)", None, ""),  # which may be how long it lasts
        ("Scherzo No. 1 (9'40'')", None, ""),
        ("Scherzo No. 1 https://youtu.be/XXXXXXXXXXX?t=1h2m35s", 3755, "https://youtu.be/XXXXXXXXXXX?t=1h2m35s"),
        ("Scherzo No. 1 youtu.be/XXXXXXXXXXX 0:35", 35, "https://youtu.be/XXXXXXXXXXX?t=35"),
        ("Scherzo No. 1 https://example.org/XXXXXXXXXXX", None, ""),
    ):
        line = one(text, catalogue)
        assert (line.status, line.second, line.url) == (MATCHED, second, url), text
    rising = "Scherzo No. 1 (0:10)\nScherzo No. 2 (9:40)"
    assert [line.second for line in program_read(rising, catalogue)] == [10, 580]
    lasting = "Scherzo No. 1 (9:40)\nScherzo No. 2 (9:39)"
    assert [line.second for line in program_read(lasting, catalogue)] == [None, None]


def test_what_stands_twice_is_left_out_once(catalogue):
    lines = program_read("Scherzo No. 1\nScherzo h-moll op. 20", catalogue)
    assert [(line.status, line.same_as) for line in lines] == [(MATCHED, None), (NOISE, 1)]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=400))
def test_no_text_breaks_it(text):
    for line in program_read(text, Catalogue(())):
        assert not line.pieces
        assert 0 < line.number <= len(text.splitlines())


WORDS = [
    *"abcdefgh",
    "op.",
    "no.",
    "10",
    "25",
    "/",
    "-",
    "etude",
    "in",
    "sharp",
    "minor",
    "第",
    "番",
    "升",
    "変",
    "다",
    "(",
    "3:05",
    "'",
    " ",
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40).map("".join))
def test_no_mixture_of_its_own_words_breaks_it(text):
    program_read(text, Catalogue(()))


@pytest.mark.parametrize(
    "word", ["op. 10 no. ", "no. 1, ", "c", "((((", "1:00 ", "升", "https://", "in c sharp ", "第一", "' "]
)
def test_a_long_line_takes_time_in_proportion_to_its_length(word, catalogue):
    def seconds(length: int) -> float:
        text = (word * length)[:length]
        best = []
        for _ in range(5):
            begun = time.process_time()
            program_read(text, catalogue)
            best.append(time.process_time() - begun)
        return min(best)

    assert seconds(20_000) < 8 * 4 * max(seconds(5_000), 0.001)  # quadratic would be 16 times, and grow


def test_every_series_and_other_number_is_of_a_piece(catalogue):
    numbers = [number for piece in catalogue.pieces for number in piece.series if piece.title == "mazurka"]
    assert sorted(set(numbers)) == list(range(1, 52))
    assert len([piece for piece in catalogue.pieces if piece.other_number]) == 6
    assert re.fullmatch(r"\d+", catalogue.pieces[0].opus)
