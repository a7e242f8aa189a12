"""`manage.py import_program`: import a program from a text file."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.competition.selectors.admin.programs import program_admin
from apps.imports.enums import LineStatus
from apps.imports.limits import PROGRAM_LENGTH
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.results import ProgramLine, SlottedPiece
from apps.imports.selectors.programs import catalogue_get
from apps.imports.services.programs import program_text_check, programs_assign

BAD_INPUT, LEFT_OUT = 2, 1  # exit codes
_BYTES = 4  # bytes of a character in UTF-8, at most


class Command(BaseCommand):
    """Assign the lines that are certain; print every line with its status, and leave out lines that need a decision."""

    help = "Read a program from a text (- for standard input) and assign it to an appearance."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments; `appearance` may be missing with --dry-run."""
        parser.add_argument("appearance", nargs="?", type=int, help="the id of an appearance: `manage.py live list`")
        parser.add_argument("file", metavar="FILE", help="a text in UTF-8, - for standard input")
        parser.add_argument("--dry-run", action="store_true", help="say what each line becomes, write nothing")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--replace-rated", action="store_true", help="also when pieces with ratings leave")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the lines and assign the program. Exits with 1 if lines were left out.

        Raises CommandError for bad input.
        """
        appearance = options["appearance"]
        if appearance is None and not options["dry_run"]:
            raise CommandError("Name an appearance, or only look with --dry-run.", returncode=BAD_INPUT)
        try:
            text = program_text_check(_text(options["file"]))
            found = program_admin(appearance_id=appearance) if appearance else None
            names = (found.name, found.country) if found else ()
            lines = program_read(text, catalogue_get(), names=names)
            for line in lines:
                self.stdout.write(
                    json.dumps(_object(line), ensure_ascii=False) if options["json"] else _terminal_line(line)
                )
            if not options["dry_run"]:
                confirmed = options["replace_rated"]
                programs_assign(actor=OPERATOR, text=text, appearance_id=appearance, confirmed=confirmed)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=BAD_INPUT) from error
        if any(line.status not in {LineStatus.MATCHED, LineStatus.EXPANDED, LineStatus.NOISE} for line in lines):
            sys.exit(LEFT_OUT)


def _text(file: str) -> str:
    """Return the text of a file or of standard input, at most one byte more than a program may have."""
    most = PROGRAM_LENGTH * _BYTES + 1
    try:
        if file == "-":
            read = sys.stdin.buffer.read(most)
        else:
            with Path(file).open("rb") as opened:
                read = opened.read(most)
        return read.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read as a text in UTF-8.", returncode=BAD_INPUT) from error


def _object(line: ProgramLine) -> dict[str, Any]:
    """Return a line as a JSON object: `pieces` are its pieces, `choices` its candidates.

    `why` is the reason for a doubt, `same_as` the number of an earlier line with these pieces.
    """
    return {
        "line": line.number,
        "text": line.text,
        "status": line.status.value,
        "pieces": [_piece(each) for each in line.pieces],
        "choices": [_piece(each) for each in line.choices],
        "second": line.second,
        "url": line.url,
        "why": line.why.value,
        "same_as": line.same_as,
    }


def _piece(each: SlottedPiece) -> dict[str, Any]:
    piece = each.piece
    return {"category": piece.category, "opus": piece.opus, "number": piece.number, "key": piece.key}


def _terminal_line(line: ProgramLine) -> str:
    """Return a line for a terminal."""
    pieces = ", ".join(each.piece.name for each in line.pieces or line.choices)
    became = f"the same as line {line.same_as}" if line.same_as else pieces
    return f"{line.number:>4}  {line.status.value:<13}  {line.text}" + (f"  ->  {became}" if became else "")
