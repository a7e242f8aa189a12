"""The jury's files for tests: the published sheet of the first stage, and small invented ones."""

import csv
from pathlib import Path

from apps.competition.selectors.admin.participants import ParticipantName, participant_names
from apps.imports.jury_files.sheets import SheetRead, sheet_parse
from apps.imports.jury_files.texts import jury_file_read
from apps.jury.rules import DEFAULT
from tests.factories import ParticipantFactory

DATA = Path(__file__).parents[1] / "jury"
MARKS, GOLDEN = DATA / "jury_scores_stage1.csv", DATA / "jury_golden_stage1.csv"
HEADER = "stage,start_number,participant,juror,score,recused_student"
OFFICIALS = "stage,start_number,participant,official_stage_score,official_cumulative,official_rank"
NAMES = (("Ada", "Alt"), ("Bo", "Bach"), ("Cleo", "Ca"))
PEOPLE = tuple(
    ParticipantName(f"{first} {last}", first, last, "Poland", n, n) for n, (first, last) in enumerate(NAMES, start=1)
)
JURORS = ("Juror One", "Juror Two")
WHOLE = tuple(
    f"1,{each.start_number},{each.name},{juror},{20 + at}," for each in PEOPLE for at, juror in enumerate(JURORS)
)


def jury_text(content: bytes) -> str:
    """Return the text of a file as it is stored."""
    return jury_file_read(content).text


def file_of(*lines: str, header: str = HEADER) -> str:
    """Return the text of a file with these lines."""
    return "\n".join([header, *lines])


def parsed(
    text: str,
    *,
    people: tuple[ParticipantName, ...] = PEOPLE,
    jurors: tuple[str, ...] = (),
    choices: dict[str, int | str] | None = None,
) -> SheetRead:
    """Return the sheet that is read from a text for these participants."""
    return sheet_parse(
        jury_text(text.encode()), rule=DEFAULT, participants=people, jurors=jurors, choices=choices or {}
    )


def performers_store() -> dict[str, int]:
    """Store the 84 performers of the published sheet; return their ids by name."""
    with MARKS.open(encoding="utf-8", newline="") as file:
        rows = {row["start_number"]: row["participant"] for row in csv.DictReader(file)}
    for number, name in rows.items():
        first, _, last = name.rpartition(" ")
        ParticipantFactory(first_name=first, second_name=last, start_number=int(number))
    return {each.name: each.id for each in participant_names()}
