"""A competition from the preliminary round to the final: entered, played, marked, moderated, ranked and recomputed.

Commands of the screens and `manage.py import_program` store everything. `make soak` has 200 listeners (LISTENERS).
"""

import csv
import os
import subprocess
import sys
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.competition.models import Appearance, Participant, Stage
from apps.competition.services.catalogue import catalogue_load
from apps.core.commands import moment_number
from apps.core.database.fields import venue_zone
from apps.ranking.services import ranking_compute
from project.process.commands import CommandRequest, command_run
from project.visit import Visit
from tests.apps.ranking.halls import listeners
from tests.factories import AdminFactory, viewer_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.long(reason="four stages with 210 ratings, ranked and recomputed"),
    pytest.mark.limit(900, reason="with 200 listeners 3,000 ratings are submitted one by one"),
]
LISTENERS = int(os.environ.get("LISTENERS", "14"))
OWN_SET, OWN_SET_TYPED = "Mazurkas of the evening", "mazurka op. 50 no. 3, mazurka op. 17 no. 4"
POLONAISE_FANTASY = "Polonaise-Fantasy in A-flat major, Op. 61"


class Round(NamedTuple):
    """A stage: the preset of its slots, the number of its performers, and the programs that they play in turn."""

    name: str
    preset: str
    performers: int
    programs: tuple[tuple[str, ...], ...]


ROUNDS = (
    Round(
        "Preliminary round",
        "five",
        5,
        (
            (
                "Etude in C major, Op. 10 No. 1",
                "Etude in A minor, Op. 25 No. 11",
                "Nocturne in C minor, Op. 48 No. 1",
                "Mazurka in B-flat minor, Op. 24 No. 4",
                "Scherzo in B-flat minor, Op. 31",
            ),
        ),
    ),
    Round(
        "Stage II",
        "stage II",
        4,
        (
            ("Preludes, Op. 28 Nos. 13–18", "Polonaises, Op. 26", "Barcarolle in F-sharp major, Op. 60"),
            ("Polonaise in F-sharp minor, Op. 44", "Preludes, Op. 28 Nos. 7–12", "Waltz in A-flat major, Op. 42"),
        ),
    ),
    Round(
        "Stage III",
        "stage III",
        3,
        (
            ("Mazurkas, Op. 33", "Sonata in B-flat minor, Op. 35"),
            ("Sonata in B minor, Op. 58", "Berceuse in D-flat major, Op. 57", "Ballade in G minor, Op. 23", OWN_SET),
        ),
    ),
    Round(
        "Final",
        "final",
        3,
        (
            (POLONAISE_FANTASY, "Piano Concerto in E minor, Op. 11"),
            (POLONAISE_FANTASY, "Piano Concerto in F minor, Op. 21"),
        ),
    ),
)
TRIES = 5
Marks = dict[str, list[list[int]]]  # by performer: the marks of pieces that each listener has given


def done(who: Viewer, name: str, argument: str | int = "", /, **fields: Any) -> None:
    """Run a command as a browser sends it: again under its key where a busy database asks for it."""
    request = CommandRequest(name, uuid4().hex, str(argument), fields)
    for _ in range(TRIES):
        answer = command_run(request, Visit("/", "en", who))
        if not answer.get("again"):
            break
    assert answer["ok"], (name, answer)


def entered(admin: Viewer, stage: Round, people: list[int], folder: Path) -> list[Appearance]:
    """Enter a stage, its session and its programs; return the appearances in their order."""
    done(admin, "stage_create", name=stage.name)
    number = Stage.objects.get(name=stage.name).pk
    done(admin, "stage_preset", number, preset=stage.preset)
    now = timezone.now().astimezone(venue_zone())
    when = {"stage": str(number), "date": f"{now:%Y-%m-%d}", "time": f"{now:%H:%M}"}
    about = {"title": f"{stage.name}, evening", "description": "", "youtube_id": "", "orchestra": "", "conductor": ""}
    done(admin, "session_create", **when, **about, participant_ids=",".join(map(str, people)))
    appearances = list(Appearance.objects.filter(stage_id=number).order_by("order_number"))
    for at, appearance in enumerate(appearances):
        names = stage.programs[at % len(stage.programs)]
        (folder / "program.txt").write_text("\n".join(name for name in names if name != OWN_SET))
        call_command("import_program", str(appearance.pk), str(folder / "program.txt"), stdout=StringIO())
        if OWN_SET in names:
            done(admin, "program_set_add", appearance.pk, pieces=OWN_SET_TYPED, name=OWN_SET)
        assert tuple(appearance.program.order_by("order_number").values_list("piece__name", flat=True)) == names
    return appearances


