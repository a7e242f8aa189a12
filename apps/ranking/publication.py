"""What a run publishes of a stage's marks: sheets by rater's number, their commitment, and `marks.csv`. No query.

The file has no names, and names its raters all the same: who compares it with the public lists finds them (ADR 29).
"""

import csv
import gzip
import hashlib
import hmac
import io
import random
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from apps.competition.selectors.public.stages import FieldAppearance
from apps.core.csv_files import csv_text
from apps.core.text_rules import cell_guard
from apps.ranking import method2
from apps.ranking.counting import CountedMark, Counting
from apps.ranking.weighing import FULL, Weight

MARK_COLUMNS = ("rater", "performer", "points", "pieces", "weight", "salt")
SECRET, SALT = 32, 16  # bytes
_WEIGHTS = {quarters: name for name, quarters in method2.WEIGHTS.items()}
Sheet = Mapping[str, method2.Given]  # by performer


@dataclass(frozen=True)
class Publication:
    """The marks of a stage as the method takes them, with accounts' ids in place of raters' numbers.

    `sheets` are those of the commitment, by account: of ranked performances, and of accounts that an administrator
    left out too, with three performances or more. `removed` are the raters of each other performance.
    """

    marks: tuple[method2.Given, ...]
    sheets: Mapping[int, Sheet]
    removed: Mapping[str, int]

    @cached_property
    def input_digest(self) -> str:
        """Return the SHA-256 of all that a run follows from; a stage with an equal one needs no new run."""
        digest = hashlib.sha256(repr(sorted(self.removed.items())).encode())
        for user_id, sheet in sorted(self.sheets.items()):
            digest.update(b"%d " % user_id + method2.sheet_hash(b"", sheet.values()))
        return digest.hexdigest()

    def commitment(self, secret: bytes) -> str:
        """Return the commitment to the sheets with the salts of this secret."""
        return method2.commitment(
            method2.sheet_hash(salt_of(secret, user_id), sheet.values()) for user_id, sheet in self.sheets.items()
        )

    def file(self, secret: bytes) -> bytes:
        """Return `marks.csv`, packed, with the salts of this secret and a random number for each sheet.

        Sheets of weight 0 are in it until the closing (`sheets_of`), which needs their hashes.
        """
        accounts = list(self.sheets)
        random.SystemRandom().shuffle(accounts)
        rows = (
            (rater, performer, mark.points, mark.pieces, _WEIGHTS[mark.quarters], salt)
            for rater, user_id in enumerate(accounts, start=1)
            for salt in (salt_of(secret, user_id).hex(),)
            for performer, mark in sorted(self.sheets[user_id].items())
        )
        return packed(written(MARK_COLUMNS, rows))


def publication(counting: Counting, weights: Mapping[int, Weight]) -> Publication:
    """Return what a run publishes of these marks, with these weights of accounts."""
    labels = performer_labels(counting.field)
    marks = tuple(
        _given(each, labels, weights.get(each.user_id, FULL).quarters)
        for each in sorted((*counting.marks, *counting.left_out))
    )
    sheets, removed = method2.reduced(marks)
    ranked = {performer for sheet in sheets for performer in sheet}
    by_account: dict[int, dict[str, method2.Given]] = {}
    for mark in marks:
        if not mark.quarters and mark.performer in ranked:
            by_account.setdefault(int(mark.rater), {})[mark.performer] = mark
    by_account = {pk: sheet for pk, sheet in by_account.items() if len(sheet) >= method2.LEAST_PERFORMANCES}
    by_account |= {int(next(iter(sheet.values())).rater): sheet for sheet in sheets}
    return Publication(marks, by_account, removed)


def _given(counted: CountedMark, labels: Mapping[int, str], quarters: int) -> method2.Given:
    mark = counted.given
    return method2.Given(str(counted.user_id), labels[mark.appearance_id], mark.points, mark.pieces, quarters)


def salt_of(secret: bytes, user_id: int) -> bytes:
    """Return the salt of an account's sheet: random for all who do not have the secret."""
    return hmac.digest(secret, str(user_id).encode(), "sha256")[:SALT]


def raters_of(file: bytes, secret: bytes, user_ids: Iterable[int]) -> dict[int, int]:
    """Return the number in a packed `marks.csv` of each account that has a sheet there."""
    numbers = {line["salt"]: int(line["rater"]) for line in csv.DictReader(io.StringIO(unpacked(file)))}
    salts = {user_id: salt_of(secret, user_id).hex() for user_id in user_ids}
    return {user_id: numbers[salt] for user_id, salt in salts.items() if salt in numbers}


class HiddenSheet(NamedTuple):
    """A sheet that is not published: its rater's number, its hash in hexadecimal, and whether its weight is 0.

    A sheet of version 1 has no salt, and an empty hash.
    """

    rater: int
    hash: str
    is_left_out: bool


def sheets_of(file: bytes, raters: Collection[int]) -> tuple[bytes, list[HiddenSheet]]:
    """Return a packed `marks.csv` with these raters' sheets alone, and the others."""
    columns, sheets = _read(file)
    hidden = [
        HiddenSheet(rater, _hash_of(sheet), is_left_out=sheet[0].get("weight") == _WEIGHTS[0])
        for rater, sheet in sheets.items()
        if rater not in raters
    ]
    kept = (line.values() for rater, sheet in sheets.items() if rater in raters for line in sheet)
    return packed(written(columns, kept, has_bom=has_bom(file))), hidden


def unsalted(file: bytes) -> bytes:
    """Return a packed `marks.csv` without the column of salts."""
    columns, sheets = _read(file)
    kept = [name for name in columns if name != "salt"]
    return packed(written(kept, ([line[name] for name in kept] for sheet in sheets.values() for line in sheet)))


