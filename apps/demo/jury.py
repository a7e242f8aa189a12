"""The demo's jury: invented people, whose marks of the first completed stage are published."""

from decimal import Decimal

from apps.accounts.actors import OPERATOR
from apps.competition.selectors.public.stages import stage_field
from apps.demo.audience.opinions import bell, chance, quality
from apps.jury.contents import RECUSED, Cell
from apps.jury.rules import DEFAULT
from apps.jury.services import sheet_publish, sheet_save

JURORS = (
    "Aurelia Montclar",
    "Bogumił Zastrzeżyński",
    "Chiyo Hanamori",
    "Dagfinn Østervold",
    "Esperanza Quiroga-Luz",
    "Fiammetta Brancaleoni",
    "Gábor Szentmiklósi",
    "Hyacinth Okonjo-Bell",
    "Ignatius Thorne",
)
_STUDENTS = 0.04  # share of performers who are a juror's own students


def jury_load(*, stage_id: int, stage: str) -> None:
    """Store and publish the jury's marks of a stage that is over."""
    names = {each.participant_id: f"{stage}, {each.name}" for each in stage_field(stage_id=stage_id)}
    marks = {(pk, juror): _cell(juror, name) for pk, name in names.items() for juror in JURORS}
    saved = sheet_save(actor=OPERATOR, stage_id=stage_id, place=1, marks=marks)
    sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)


def _cell(juror: str, performance: str) -> Cell:
    """Return a juror's mark of a performance, always the same; RECUSED for a student."""
    if chance("student", juror, performance) < _STUDENTS:
        return RECUSED
    severity, taste = bell("severity", juror), bell("jury heard", juror, performance)
    lowest, highest = DEFAULT.scale()
    return min(highest, max(lowest, Decimal(round(quality(performance) + severity + 2 * taste))))
