"""Excel workbooks: one sheet as records of texts, read by another process within limits of time and memory."""

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from django.core.exceptions import ValidationError

from apps.imports.limits import (
    FILE_BYTES,
    FILE_LINE,
    FILE_PARTS,
    FILE_ROWS,
    FILE_TAGS,
    FILE_UNPACKED_BYTES,
    HEADER_LINES,
    READER_MEMORY,
    READER_SECONDS,
    READER_WAIT,
    SHEET_LENGTH,
)
from apps.imports.tables.encodings import READING_FAILED
from apps.imports.tables.headers import TableRefused
from apps.imports.tables.texts import Record, parsing
from apps.imports.tables.workbook_program import Options

_log = logging.getLogger(__name__)
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # the first bytes of .xlsx, and of .xls and of files with a password
_PROGRAM = "import sys; sys.path.append(sys.argv[1]); import workbook_program; workbook_program.main()"  # compiled once
_OUTPUT_SHOWN = 500  # last characters of the program's errors in the log
_PASSED_ON = ("LD_LIBRARY_PATH",)  # variables that Python may need to start; the program gets no secret
OLDER = "This is an older Excel file, or one with a password. Please save it as .xlsx without a password."
TOO_LONG = "Reading this workbook takes too long. Please copy the rows alone into a new one."
BUSY = "Another workbook is being read. Please try again in a moment."
MERGED = "The sheet has merged cells (%(cells)s). Please unmerge them, so that each row has its own cells."
SENTENCES = {  # by the program's reasons
    "damaged": "",
    "entities": "This workbook declares entities, which no program writes. Please save it again as .xlsx.",
    "formula": (
        "Cell %(cell)s has a formula without a stored result. Please open the workbook in Excel or LibreOffice and "
        "save it, or replace the formula by its result."
    ),
    "macros": "This workbook has macros (.xlsm). Please save it as .xlsx.",
    "memory": "Reading this workbook takes too much memory. Please copy the rows alone into a new one.",
    "no_sheet": "This workbook has no sheet with rows.",
    "no_workbook": "This is not an Excel workbook (.xlsx).",
    "other_sheet": "This workbook has no sheet “%(name)s”. It has %(names)s.",
    "too_large": "Unpacked, this workbook is larger than %(most)d MB.",
    "too_many_cells": "This workbook has too many cells. Please save the participants alone in a new one.",
    "too_many_parts": "This workbook has more than %(most)d parts.",
}
_turn = BoundedSemaphore(1)  # one program at a time, so that a process never adds more than READER_MEMORY


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook: its name, the names of all sheets, its records, and the numbers of hidden rows."""

    name: str
    names: tuple[str, ...]
    records: tuple[Record, ...]
    hidden: frozenset[int]
    merged: tuple[int, str]  # the last row and the address of the merged cells that end lowest; 0 without any

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the sheets that are not read."""
        return tuple(name for name in self.names if name != self.name)

    def merged_refuse(self, header: int) -> None:
        """Raise ValidationError if cells are merged in or below the row of the header; titles above it may be."""
        row, address = self.merged
        if row >= header:
            error = TableRefused(f"{READING_FAILED}\n{MERGED}", params={"cells": address})
            error.sheets = (self.name, *self.others)
            raise error


def is_workbook(content: bytes) -> bool:
    """Return whether a file begins as a workbook, also as one that is refused."""
    return content.startswith((_ZIP, _OLE))


def sheet_read(content: bytes, *, sheet: str = "", rows: int = FILE_ROWS) -> Sheet:
    """Return the sheet of this name, or the first. A formula is read as its result.

    More than `rows` below a header are shown by at least one row more; the others are left out.

    Raises ValidationError with the reason for a file that is no workbook, has macros or no such sheet, or is too
    large; for one whose reading is ended by a limit; and while another is read for more than READER_WAIT seconds.
    """
    if content.startswith(_OLE):
        raise _refusal(OLDER)
    answer = _answer(content, options_of(sheet, rows + HEADER_LINES))
    if reason := answer.get("refusal"):
        raise _reasoned(reason, answer["params"])
    return Sheet(
        answer["sheet"][:SHEET_LENGTH],
        tuple(answer["sheets"]),
        tuple((number, fields) for number, fields in answer["records"]),
        frozenset(answer["hidden"]),
        tuple(answer["merged"]),
    )


def options_of(sheet: str, records: int) -> Options:
    """Return the options of the program: the sheet, the number of records, and the limits."""
    return Options(
        sheet,
        records,
        line=FILE_LINE,
        characters=FILE_BYTES,
        unpacked=FILE_UNPACKED_BYTES,
        tags=FILE_TAGS,
        parts=FILE_PARTS,
        seconds=READER_SECONDS,
        memory=READER_MEMORY,
    )


def _answer(content: bytes, options: Options) -> dict[str, Any]:
    """Return the answer of the program. Raises ValidationError if a limit ends it, or if it cannot be started."""
    if not _turn.acquire(timeout=READER_WAIT):
        raise _refusal(BUSY)
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(Path(__file__).parent), json.dumps(asdict(options))]
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    try:
        done = subprocess.run(  # noqa: S603 - a program of this project, no shell
            command, input=content, capture_output=True, check=False, timeout=READER_WAIT, env=environment
        )
    except subprocess.TimeoutExpired as error:  # the process is dead by now
        raise _refusal(TOO_LONG) from error
    except OSError as error:  # the machine has no process or memory left
        _log.warning("the reader of workbooks cannot be started: %s", error)
        raise _refusal(BUSY) from error
    finally:
        _turn.release()
    if done.returncode == 0:
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer
    if done.returncode == -signal.SIGXCPU:
        raise _refusal(TOO_LONG)
    errors = done.stderr.decode(errors="replace")[-_OUTPUT_SHOWN:]
    _log.warning("the reader of workbooks ended with %d: %s", done.returncode, errors)
    is_limit = done.returncode < 0 or MemoryError.__name__ in errors
    raise _refusal(SENTENCES["memory" if is_limit else "damaged"])


def _reasoned(reason: str, params: Mapping[str, int | str]) -> ValidationError:
    """Return the error for a reason of the program."""
    if reason == "long_line":
        return parsing("Error parsing file\nLine %(line)d is too long.", **params)
    return _refusal(SENTENCES[reason], **params)


def _refusal(why: str, **params: int | str) -> ValidationError:
    return ValidationError(f"{READING_FAILED}\n{why}".rstrip(), params=params)