def played(admin: Viewer, crowd: list[Viewer], appearances: list[Appearance], chance: Random) -> Marks:
    """Play a session: all listeners mark each performer on stage. Return the marks."""
    session, given = appearances[0].session_id, Marks()
    done(admin, "session_set_live", session, confirmed="1")
    for appearance in appearances:
        done(admin, "performer_set", appearance.pk)
        program = list(appearance.program.order_by("order_number").values_list("piece_id", flat=True))
        quality = chance.uniform(12, 20)
        sheets = given[appearance.participant.name] = []
        for number, listener in enumerate(crowd):
            least = {3: len(program) - 1, 7: 1}.get(number % 10, len(program))  # some do not hear every piece
            marks = [min(25, max(1, round(chance.gauss(quality, 3)))) for _ in program[:least]]
            fields = {f"piece-{piece}": str(mark) for piece, mark in zip(program, marks, strict=False)}
            done(listener, "ratings_submit", appearance.pk, score="4", comment=f"Number {number} heard it.", **fields)
            sheets.append(marks)
    done(admin, "session_end", session, confirmed="1")
    done(admin, "ratings_decide_matching", f"approve:{moment_number(timezone.now())}:both=1&session={session}")
    return given


def recomputed(folder: Path, stage_id: int) -> list[dict[str, str]]:
    """Return the rows that the published program computes of the published file; the site's file has the same bytes."""
    call_command("ranking", "export", str(stage_id), str(folder), stdout=StringIO())
    command = [sys.executable, "-I", "ranking.py", "marks.csv", str(stage_id), "1"]
    printed = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
    assert printed == (folder / "ranking.csv").read_bytes()
    return list(csv.DictReader(printed.decode("utf-8-sig").splitlines()))


def published(folder: Path) -> dict[str, list[Fraction]]:
    """Return the marks of the published file as exact means, by performer, sorted."""
    found = defaultdict(list)
    with (folder / "marks.csv").open(encoding="utf-8-sig", newline="") as lines:
        for line in csv.DictReader(lines):
            found[line["performer"]].append(Fraction(int(line["points"]), int(line["pieces"])))
    return {name: sorted(means) for name, means in found.items()}


def counted(given: Marks, length: dict[str, int]) -> dict[str, list[Fraction]]:
    """Return the exact means that count: of at least half of a program, and of three performances of a listener."""
    enough = {
        name: {number: marks for number, marks in enumerate(sheets) if 2 * len(marks) >= length[name]}
        for name, sheets in given.items()
    }
    heard = Counter(number for sheets in enough.values() for number in sheets)
    return {
        name: [Fraction(sum(marks), len(marks)) for number, marks in sheets.items() if heard[number] >= 3]
        for name, sheets in enough.items()
    }


def plain(means: list[Fraction]) -> str:
    """Return the mean of these exact marks with two decimals."""
    mean = sum(means, Fraction(0)) / len(means)
    return str((Decimal(mean.numerator) / mean.denominator).quantize(Decimal("0.01"), ROUND_HALF_UP))


@pytest.mark.usefixtures("all_draws")
def test_competition_from_the_preliminary_round_to_the_final(tmp_path):
    chance = Random(55)  # noqa: S311 - marks, not secrets
    admin, crowd = viewer_of(AdminFactory()), [viewer_of(each) for each in listeners(LISTENERS)]
    catalogue_load()
    for number in range(1, ROUNDS[0].performers + 1):
        names = {"first_name": "Maria", "second_name": f"Performer{number}", "start_number": str(number)}
        done(admin, "participant_create", **names, country="Poland", biography="Born in Toruń.", birth_year="2001")
    people = dict(Participant.objects.order_by("start_number").values_list("name", "pk"))
    playing = list(people.values())
    for stage, after in zip(ROUNDS, [*ROUNDS[1:], None], strict=True):
        appearances = entered(admin, stage, playing, tmp_path)
        given = played(admin, crowd, appearances, chance)
        stage_id = appearances[0].stage_id
        ranking_compute(stage_id=stage_id)
        done(admin, "ranking_close", stage_id, confirmed="1")
        rows = recomputed(tmp_path / str(stage_id), stage_id)
        means = counted(given, {each.participant.name: each.program.count() for each in appearances})
        assert [int(row["rank"]) for row in rows] == sorted(int(row["rank"]) for row in rows)
        figures = {row["performer"]: (int(row["raters"]), row["mean"]) for row in rows}
        assert figures == {name: (len(each), plain(each)) for name, each in means.items()}
        assert published(tmp_path / str(stage_id)) == {name: sorted(each) for name, each in means.items()}
        if after:
            playing = sorted(people[row["performer"]] for row in rows[: after.performers])
            done(admin, "advancements_publish", stage_id, participant=[str(pk) for pk in playing], confirmed="1")
