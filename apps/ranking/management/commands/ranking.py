"""`manage.py ranking`: compute, show and export a stage's ranking in a terminal."""

import gzip
import json
import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.competition.selectors.public.stages import stage_names
from apps.ranking.cpu_limits import cpu_limited
from apps.ranking.limits import AGAIN
from apps.ranking.selectors.files import marks_file, program_file, ranking_csv, ranking_json
from apps.ranking.services import ranking_compute, ranking_failure_note

_USAGE = """
  manage.py ranking compute STAGE...       count the marks anew, now
  manage.py ranking show STAGE             the ranking as it was computed last
  manage.py ranking export STAGE [FOLDER]  marks.csv, ranking.csv, ranking.json and ranking.py, into FOLDER (here)
"""
log = logging.getLogger(__name__)
_NONE = "There is no ranking of this stage yet."


class Command(BaseCommand):
    """Compute, show and export rankings; `manage.py stages list` prints the stages' numbers."""

    help = "Compute, show and export the audience ranking of a stage."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the subcommands, each with its stage argument."""
        parser.usage = _USAGE
        actions = parser.add_subparsers(dest="action", required=True, metavar="compute|show|export")
        for word, does in (("compute", "count anew"), ("show", "print it"), ("export", "write files")):
            action = actions.add_parser(word, help=does, usage=_USAGE)
            several = "+" if word == "compute" else None
            action.add_argument("stage", type=int, nargs=several, metavar="STAGE", help="a number of `stages list`")
            if word == "export":
                action.add_argument("folder", type=Path, nargs="?", default=Path(), metavar="FOLDER")
            if word == "compute":
                action.add_argument("--json", action="store_true", help="say it to a program")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the subcommand. Raises CommandError for an unknown stage; `compute --json` skips it.

        The site's worker passes --json, and a stage can be deleted after the worker has read the stages.
        """
        stage_ids = options["stage"] if options["action"] == "compute" else [options["stage"]]
        if not options.get("json") and not _stage_ids().issuperset(stage_ids):
            raise CommandError("Stage not found.")
        getattr(self, f"_{options['action']}")(options)

    def _compute(self, options: dict[str, Any]) -> None:
        known = _stage_ids()
        due_in = {pk: self._compute_one(pk) if pk in known else None for pk in options["stage"]}
        if options["json"]:
            self.stdout.write(json.dumps(due_in))

    def _compute_one(self, stage_id: int) -> float | None:
        """Compute a stage and return the number of seconds until the next computation, None if none is due."""
        try:
            computed = ranking_compute(stage_id=stage_id, limit=cpu_limited)
        except Exception:
            log.exception("the ranking of stage %d could not be computed", stage_id)
            ranking_failure_note(stage_id=stage_id)
            self.stderr.write(f"Stage {stage_id}: it could not be computed; the log says why.")
            return AGAIN
        no_run = "nothing to compute: no marks yet, it is closed, or another process is at it."
        self.stderr.write(f"Stage {stage_id}: {'computed.' if computed.run_id else no_run}")
        return computed.due_in

    def _show(self, options: dict[str, Any]) -> None:
        self.stdout.write(_required(ranking_csv(stage_id=options["stage"])), ending="")

    def _export(self, options: dict[str, Any]) -> None:
        stage_id, folder = options["stage"], options["folder"]
        marks = _required(marks_file(stage_id=stage_id, is_operator=True))
        folder.mkdir(parents=True, exist_ok=True)
        files = {
            "marks.csv": gzip.decompress(marks).decode(),
            "ranking.csv": ranking_csv(stage_id=stage_id) or "",
            "ranking.json": json.dumps(ranking_json(stage_id=stage_id), default=str, ensure_ascii=False, indent=1),
            "ranking.py": program_file(stage_id=stage_id).decode(),
        }
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        self.stdout.write(f"{', '.join(files)} written.")


def _stage_ids() -> set[int]:
    return {stage.id for stage in stage_names()}


def _required(found: Any) -> Any:
    """Return `found`. Raises CommandError for None."""
    if found is None:
        raise CommandError(_NONE)
    return found
