"""Test program lines with unrecognised words or numbers: neither a piece nor a whole opus is certain then."""

from apps.imports.program_lines.matching import Why
from tests.apps.imports.program_lines import AMBIGUOUS, EXPANDED, MATCHED, one, short
from tests.offenders import check_each

OP_24, OP_27 = ["24/1", "24/2", "24/3", "24/4"], ["27/1", "27/2"]


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
        ("Mazurkas Op. 24 (1, 2)", OP_24),
        ("Mazurkas Op. 24 zonder 3", OP_24),
        ("Mazurkas Op. 24 without No. 3", ["24/3"]),
        ("Mazurkas Op. 24 (No. 3 omitted)", ["24/3"]),
        ("Mazurken op. 24 ohne Nr. 3", ["24/3"]),
        ("Мазурки соч. 24 без № 3", ["24/3"]),
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
    for text in ("Mazurkas Op. 24 (excerpts)", "Mazurkas Op. 24 without No. 3"):
        assert one(text, catalogue).why == Why.LEFT_OVER, text


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


def test_other_genres_in_russian_are_not_matched(catalogue):
    for title in ("Вальс", "Баллада", "Полонез", "Соната", "Прелюдия", "Баркарола", "Экспромт", "Фантазия"):
        assert one(f"{title} до-диез минор", catalogue).pieces == (), title
