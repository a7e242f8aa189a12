"""Test program lines of several pieces, with exclusions, unrecognised words or numbers, and damage."""

from apps.imports.program_lines.matching import Why
from tests.apps.imports.program_lines import AMBIGUOUS, EXPANDED, MATCHED, UNKNOWN, one, short
from tests.offenders import check_each

OP_24, OP_27, WITHOUT_3 = ["24/1", "24/2", "24/3", "24/4"], ["27/1", "27/2"], ["24/1", "24/2", "24/4"]
OP_10, OP_25 = ([f"{opus}/{number}" for number in range(1, 13)] for opus in (10, 25))


def test_understood_lines_are_expanded(catalogue):
    lines = (
        ("Nocturnes Op. 9 Nrn. 1, 2", ["9/1", "9/2"]),
        ("Notturni op. 9 nn. 1, 2 e 3", ["9/1", "9/2", "9/3"]),
        ("Mazurcas op. 24 n.os 1 y 2", ["24/1", "24/2"]),
        ("Mazurcas op. 24 n.ºs 1 y 2", ["24/1", "24/2"]),
        ("Mazurkas op. 24 nºs 1 et 2", ["24/1", "24/2"]),
        ("Mazurki op. 24 numery 1 i 2", ["24/1", "24/2"]),
        ("Mazurken op. 24 Nummern 1 und 2", ["24/1", "24/2"]),
        ("Мазурки соч. 24 №№ 1 и 2", ["24/1", "24/2"]),
        ("Mazurkor op. 24 nr 1 och 2", ["24/1", "24/2"]),
        ("Mazurkas Op. 24: 1, 2", ["24/1", "24/2"]),
        ("Mazurkas Op. 24 (1835)", OP_24),
        ("Chopin: 4 Mazurkas, Op. 24 (12')", OP_24),
        ("Четыре мазурки, соч. 24", OP_24),
        ("Mazurkas Op. 24 (1, 2)", ["24/1", "24/2"]),
        ("Études Op. 10 (1, 2, 5)", ["10/1", "10/2", "10/5"]),
        ("Etudes Op. 10, 1 and 2", ["10/1", "10/2"]),
        ("Etudes 10/1,2,5", ["10/1", "10/2", "10/5"]),
        ("Etudes Op. 10 (1, 2) & Op. 25 (6, 11)", ["10/1", "10/2", "25/6", "25/11"]),
        ("Etudes Op. 10 Nos 1 to 3", ["10/1", "10/2", "10/3"]),
        ("Etudes Op. 10, No. 1 to No. 3", ["10/1", "10/2", "10/3"]),
        ("Etiudy op. 10 nr 1 do 3", ["10/1", "10/2", "10/3"]),
        ("Etüden op. 10 Nr. 1 bis 3", ["10/1", "10/2", "10/3"]),
        ("Études op. 10 nos 1 à 3", ["10/1", "10/2", "10/3"]),
        ("Etudes Op. 10 Nos 1…3", ["10/1", "10/2", "10/3"]),
        ("Scherzi 1-3", ["20", "31", "39"]),
        ("Mazurkas Op. 24 without No. 3", WITHOUT_3),
        ("Mazurkas Op. 24 (No. 3 omitted)", WITHOUT_3),
        ("Mazurkas Op. 24 without the A-flat major", WITHOUT_3),
        ("Mazurken op. 24 ohne Nr. 3", WITHOUT_3),
        ("Mazurki op. 24 z wyjątkiem nr 3", WITHOUT_3),
        ("Мазурки соч. 24 без № 3", WITHOUT_3),
        ("マズルカ 作品24 第3番を除く", WITHOUT_3),
        ("Mazurkas Op. 24 zonder 3", WITHOUT_3),
        ("Mazurkas Op. 24 Nos. 1-4 except 3", WITHOUT_3),
        ("Mazurkas Op. 24 without Nos. 1 and 3, Scherzo Op. 20", ["24/2", "24/4", "20"]),
        ("Encores: Nocturnes Op. 27", OP_27),
        ("The Nocturnes of Op. 27", OP_27),
    )

    def check(case):
        text, pieces = case
        line = one(text, catalogue)
        assert (line.status, short(line.pieces)) == (EXPANDED, pieces)

    check_each(lines, check)


