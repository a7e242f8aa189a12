"""An attacker of the ranking's privacy, with its own reading of what the site sends to all viewers.

It uses answers over HTTP alone, and the program that the site offers; it does not import the site.
"""

import csv
import html
import io
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any

from tests.project.asking import ask

Sheet = dict[str, tuple[int, int]]  # points and pieces by performer
MARK = ("performer", "points", "pieces")
HALF = Fraction(1, 200)  # of the last decimal of a mean
COLUMNS = ["rank", "performer", "score", "lowest", "highest", "score_from", "score_to", "raters", "mean"]


@dataclass(frozen=True)
class Download:
    """`ranking.csv` by performer, and `ranking.json`."""

    rows: dict[str, dict[str, str]]
    summary: dict[str, Any]

    @property
    def raters(self) -> dict[str, int]:
        """Return the number of raters by performer; below ten only `ranking.json` has it."""
        return {row["performer"]: row["raters"] for row in self.summary["rows"]}


@dataclass(frozen=True)
class Listener:
    """A member in the public lists: the account's number, as buttons have it, and the marks by performer."""

    account: int
    sheet: Sheet


async def text_of(path: str, cookie: str = "") -> str:
    """Return the text of an address that answers 200."""
    answer = await ask(path, cookie=cookie, accept_encoding="identity")
    assert answer.status == 200, (path, answer.status)
    return answer.text.removeprefix("\ufeff")


async def download(stage: int) -> Download:
    """Return both files of the ranking."""
    rows = list(csv.DictReader(io.StringIO(await text_of(f"/stages/{stage}/ranking.csv"))))
    assert not rows or list(rows[0]) == COLUMNS
    return Download({row["performer"]: row for row in rows}, json.loads(await text_of(f"/stages/{stage}/ranking.json")))


async def marks_of(stage: int) -> dict[int, list[dict[str, str]]]:
    """Return the lines of a closed ranking's `marks.csv` by rater."""
    sheets: dict[int, list[dict[str, str]]] = {}
    for line in csv.DictReader(io.StringIO(await text_of(f"/stages/{stage}/marks.csv"))):
        sheets.setdefault(int(line["rater"]), []).append(line)
    return sheets


async def lists_of(stage: int) -> dict[str, Listener]:
    """Return all public ratings of the stage's performers, by the name of the member."""
    rows = set(re.findall(r'href="[^"]*open=(\d+)', await text_of(f"/stages/{stage}")))
    opened = [await text_of(f"/stages/{stage}?open={row}") for row in sorted(rows)]
    participants = sorted({number for page in opened for number in re.findall(r'href="/participants/(\d+)"', page)})
    assert len(participants) >= len(rows) > 0
    people: dict[str, Listener] = {}
    for participant in participants:
        page = await text_of(f"/participants/{participant}?tab=ratings")
        (performer,) = re.findall(r"<h1[^>]*><span[^>]*>([^<]*)</span></h1>", page)
        for name, account, points in _letters(page):
            listener = people.setdefault(name, Listener(account, {}))
            listener.sheet[html.unescape(performer)] = (sum(points), len(points))
    return people


def _letters(page: str) -> Iterator[tuple[str, int, list[int]]]:
    """Return name, account and marks of each rating on a page."""
    for letter in page.split('<li class="says">')[1:]:
        name = re.search(r'says__by"><strong[^>]*>([^<]+)</strong>', letter)
        account = re.search(r'data-slot="author:(\d+)"', letter)
        points = re.findall(r'mark-list__mark">.*?visually-hidden">(\d+) of 25<', letter)
        assert name, letter[:300]
        assert account, letter[:300]
        yield html.unescape(name[1]), int(account[1]), list(map(int, points))


async def blind_of(stage: int) -> tuple[int, int]:
    """Return how many of how many ratings the stage's page shows as blind; it says nothing of less than a tenth."""
    page = re.sub(r"<[^>]*>", "", await text_of(f"/stages/{stage}"))
    (every,) = set(re.findall(r"(\d+) ratings? by \d+ listeners? count", page))
    (blind,) = set(re.findall(r"(\d+) of them (?:was|were) made blind", page)) or {"0"}
    return int(blind), int(every)


