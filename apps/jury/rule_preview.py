"""What another rule would change in the stored sheets, for administrators."""

from dataclasses import dataclass, replace
from decimal import Decimal

from django.core.exceptions import ValidationError

from apps.jury.arithmetic import Scores, results
from apps.jury.contents import RECUSED, Cell, SheetContent, content_check
from apps.jury.enums import SheetState
from apps.jury.models import JuryMark, JuryResult, JurySheet
from apps.jury.rules import Rule
from apps.jury.selectors import DRAFTS_FIRST, scores_by_place, sheet_state, sheets_counting


@dataclass(frozen=True, slots=True)
class ResultChange:
    """A performer whose figures another rule would change: score, cumulated score and rank, before and after."""

    name: str
    before: tuple[Decimal | None, Decimal | None, int | None]
    after: tuple[Decimal | None, Decimal | None, int | None]


@dataclass(frozen=True, slots=True)
class SheetPreview:
    """What another rule would change in a sheet; `error` is why it cannot be computed with it."""

    stage: str
    state: SheetState
    performers: int
    changes: tuple[ResultChange, ...] = ()
    error: ValidationError | None = None


def rule_preview(*, rule: Rule) -> tuple[SheetPreview, ...]:
    """Return what `rule` would change in each sheet if all were computed with it. For administrators. Three queries."""
    sheets = list(JurySheet.objects.select_related("stage").order_by("place", "stage__order_number", DRAFTS_FIRST))
    contents: dict[int, dict[tuple[int, str], Cell]] = {sheet.pk: {} for sheet in sheets}
    for sheet_id, participant_id, juror_id, score in JuryMark.objects.values_list(
        "sheet_id", "participant_id", "juror_id", "score"
    ):
        contents[sheet_id][participant_id, str(juror_id)] = RECUSED if score is None else score
    stored: dict[int, dict[int, ResultChange]] = {sheet.pk: {} for sheet in sheets}
    rows = JuryResult.objects.order_by("participant__sort_folded", "participant_id")
    for sheet_id, participant_id, name, score, cumulated, rank in rows.values_list(
        "sheet_id", "participant_id", "participant__name", "score", "cumulated", "rank"
    ):
        stored[sheet_id][participant_id] = ResultChange(name, (score, cumulated, rank), (None, None, None))
    scores: dict[int, Scores] = {}
    found: list[SheetPreview] = []
    for sheet in sheets:
        content, before = SheetContent(contents[sheet.pk]), stored[sheet.pk]
        own = SheetPreview(sheet.stage.name, sheet_state(sheet.published_at), len(before))
        try:
            content_check(content, rule, sheet.place)
        except ValidationError as error:
            found.append(replace(own, error=error))
            continue
        earlier = scores_by_place(sheet, sheets_counting(sheet, sheets), scores)
        after = results(rule, sheet.place, content.by_participant, earlier)
        scores[sheet.pk] = {pk: each.figures[0] for pk, each in after.items()}
        changes = (replace(each, after=after[pk].figures) for pk, each in before.items() if pk in after)
        found.append(replace(own, changes=tuple(each for each in changes if each.before != each.after)))
    return tuple(found)
