"""`manage.py import_jury`: save the jury's file of a stage as a draft."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.accounts.actors import OPERATOR
from apps.competition.selectors.public.stages import StageName, stage_names
from apps.core.people import PersonDoubt
from apps.core.text_rules import fold
from apps.core.texts import texts
from apps.imports.enums import OFFERED_ENCODINGS, FileEncoding
from apps.imports.jury_files.people import participant_label
from apps.imports.jury_files.summary import commas_words, counts_words, fault_words
from apps.imports.jury_files.texts import jury_encoding, jury_file_read
from apps.imports.management.commands.import_participants import BAD_INPUT, LEFT_OUT, file_content, sheet_check
from apps.imports.participant_files.summary import sheet_words
from apps.imports.selectors.jury_files import JuryPreview, jury_preview
from apps.imports.services.jury_files import preview_save
from apps.jury.services import SAVED, UNCHANGED, sheets_lock


class Command(BaseCommand):
    """Save a file without faults as the draft of its stage; print the faults of another, and store nothing of it."""

    help = "Read the jury's marks or the official figures of a stage from a file and save them as a draft."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the stage, the file and the option that writes nothing."""
        parser.add_argument("stage", metavar="STAGE", help="the name of a stage, or its number of `stages list`")
        parser.add_argument("file", metavar="FILE", help=".csv, .txt or .xlsx, - for standard input")
        parser.add_argument(
            "--encoding", choices=OFFERED_ENCODINGS, help="needed unless the file is in UTF-8 or UTF-16"
        )
        parser.add_argument("--sheet", metavar="NAME", default="", help="a sheet of a workbook; without it the first")
        parser.add_argument("--decimal-comma", action="store_true", help="read commas in marks as decimal points")
        parser.add_argument("--new-jurors", action="store_true", help="jurors who are new are no others misspelled")
        parser.add_argument("--dry-run", action="store_true", help="say what the file holds, write nothing")

    @transaction.atomic
    def handle(self, *_args: Any, **options: Any) -> None:
        """Read, report and save. Raises CommandError for bad input; exits with 1 if the file has faults."""
        stage, content = _stage(options["stage"]), file_content(options["file"])
        try:
            sheet_check(content, options["sheet"])
            file = jury_file_read(content, _encoding(content, options["encoding"]), sheet=options["sheet"])
            sheets_lock()
            if file.sheet:
                self.stdout.write(sheet_words(file.sheet.name, file.sheet.others, len(file.sheet.hidden), texts("en")))
            preview = _preview(file.text, stage, options)
            self._report(preview)
            if not preview.can_be_saved:
                self.stderr.write("Nothing was stored.")
                sys.exit(LEFT_OUT)
            if not options["dry_run"]:
                name = "standard input" if options["file"] == "-" else options["file"]
                saved = preview_save(actor=OPERATOR, preview=preview, file_name=name.rpartition("/")[2])
                self.stdout.write(SAVED if saved.is_changed else UNCHANGED)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=BAD_INPUT) from error

    def _report(self, preview: JuryPreview) -> None:
        """Print the counts, each fault by its line, and the participants that are not certain."""
        if preview.error is not None or preview.sheet is None:
            raise preview.error or ValidationError("Error reading file")
        sheet, t = preview.sheet, texts("en")
        self.stdout.write(counts_words(sheet, t))
        if sheet.has_comma_faults:
            self.stdout.write(f"{commas_words(sheet, t)} Give --decimal-comma.")
        for each in sheet.faults:
            self.stdout.write(f"{each.line:>6}  {fault_words(each, t)}")
        for juror in sheet.open_jurors:
            vanished = ", ".join(sheet.vanished)
            self.stdout.write(
                f"{juror.line:>6}  {juror.written}: new juror, perhaps {vanished}; give --new-jurors if not"
            )
        for person in sheet.undecided:
            why = "several participants fit" if person.doubt is PersonDoubt.SEVERAL else "no participant"
            likely = ", ".join(map(participant_label, person.likely))
            self.stdout.write(f"{person.line:>6}  {person.words}: {why}" + (f", perhaps {likely}" if likely else ""))


def _preview(text: str, stage: StageName, options: Mapping[str, Any]) -> JuryPreview:
    """Return what the file would change, with the new jurors as such if the options say so."""
    comma = options["decimal_comma"]
    preview = jury_preview(text=text, stage_id=stage.id, stage=stage.name, choices={}, is_decimal_comma=comma)
    if not options["new_jurors"] or preview.sheet is None or not preview.sheet.open_jurors:
        return preview
    choices = {each.mark: each.own for each in preview.sheet.open_jurors}
    return jury_preview(text=text, stage_id=stage.id, stage=stage.name, choices=choices, is_decimal_comma=comma)


def _encoding(content: bytes, given: str | None) -> FileEncoding:
    """Return the encoding of a file. Raises ValidationError with the guess for one that is not in Unicode."""
    guess = jury_encoding(content)
    if given or guess.is_sure:
        return FileEncoding(given or guess.encoding)
    sentence = "This file is not in UTF-8, perhaps in %(guess)s: give --encoding."
    raise ValidationError(sentence, params={"guess": guess.encoding.value})


def _stage(text: str) -> StageName:
    """Return the stage with this name or number. Raises CommandError without one, and for several."""
    found = [each for each in stage_names() if text == str(each.id) or fold(each.name) == fold(text)]
    if len(found) != 1:
        raise CommandError("Stage not found.", returncode=BAD_INPUT)
    return found[0]