def changes(before: Download, after: Download) -> dict[str, int]:
    """Return by how many the raters of a performer have changed."""
    names = before.raters.keys() | after.raters.keys()
    difference = {name: after.raters.get(name, 0) - before.raters.get(name, 0) for name in names}
    return {name: change for name, change in difference.items() if change}


def mark_between(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest mark that changed the plain mean like this."""
    (one, few), (other, many) = ((Fraction(row["mean"]), int(row["raters"])) for row in (before, after))
    middle, error = (many * other - few * one) / (many - few), HALF * (many + few) / abs(many - few)
    return middle - error, middle + error


def missing_marks(
    before: Download, marks: Mapping[int, Sequence[Mapping[str, str]]]
) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the missing marks, if one sheet is missing: the published means less the marks that are still there."""
    missing = {}
    for name, row in before.rows.items():
        if not row["mean"]:
            continue
        left = [
            Fraction(int(line["points"]), int(line["pieces"]))
            for sheet in marks.values()
            for line in sheet
            if line["performer"] == name and line["weight"] != "0"
        ]
        count = int(row["raters"])
        if len(left) == count - 1:
            middle = count * Fraction(row["mean"]) - sum(left)
            missing[name] = (middle - HALF * count, middle + HALF * count)
    return missing


def program_load(text: str) -> ModuleType:
    """Return the program that the site offers, to be used as a library."""
    import sys

    module = ModuleType("download")
    sys.modules["download"] = module
    exec(compile(text, "ranking.py", "exec"), module.__dict__)  # noqa: S102 - it is what a fan runs
    return module


def scores(program: ModuleType, sheets: Mapping[str, Sheet], quarters: Mapping[str, int]) -> dict[str, str]:
    """Return the scores that the method has for these sheets and weights, as the files write them."""
    marks = [
        program.Given(name, performer, *mark, quarters.get(name, 4))
        for name, sheet in sheets.items()
        for performer, mark in sheet.items()
    ]
    stage = program.numbered(program.reduced(marks)[0])
    fitted = program.fitting_of(stage, with_numpy=True).fit([1] * len(stage.quarters), program.ROUNDS)
    return {
        name: f"{score / 100:.2f}"
        for name, score in zip(stage.performers, program.final_scores(fitted, 100), strict=True)
    }


def weights_that_fit(program: ModuleType, sheets: Mapping[str, Sheet], seen: Download) -> list[dict[str, int]]:
    """Return all guesses that give the published scores, if at most one listener weighs less."""
    published = {name: row["score"] for name, row in seen.rows.items() if row["score"]}
    guesses: list[dict[str, int]] = [{}, *({name: quarters} for name in sheets for quarters in (2, 1))]
    return [guess for guess in guesses if scores(program, sheets, guess) == published]


def found_by_two(sheet: Sequence[Mapping[str, str]], marks: Mapping[int, Sequence[Mapping[str, str]]]) -> float:
    """Return the share of pairs of marks of a sheet that no other sheet of the file has."""
    others = [{tuple(line[name] for name in MARK) for line in other} for other in marks.values()]
    pairs = list(itertools.combinations([tuple(line[name] for name in MARK) for line in sheet], 2))
    return sum(sum(other.issuperset(pair) for other in others) == 1 for pair in pairs) / len(pairs)


def named_weights(
    marks: Mapping[int, Sequence[Mapping[str, str]]], people: Mapping[str, Listener]
) -> dict[str, tuple[int, str]]:
    """Return number and weight of each member with the marks of exactly one sheet, and of no other member."""
    weights = {}
    performers = {line["performer"] for sheet in marks.values() for line in sheet}
    sheets = {
        rater: {line["performer"]: (int(line["points"]), int(line["pieces"])) for line in sheet}
        for rater, sheet in marks.items()
    }
    public = {
        name: {performer: mark for performer, mark in each.sheet.items() if performer in performers}
        for name, each in people.items()
    }
    for name, own in public.items():
        equal = [rater for rater, sheet in sheets.items() if sheet == own]
        if len(equal) == 1 and list(public.values()).count(own) == 1:
            weights[name] = (equal[0], marks[equal[0]][0]["weight"])
    return weights
