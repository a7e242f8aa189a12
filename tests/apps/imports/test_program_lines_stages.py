"""Test the lines of programs of all stages (programme_lines_stages.csv) against all works of the catalogue."""

import csv
from collections import Counter
from pathlib import Path

from apps.competition.works import works
from apps.imports.enums import LineStatus
from apps.imports.participant_files.plan import piece_read
from apps.imports.program_lines.catalogue import POSTHUMOUS
from apps.imports.program_lines.lines import program_read
from tests.offenders import check_each

PUBLISHED = Path(__file__).with_name("programme_lines_stages.csv")
# Lines that name a work and are asked: the reason is in the notes of the file, or the line names an unknown person.
ASKED = {
    "쇼팽 녹턴 9번",
    "24Preludes Op.28, 3Mazukas Op.33, Scherzo in B flat minor Op.31",
    'Kevin Chen "Koncert e-moll" op. 11',
    'David Khrikuli "Koncert f-moll" op. 21',
    "Stanislav Bunin – Waltz in F major, Op. 34 No. 3 (1985)",
    "Grande Polonaise brillante (without Andante)",
    "Grand Polonasie brillante Op.22",
    "cis-moll op. 27 nr 1 lub Des-dur op. 27 nr 2",
    "マズルカ 第33番Op.56-1 CT83 ロ短調",
    "马祖卡选择,Op33,No1-4全部,肖邦钢琴前奏曲全部!",
}


def names(found):
    """Return the pieces as the file of lines names them: "mazurka:24/1"."""
    return [_name(each.piece) for each in found]


def _name(piece):
    opus = piece.catalogues[0] if piece.opus == POSTHUMOUS else piece.opus
    return f"{piece.genre}:{opus}" + (f"/{piece.number}" if piece.number else "")


def test_no_line_of_a_program_is_read_as_another_work(catalogue):
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 304
    counts = Counter()

    def check(row):
        (line,) = program_read(row["raw_line"], catalogue)
        wanted = [work for work in row["works"].split(";") if work]
        if row["raw_line"] in ASKED or not wanted:
            assert line.pieces == ()
            counts["asked" if line.choices else "left"] += 1
            assert not wanted or line.status in {LineStatus.AMBIGUOUS, LineStatus.CONTRADICTORY}
        else:
            assert names(line.pieces) == wanted
            counts["right"] += 1

    check_each(rows, check)
    assert counts == {"right": 231, "asked": 20, "left": 53}


NOT_IN_A_CELL = {("ja", "春"), ("ko", "봄")}  # one sign alone is no title


def test_cells_of_a_participant_file_name_every_work_in_every_language(catalogue):
    named = [(each, language, *words) for each in works() for language, words in each.translations.items()]
    assert len(named) > 1200

    def check(case):
        work, language, title, key = case
        opus = work.opus if work.opus.startswith("BI ") else f"op. {work.opus}"
        piece = piece_read(f"{title} {key}, {opus}" + (f" nr {work.number}" if work.number else ""), catalogue)
        wanted = work.name if (language, title) not in NOT_IN_A_CELL else ""
        assert (piece.name if piece.is_known else "") == wanted

    check_each(named, check)


def test_cells_that_name_no_work_are_refused_or_new(catalogue):
    for text, problem in (
        ("Toccata in C major, Op. 7", "piece_key"),  # by another composer, as opus 7 has mazurkas
        ("Polonaise-Fantaisie in G major, Op. 61", "piece_key"),
        ("Marche funèbre", "piece_several"),
        ("Humoresque in E-flat major", ""),
    ):
        piece = piece_read(text, catalogue)
        assert (piece.name, piece.is_known, piece.category, piece.problem) == (text, False, "", problem)


def test_movements_belong_to_the_work_above(catalogue):
    texts = (
        (
            ("Piano Sonata No. 2 in B-flat minor, Op. 35", "Grave – Doppio movimento", "Scherzo"),
            ("Marche funèbre: Lento", "Finale: Presto", "Scherzo No. 2 in B-flat minor, Op. 31"),
            ["sonata:35", "scherzo:31"],
        ),
        (
            ("Klavierkonzert Nr. 1 e-Moll op. 11", "I. Allegro maestoso 19:40", "II. Romance. Larghetto"),
            ("III. Rondo. Vivace", "Rondo c-Moll op. 1"),
            ["concerto:11", "rondo:1"],
        ),
        (  # its title is a heading here
            ("Barcarolle", "Nocturne op. 9 no. 2", "Scherzo"),
            ("No. 3 in C-sharp minor",),
            ["barcarolle:60", "nocturne:9/2", "scherzo:39"],
        ),
    )
    for first, second, wanted in texts:
        lines = program_read("\n".join((*first, *second)), catalogue)
        assert [name for line in lines for name in names(line.pieces)] == wanted
        assert {line.status for line in lines} <= {LineStatus.MATCHED, LineStatus.NOISE}


def test_durations_and_doubtful_movements_are_no_starts(catalogue):
    sonata, polonaise = "Sonata No. 2 Op. 35", "Andante spianato and Grande Polonaise brillante"

    def check(case):
        text, starts = case
        assert [(each.number, each.second) for each in program_read(text, catalogue)[0].starts] == starts

    check_each(
        (
            ("Concerto Op. 21\n1. Maestoso 14:48\n2. Larghetto 9:10\n3. Allegro vivace 8:40", []),
            (f"{polonaise}\nAndante spianato 4:30\nGrande Polonaise brillante 9:20", []),
            (f"{polonaise} 10:00\nAndante spianato 10:00\nGrande Polonaise brillante 14:20", [(1, 600), (2, 860)]),
            (f"{polonaise} (14:00)\nAndante spianato 0:10\nGrande Polonaise brillante 4:40", [(1, 10), (2, 280)]),
            (f"{sonata}\nGrave 0:05\n3. Satz: Marche funèbre 13:00\nScherzo 7:00", []),
            (f"{sonata}\n0:05 I. Scherzo\n7:00 III. Marche funèbre\n9:00 V. Finale", [(3, 420)]),
            (f"{sonata}\nI. Grave https://youtu.be/aqz-KE-bpKQ?t=65\nII. Scherzo 5:00", [(1, 65)]),
        ),
        check,
    )


def test_title_alone_is_a_work_only_if_one_work_has_it(catalogue):
    def check(case):
        text, status, works = case
        (line,) = program_read(text, catalogue)
        assert (line.status, names(line.pieces or line.choices)) == (status, works)

    ballades = ["ballade:23", "ballade:38", "ballade:47", "ballade:52"]
    check_each(
        (
            ("Berceuse", LineStatus.MATCHED, ["berceuse:57"]),
            ("Polonez-Fantazja", LineStatus.MATCHED, ["polonaise:61"]),
            ("Ballade", LineStatus.AMBIGUOUS, ballades),
            ("Marche funèbre", LineStatus.AMBIGUOUS, ["sonata:35", "other:72/2"]),
            ("Etude No. 4", LineStatus.AMBIGUOUS, ["etude:10/4", "etude:25/4"]),
            ("Fantasy in D minor", LineStatus.UNKNOWN, []),
            ("Koncert", LineStatus.UNKNOWN, []),
            ("An evening of ballads: Ballade", LineStatus.UNKNOWN, []),
        ),
        check,
    )
