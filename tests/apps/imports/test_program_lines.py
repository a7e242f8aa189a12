"""Test program lines: published ones (programme_lines.csv) and invented variants."""

import csv
import re
from pathlib import Path

from apps.competition.enums import Category
from apps.competition.services.catalogue import catalogue_load
from apps.imports.program_lines.matching import Why
from apps.imports.selectors.programs import catalogue_get
from tests.apps.imports.program_lines import AMBIGUOUS, CONTRADICTORY, EXPANDED, MATCHED, NOISE, UNKNOWN, one, short
from tests.factories import PieceFactory
from tests.offenders import check_each

PUBLISHED = Path(__file__).with_name("programme_lines.csv")
# Published lines of several pieces, and lines without a piece; notes in the file give the reason.
SEVERAL = {
    "4 Mazurken op. 24": ["24/1", "24/2", "24/3", "24/4"],
    "Etudes op.25 no.6, no.5 and op.10 no.4": ["25/6", "25/5", "10/4"],
    "Scherzos no.1 and 2": ["20", "31"],
}
NONE = {
    "Etude in C major, Op. 10 No. 13": UNKNOWN,
    "Etude in D major, Op. 10 No. 1": CONTRADICTORY,
}
# Invented lines, in the style of programme books, agencies and forums.
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
    "Nocturne Op. 9 No. 2, Ballade Op. 23": ["9/2", "23"],
    "Barcarolle, Berceuse": ["60", "57"],
    "Mazurkas Op. 33 Nos. 1-4": ["33/1", "33/2", "33/3", "33/4"],  # in the order of any edition
}
WRITTEN_NONE = {
    "Nocturne in C minor": (AMBIGUOUS, ["48/1", "posth."]),
    "Etude in C-sharp minor": (AMBIGUOUS, ["10/4", "25/7"]),
    "Mazurka op. 33 no. 2": (AMBIGUOUS, ["33/2", "33/3"]),  # German editions begin with D major
    "Nocturne Op. 9 No. 2, Ballade Op. 24": (AMBIGUOUS, ["9/2"]),
    "5 Mazurkas Op. 24": (AMBIGUOUS, ["24/1", "24/2", "24/3", "24/4"]),
    "Scherzo in B-flat minor, Op. 20": (CONTRADICTORY, ["20", "31"]),
    "Mazurka in B-flat major Op. 7 No. 5": (CONTRADICTORY, ["7/1", "7/5"]),
    "Nocturne in C major, Op. 10 No. 1": (CONTRADICTORY, ["10/1"]),
    "Etude “Winter Wind” Op. 10 No. 4": (CONTRADICTORY, ["10/4", "25/11"]),
    "Barcarolle in F-sharp major, Op. 65": (UNKNOWN, []),
    "Ballade in G minor, Op. 123": (UNKNOWN, []),
    "Liszt: Etude in F minor Op. 10 No. 9": (UNKNOWN, []),
    "Szymanowski Mazurka op. 50 no. 1": (UNKNOWN, []),
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


def test_published_lines_are_read_as_published(catalogue):
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
            piece = "/".join(filter(None, (row["opus"], row["number"]))) or ("58" if "Sonata" in text else "10/2")
            assert (line.status, short(line.pieces)) == (MATCHED, [piece]), text


def test_invented_lines_are_read_as_expected(catalogue):
    expected = {text: (MATCHED, [piece]) for text, piece in WRITTEN.items()}
    expected |= {text: (EXPANDED, pieces) for text, pieces in WRITTEN_SEVERAL.items()}

    def check(text):
        line = one(text, catalogue)
        if text in WRITTEN_NONE:
            assert (line.status, short(line.choices), line.pieces) == (*WRITTEN_NONE[text], ())
        else:
            assert (line.status, short(line.pieces)) == expected[text]

    check_each([*expected, *WRITTEN_NONE], check, at_least=80)


def test_unmatched_line_has_its_reason(catalogue):
    for text, why in (
        ("Etude in C major, Op. 10 No. 13", Why.NO_SUCH_NUMBER),
        ("Polonaise Op. 52", Why.OTHER_TITLE),
        ("Polonaise Op. 75", Why.NO_SUCH_OPUS),
        ("Scherzo in B-flat minor, Op. 20", Why.OTHER_KEY),
        ("Nocturne in C major, Op. 10 No. 1", Why.OTHER_TITLE),
        ("5 Mazurkas Op. 24", Why.OTHER_COUNT),
    ):
        assert one(text, catalogue).why == why, text


def test_pieces_added_by_hand_are_matched_by_name(db):
    catalogue_load()
    bare = {"title": "", "key": "", "opus": "", "number": None}
    barcarolle = PieceFactory(name="Barcarolle in G major, Op. 160", category=Category.BARCAROLLE, **bare)
    rondo = PieceFactory(name="Rondo fantastique", category=Category.RONDO, **bare)
    souvenir = PieceFactory(name="Souvenir de Vienne in A major", category=Category.OTHER, **bare)
    PieceFactory(name="Ballade in B minor", category=Category.BALLADE, composer="Franz Liszt", key="B minor")
    catalogue = catalogue_get()
    for text, piece in (
        ("barcarolle in g major, op. 160", barcarolle),
        ("Barkarola G-dur op. 160", barcarolle),
        ("RONDO FANTASTIQUE", rondo),
        ("Souvenir de Vienne in A major", souvenir),
        ("Vienne in a major", souvenir),
    ):
        line = one(text, catalogue)
        assert (line.status, [each.piece.id for each in line.pieces]) == (MATCHED, [piece.pk]), text
    for text in ("Souvenir de Vienne in A minor", "Op. 16", "Chopin: Ballade h-moll"):
        assert one(text, catalogue).pieces == () or one(text, catalogue).pieces[0].piece.opus == "16", text
    assert one("Barcarolle", catalogue).status == AMBIGUOUS


def test_every_number_in_a_series_belongs_to_a_piece(catalogue):
    numbers = [number for piece in catalogue.pieces for number in piece.series if piece.title == "mazurka"]
    assert sorted(set(numbers)) == list(range(1, 52))
    assert len([piece for piece in catalogue.pieces if piece.other_number]) == 8
    assert re.fullmatch(r"\d+", catalogue.pieces[0].opus)
