"""`manage.py import_participants`: import participants from a file."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.core.texts import texts
from apps.imports.enums import GOOD, OFFERED_ENCODINGS, Delimiter, FileEncoding, RowStatus
from apps.imports.limits import FILE_BYTES
from apps.imports.participant_files.plan import PlannedRow
from apps.imports.participant_files.reading import Reading, reading_guess
from apps.imports.participant_files.summary import rows_words, sheet_words, summary_words
from apps.imports.selectors.participant_files import import_get
from apps.imports.services.participant_files import FileRead, participant_file_read, participant_file_store
from apps.imports.services.participant_saving import import_save
from apps.imports.tables.workbooks import is_workbook

BAD_INPUT, LEFT_OUT = 2, 1  # exit codes


class Command(BaseCommand):
    """Save the rows that are certain; print the rows left out, such as those with a piece of unknown category."""

    help = "Read participants from a file (- for standard input) and save them: all good rows or none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and the options for reading and reporting."""
        parser.add_argument("file", metavar="FILE", help=".csv, .txt or .xlsx, - for standard input")
        parser.add_argument(
            "--encoding", choices=OFFERED_ENCODINGS, help="needed unless the file is in UTF-8 or UTF-16"
        )
        parser.add_argument("--delimiter", choices=Delimiter.values, help="if another is found than the file has")
        parser.add_argument("--sheet", metavar="NAME", default="", help="a sheet of a workbook; without it the first")
        parser.add_argument("--people-only", action="store_true", help="the file has no columns of pieces")
        parser.add_argument("--dry-run", action="store_true", help="say what each row will do, write nothing")
        parser.add_argument("--json", action="store_true", help="one JSON object a row")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Read, save and report. Raises CommandError for bad input; exits with 1 if rows were left out."""
        content = file_content(options["file"])
        try:
            reading = _reading(content, options)
            self._progress("Reading...")
            file = participant_file_read(content, reading)
            self._sheet_report(file, quiet=options["json"])
            if not options["dry_run"]:
                self._save(options["file"], content, reading, quiet=options["json"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=BAD_INPUT) from error
        rows = file.rows
        self._report(rows, as_json=options["json"], all_rows=options["dry_run"])
        if any(row.status not in GOOD for row in rows):
            sys.exit(LEFT_OUT)

    def _sheet_report(self, file: FileRead, *, quiet: bool) -> None:
        """Print which sheet of a workbook is read, its hidden rows, and the other sheets."""
        if file.sheet.name:
            words = sheet_words(file.sheet.name, file.sheet.others, file.hidden_rows, texts("en"))
            (self.stderr if quiet else self.stdout).write(words)

    def _save(self, file: str, content: bytes, reading: Reading, *, quiet: bool) -> None:
        stored = participant_file_store(
            actor=OPERATOR, file_name="standard input" if file == "-" else file, content=content, reading=reading
        )
        self._progress("Saving...")
        try:
            saved = import_save(actor=OPERATOR, import_id=stored.pk)
        except ValidationError:
            stored.delete()
            raise
        if not quiet:
            after, t = import_get(import_id=stored.pk), texts("en")
            self.stdout.write(f"Successfully loaded {saved.new_participants} participants")
            self.stdout.write(summary_words(saved, t))
            self.stdout.write(rows_words(after.counts, t) if after else "")

    def _report(self, rows: Iterable[PlannedRow], *, as_json: bool, all_rows: bool) -> None:
        """Print all rows as JSON or with `all_rows`, otherwise only the rows left out."""
        for row in rows:
            if as_json:
                self.stdout.write(json.dumps(_object(row), ensure_ascii=False))
            elif all_rows or row.status not in GOOD:
                self.stdout.write(_line(row))

    def _progress(self, what: str) -> None:
        """Print the current step if standard error is a terminal."""
        if self.stderr.isatty():
            self.stderr.write(what)


def _reading(content: bytes, options: Mapping[str, Any]) -> Reading:
    """Return how a file is read: as the options say, else as found.

    Raises ValidationError with the guess for a text that is not in Unicode, without the option `encoding`, and for a
    text with a sheet.
    """
    guess = reading_guess(content, FileEncoding(options["encoding"]) if options["encoding"] else None)
    sheet_check(content, options["sheet"])
    if not guess.is_sure:
        sentence = "This file is not in UTF-8, perhaps in %(guess)s: give --encoding."
        raise ValidationError(sentence, params={"guess": guess.encoding.value})
    delimiter = Delimiter(options["delimiter"] or guess.delimiter)
    return replace(guess, delimiter=delimiter, is_people_only=options["people_only"], sheet=options["sheet"])


def sheet_check(content: bytes, sheet: str) -> None:
    """Raise ValidationError if a sheet is chosen and the file is no workbook."""
    if sheet and not is_workbook(content):
        raise ValidationError("This file is no workbook: leave --sheet out.")


def file_content(file: str) -> bytes:
    """Return the bytes of a file or of standard input, at most one more than a file may have."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(FILE_BYTES + 1)
        with Path(file).open("rb") as opened:
            return opened.read(FILE_BYTES + 1)
    except OSError as error:
        raise CommandError("Error reading file", returncode=BAD_INPUT) from error


def _object(row: PlannedRow) -> dict[str, Any]:
    """Return a row as a JSON object."""
    pieces = [
        {"name": piece.name, "category": piece.category, "key": piece.key, "opus": piece.opus, "number": piece.number}
        for piece in row.pieces
    ]
    named = {"first_name": row.first_name, "last_name": row.last_name, "country": row.country}
    extras = {
        "start_number": row.extras.start_number,
        "birth_year": row.extras.birth_year,
        "name_local": row.extras.name_local,
        "piano": row.extras.piano,
        "avatar_url": row.extras.avatar_url,
    }
    changes = {field: {"before": before or None} for field, before in row.before.items()}
    why = {"problem": str(row.problem.label), "detail": row.detail}
    return {
        "line": row.line,
        "status": row.status.value,
        **named,
        **extras,
        "pieces": pieces,
        "changes": changes,
        **why,
    }


def _line(row: PlannedRow) -> str:
    """Return a row for a terminal."""
    unsure = ", ".join(piece.name for piece in row.pieces if not (piece.category or piece.problem))
    missing_category = f"category of {unsure}" if row.status is RowStatus.UNDECIDED and unsure else ""
    why = ": ".join(filter(None, (str(row.problem.label), row.detail, missing_category)))
    return f"{row.line:>6}  {row.status.value:<10} {row.first_name} {row.last_name}, {row.country}" + (
        f"  ->  {why}" if why else ""
    )