def old_raters(file: bytes, accounts: Iterable[Mapping[str, float]], labels: Mapping[int, str]) -> set[int]:
    """Return the raters in a packed `marks.csv` of version 1 whose sheets are of these accounts.

    Nothing but marks leads from a sheet to an account: a sheet is of none if there are more equal sheets than accounts
    with these marks, by appearance id. Performances without a label in the file are left out of the comparison; sheets
    that differ in them alone stay. All stay if there is an account without an equal sheet.
    """
    _, sheets = _read(file)
    known = {line["performer"] for sheet in sheets.values() for line in sheet}.intersection(labels.values())
    alike: dict[frozenset[tuple[str, float]], list[int]] = {}
    for rater, sheet in sheets.items():
        marks = frozenset((line["performer"], float(line["mark"])) for line in sheet if line["performer"] in known)
        alike.setdefault(marks, []).append(rater)
    owned = Counter(
        frozenset((label, mark) for pk, mark in of_account.items() if (label := labels.get(int(pk), "")) in known)
        for of_account in accounts
    )
    if any(count > len(alike.get(marks, ())) for marks, count in owned.items()):
        return set(sheets)
    kept: set[int] = set()
    for marks, raters in alike.items():
        distinct = {frozenset((line["performer"], line["mark"]) for line in sheets[rater]) for rater in raters}
        kept.update(raters if owned[marks] and len(distinct) > 1 else raters[: owned[marks]])
    return kept


def _read(file: bytes) -> tuple[Sequence[str], dict[int, list[dict[str, str]]]]:
    """Return the columns of a packed `marks.csv`, and its lines by rater."""
    reader = csv.DictReader(io.StringIO(unpacked(file)))
    sheets: dict[int, list[dict[str, str]]] = {}
    for line in reader:
        sheets.setdefault(int(line["rater"]), []).append(line)
    return reader.fieldnames or (), sheets


def _hash_of(sheet: Sequence[Mapping[str, str]]) -> str:
    """Return the hash of a sheet from its lines, empty without a salt."""
    if "salt" not in sheet[0]:
        return ""
    marks = [
        method2.Given(
            *(line["rater"], line["performer"], int(line["points"]), int(line["pieces"])),
            quarters=method2.WEIGHTS[line["weight"]],
        )
        for line in sheet
    ]
    return method2.sheet_hash(bytes.fromhex(sheet[0]["salt"]), marks).hex()


def performer_labels(appearances: Iterable[FieldAppearance]) -> dict[int, str]:
    """Return the label of each performance in files: the name, with the session's title and the id added if needed.

    Labels are guarded, so that a spreadsheet does not read one as a formula.
    """
    ordered = tuple(appearances)
    names = Counter(each.name for each in ordered)
    labels = {
        each.id: cell_guard(each.name if names[each.name] == 1 else f"{each.name} ({each.session_title})")
        for each in ordered
    }
    often = Counter(labels.values())
    return {pk: label if often[label] == 1 else f"{label} {pk}" for pk, label in labels.items()}


def old_labels(
    file: bytes, rows: Mapping[int, tuple[int, Decimal | None]], labels: Mapping[int, str]
) -> dict[int, str]:
    """Return the label of each appearance in a packed `marks.csv`, for a run that has not stored them.

    `rows` are the numbers of raters and the plain means by appearance, and `labels` the names of today. A label of
    today that the file has not is a later name: the appearance has the label in the file whose figures are nearest.
    One that is not ranked since version 2 is not in the file, and has the name of today.
    """
    marks: dict[str, list[Fraction]] = {}
    _, sheets = _read(file)
    for sheet in sheets.values():
        for line in sheet:
            if line.get("weight") != _WEIGHTS[0]:
                exact = Fraction(line["mark"]) if "mark" in line else Fraction(int(line["points"]), int(line["pieces"]))
                marks.setdefault(line["performer"], []).append(exact)
    named = {pk: labels[pk] for pk in rows if labels.get(pk) in marks}
    free = {label: (len(found), sum(found) / len(found)) for label, found in marks.items()}
    free = {label: figures for label, figures in free.items() if label not in named.values()}
    for pk, (raters, mean) in rows.items():
        if pk not in named and mean is not None and free:
            exact = Fraction(mean)
            named[pk] = min(free, key=lambda label: (abs(free[label][0] - raters), abs(free[label][1] - exact)))
            del free[named[pk]]
    return {pk: labels.get(pk, "") for pk in rows} | named


def is_later_name(name: str, label: str) -> bool:
    """Whether a label, unguarded, is of an earlier name; a label is a name, or a name and the session in brackets."""
    return bool(label) and label != name and not label.startswith(f"{name} (")


def written(columns: Iterable[str], rows: Iterable[Iterable[Any]], *, has_bom: bool = True) -> str:
    """Return rows as CSV, with a byte order mark unless they are of a ranking that was closed without one."""
    return csv_text(chain([columns], rows), line_end="\n", has_bom=has_bom)


def packed(text: str) -> bytes:
    """Return the text packed by gzip; equal texts give equal bytes."""
    return gzip.compress(text.encode(), mtime=0)


def unpacked(content: bytes) -> str:
    """Return a text that was packed by gzip, without its byte order mark."""
    return gzip.decompress(content).decode("utf-8-sig")


def has_bom(file: bytes) -> bool:
    """Return whether a packed `marks.csv` begins with a byte order mark: those of earlier versions of the site do not.

    A closed ranking keeps all its files as they were when it was closed.
    """
    with gzip.open(io.BytesIO(file)) as content:
        return content.read(len(BOM_UTF8)) == BOM_UTF8