def test_lines_with_unknown_words_are_ambiguous(catalogue):
    lines = (
        ("Mazurkas Op. 24 (excerpts)", OP_24),
        ("Selections from Mazurkas Op. 24", OP_24),
        ("selected mazurkas op. 24", OP_24),
        ("Mazurkas Op. 24, first three", OP_24),
        ("First three Mazurkas, Op. 24", OP_24),
        ("Mazurkas Op. 24 I, II", OP_24),
        ("Mazurkas Op. 24 nmb. 1, 2", OP_24),
        ("Mazurkas Op. 24 without the last", OP_24),
        ("Mazurkas Op. 24 without No. 7", OP_24),
        ("Mazurkas Op. 24 all but the first and No. 3", WITHOUT_3),
        ("Etudes Op. 10 & 25", [*OP_10, *OP_25]),
        ("Etudes Op. 10 and Op. 25", [*OP_10, *OP_25]),
        ("Etudes Op. 10", OP_10),  # without a line below, of which it is the heading
        ("Nocturnes Op. 9 & 27", ["9/1", "9/2", "9/3", *OP_27]),
        ("Etudes Op. 10 1 2", OP_10),
        ("Etude Op. 10 (4)", ["10/4"]),
        ("Etudes Op. 10 Nos 6 to 1", OP_10),
        ("Etudes Op. 10, No. 1 - No. 6", OP_10),
        ("10/4", ["10/4"]),  # perhaps the tenth of April
        ("Nocturne Op. 27 No. 1, not No. 2", ["27/1"]),
        ("Nocturnes Op. 27 or Op. 32", [*OP_27, "32/1", "32/2"]),
        ("Nocturne Op. 27 No. 1 oder Nr. 2", OP_27),
        ("Scherzo Op. 20 nmb. 3", ["20"]),
        ("Scherzo Op. 20 (fragment)", ["20"]),
        ("Nocturne Op. 27 No. 1 2", ["27/1"]),
        ("Мазурки соч. 24 (избранное)", OP_24),
        ("マズルカ 作品24より抜粋", OP_24),
    )

    def check(case):
        text, choices = case
        line = one(text, catalogue)
        assert (line.status, line.pieces, short(line.choices)) == (AMBIGUOUS, (), choices)

    check_each(lines, check)
    for text in ("Mazurkas Op. 24 (excerpts)", "Mazurkas Op. 24 without No. 7"):
        assert one(text, catalogue).why == Why.LEFT_OVER, text
    assert one("Scherzo Op. 20 omitted", catalogue).status == UNKNOWN


def test_damaged_line_is_never_certain(catalogue):
    lines = (
        ("Etude in C-sharp minor, Op. 10 No. \ufffd", ["10/4"]),
        ("Et\ufffdde Op. 10 No. 4", ["10/4"]),
        ("Etud? Op. 10 No. 4", ["10/4"]),
        ("Ã‰tude Op. 10 No. 4", ["10/4"]),
        ("&Eacute;tude Op. 10 No. 4", ["10/4"]),
        ("=C3=89tude Op. 10 No. 4", ["10/4"]),
        ("Etude Op. 10 No. 1=", ["10/1"]),  # the line goes on below
        ("Etude Op. 10 No. 1O", ["10/1"]),
        ("Etude Op. 10 No. 1…", ["10/1"]),
        ("Etude Op. 10 No. 1-", ["10/1"]),
        ("Etude Op. 10 No. 1 and", ["10/1"]),
        ("Nocturne in D-flat major, Op. 27 No.", ["27/2"]),
        ("Etude Op. l0 No. 4", ["10/4", "25/4"]),
        ("Etude Op. 1\ufffd No. 4", []),
        ("????? ?? ?????, ??. 48 ? 1", []),
    )

    def check(case):
        text, choices = case
        line = one(text, catalogue)
        status = AMBIGUOUS if choices else UNKNOWN
        assert (line.status, line.why, line.pieces, short(line.choices)) == (status, Why.DAMAGED, (), choices)

    check_each(lines, check)
    for text in (
        "2nd Scherzo, Op. 31",
        "Scherzo Op. 31 –",
        "Scherzo Op. 31,",
        "Scherzo No. 2 youtu.be/XXXXXXXXXXX?t=1",
    ):
        assert one(text, catalogue).status == MATCHED, text


def test_russian_lines_are_matched(catalogue):
    lines = (
        ("Ноктюрн до минор, соч. 48 № 1", "48/1"),
        ("Ноктюрн ре-бемоль мажор, соч. 27, № 2", "27/2"),
        ("НОКТЮРН СИ МАЖОР, ОП. 9 №3", "9/3"),
        ("Этюд до-диез минор, соч. 10 № 4", "10/4"),
        ("Этюд №11 ля минор соч.25", "25/11"),
        ("Скерцо № 2 си-бемоль минор, соч. 31", "31"),
        ("Скерцо си бемоль минор", "31"),
        ("Мазурка ля минор, соч. 17 № 4", "17/4"),
        ("Мазурка фа-диез минор, op. 59 № 3", "59/3"),
        ("Мазурка соль минор, соч. 24, номер 1", "24/1"),
        ("Ф. Шопен. Ноктюрн ми-бемоль мажор, соч. 9 № 2", "9/2"),
        ("Ноктюрн до-диез минор, посмертный", "posth."),
        ("Ноктюрн ми минор соч. 72 № 1", "72/1"),
        ("Ноктюрн ля\u0306 минор", None),
    )

    def check(case):
        text, piece = case
        line = one(text, catalogue)
        assert ([piece] if piece else []) == short(line.pieces)
        assert (line.status == MATCHED) == bool(piece)

    check_each(lines, check)


def test_title_in_russian_tells_works_of_one_key_apart(catalogue):
    found = {"Вальс": "64/2", "Полонез": "26/1", "Экспромт": "66"}
    for title in (*found, "Баллада", "Соната", "Баркарола", "Фантазия"):
        pieces = [found[title]] if title in found else []
        assert short(one(f"{title} до-диез минор", catalogue).pieces) == pieces, title
