"""Writes of the jury's sheets: save a draft, publish, take back, delete.

All writes take one advisory lock, because a sheet's cumulated scores depend on the sheets of other stages.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection, transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.services.accounts import account_lock
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import fold
from apps.jury.arithmetic import StageScore, cumulated, ranks, stage_score
from apps.jury.contents import RECUSED, Cell, Official, SheetContent, sheet_too_large
from apps.jury.events import JuryShownChanged, SheetDraftChanged, SheetPublicationChanged
from apps.jury.limits import FILE_NAME_LENGTH, JURORS, SHEET_PARTICIPANTS
from apps.jury.models import Juror, JuryMark, JuryResult, JuryRule, JurySheet, JuryShown
from apps.jury.permissions import can_edit_jury
from apps.jury.rules import CURRENT, Rule
from apps.jury.selectors import content_of, place_holder, rule_of, scores_before, stages_depending

_LOCK = "SELECT pg_advisory_xact_lock(hashtext('parterre jury'))"
NOT_ALLOWED = "Only administrators can change the jury’s marks."
GONE = "This sheet is not there any more."
UNCHANGED = "These marks are stored already: nothing changed."
SHOWN = "The jury’s marks of this stage are shown to you."
SAVED = "Draft saved. It is public when you publish it."
Scores = Mapping[int, Decimal | None]  # by participant's id


@dataclass(frozen=True, slots=True)
class SheetSaved:
    """The result of saving: the stage's sheet with these marks, and whether something changed."""

    sheet_id: int
    is_changed: bool


@transaction.atomic
def sheet_save(
    *,
    actor: Actor,
    stage_id: int,
    place: int,
    marks: Mapping[tuple[int, str], Cell] | None = None,
    officials: Mapping[int, Official] | None = None,
    file_name: str = "",
) -> SheetSaved:
    """Save the marks, the official figures, or both as the draft of a stage; the other part stays as it was stored.

    A draft that is there is replaced, a published sheet stays public. The same content changes nothing. Raises
    PermissionDenied, ValidationError for marks that the rule does not allow, and for official figures without marks.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    sheets_lock()
    newest = _newest(stage_id)
    stored = content_of(newest.pk) if newest else SheetContent()
    content = SheetContent(
        stored.marks if marks is None else marks, stored.officials if officials is None else officials
    ).of_performers()
    content_check(content, CURRENT, place)
    if newest and newest.digest == content.digest and newest.place == place:
        return SheetSaved(newest.pk, is_changed=False)
    JurySheet.objects.filter(stage_id=stage_id, published_at=None).delete()
    sheet = JurySheet.objects.create(
        stage_id=stage_id,
        rule=_rule_stored(CURRENT),
        place=place,
        digest=content.digest,
        file_name=file_name[:FILE_NAME_LENGTH],
        saved_by_id=account_of(actor),
    )
    _content_store(sheet, content)
    _results_renew([sheet])
    change_note(actor=actor, action="jury.save", subject_id=sheet.pk, name=sheet.stage.name, marks=len(content.marks))
    publish(SheetDraftChanged())
    return SheetSaved(sheet.pk, is_changed=True)


@transaction.atomic
def sheet_publish(*, actor: Actor, sheet_id: int) -> None:
    """Publish a draft; a published sheet of the stage is replaced. Publishing it again changes nothing.

    Raises PermissionDenied, ValidationError for a sheet that is gone, and for a place that another stage has for one of
    its performers.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    sheets_lock()
    sheet = _sheet(sheet_id)
    if sheet.published_at is not None:
        return
    ids = tuple(sheet.results.values_list("participant_id", flat=True))
    if taken := place_holder(stage_id=sheet.stage_id, place=sheet.place, participant_ids=ids):
        sentence = "Stage number %(place)d is published for %(stage)s."
        raise ValidationError(sentence, params={"place": sheet.place, "stage": taken})
    JurySheet.objects.filter(stage_id=sheet.stage_id, published_at__isnull=False).delete()
    sheet.published_at, sheet.published_by_id = Now(), account_of(actor)
    sheet.save(update_fields=["published_at", "published_by"])
    _changed(actor, "jury.publish", sheet)


@transaction.atomic
def sheet_unpublish(*, actor: Actor, sheet_id: int, confirmed: bool = True) -> None:
    """Take a published sheet back: it is a draft again. A draft changes nothing.

    Raises PermissionDenied, ValidationError for a sheet that is gone, and while the stage has another draft. Unless
    `confirmed` it raises ConfirmationNeeded, which names the stages whose cumulated scores need the sheet.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    sheets_lock()
    sheet = _sheet(sheet_id)
    if sheet.published_at is None:
        return
    if JurySheet.objects.filter(stage_id=sheet.stage_id, published_at=None).exists():
        raise ValidationError("This stage has a newer draft. Please publish or delete it first.")
    if not confirmed:
        raise ConfirmationNeeded(_questions(sheet))
    sheet.published_at = sheet.published_by_id = None
    sheet.save(update_fields=["published_at", "published_by"])
    _changed(actor, "jury.unpublish", sheet)


def _questions(sheet: JurySheet) -> list[ValidationError]:
    """Return the sentences to confirm before a sheet is taken back."""
    hidden = [ValidationError("No page shows them any more; the sheet is a draft again.")]
    if not (stages := stages_depending(sheet)):
        return hidden
    words = "The cumulated scores of %(stages)s need these marks: they cannot be computed until the sheet is published."
    return [*hidden, ValidationError(words, params={"stages": ", ".join(stages)})]


@transaction.atomic
def sheet_delete(*, actor: Actor, sheet_id: int) -> None:
    """Delete a draft. Raises PermissionDenied, ValidationError for a sheet that is gone or published."""
    require(can_edit_jury(actor), NOT_ALLOWED)
    sheets_lock()
    sheet = _sheet(sheet_id)
    if sheet.published_at is not None:
        raise ValidationError("A published sheet is taken back first.")
    change_note(actor=actor, action="jury.delete", subject_id=sheet.pk, name=sheet.stage.name)
    sheet.delete()
    publish(SheetDraftChanged())


@transaction.atomic
def jury_show(*, actor: Actor, stage_id: int) -> str:
    """Show the actor the jury's marks of a stage from now on, and return the sentence to show.

    Raises PermissionDenied for an anonymous visitor, ValidationError for a stage without a published sheet.
    """
    user_id = account_of(actor)
    if user_id is None or not account_lock(user_id=user_id):
        raise PermissionDenied("Please sign in to choose what you see.")
    if not JurySheet.objects.filter(stage_id=stage_id, published_at__isnull=False).exists():
        raise ValidationError("The jury’s marks of this stage are not published.")
    JuryShown.objects.bulk_create([JuryShown(user_id=user_id, stage_id=stage_id)], ignore_conflicts=True)
    publish(JuryShownChanged(user_id))
    return SHOWN


def content_check(content: SheetContent, rule: Rule, place: int) -> None:
    """Raise ValidationError for a content that `rule` does not allow in the stage with this place."""
    if not 1 <= place <= rule.stages:
        raise ValidationError("The edition has stages 1 to %(most)d.", params={"most": rule.stages})
    if not content.marks:
        raise ValidationError("There are no marks of this stage yet. Please import them first.")
    jurors = {fold(juror) for _, juror in content.marks}
    if len(jurors) > JURORS or len(content.participants) > SHEET_PARTICIPANTS:
        raise sheet_too_large()
    if len({(pk, fold(juror)) for pk, juror in content.marks}) != len(content.marks):
        raise ValidationError("A juror has two marks of one performer.")
    cells = set(content.marks.values()) - {RECUSED}
    if not all(isinstance(cell, Decimal) and rule.allows(cell) for cell in cells):
        raise ValidationError(
            "Marks are from %(lowest)s to %(highest)s.",
            params={
                "lowest": rule.lowest,
                "highest": rule.highest,
            },
        )


def sheets_lock() -> None:
    """Let no other transaction write sheets until this one ends; it may be taken twice."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)


def _sheet(sheet_id: int) -> JurySheet:
    sheet = JurySheet.objects.select_related("stage").filter(pk=sheet_id).first()
    if sheet is None:
        raise ValidationError(GONE)
    return sheet


def _newest(stage_id: int) -> JurySheet | None:
    """Return the draft of a stage, without one its published sheet."""
    sheets = {each.published_at is None: each for each in JurySheet.objects.filter(stage_id=stage_id)}
    return sheets.get(True) or sheets.get(False)


def _rule_stored(rule: Rule) -> JuryRule:
    """Return the stored row of a rule. Raises RuntimeError if the code changed a version that is stored."""
    row, _ = JuryRule.objects.get_or_create(
        edition=rule.edition,
        version=rule.version,
        defaults={
            "lowest": rule.lowest,
            "highest": rule.highest,
            "decimals": rule.decimals,
            "distances": list(map(str, rule.distances)),
            "weights": [list(map(str, weights)) for weights in rule.weights],
        },
    )
    if rule_of(row) != rule:
        raise RuntimeError(f"the stored rules of {row} differ: a changed rule needs a new version")
    return row


def _content_store(sheet: JurySheet, content: SheetContent) -> None:
    names = {fold(juror): juror for _, juror in content.marks}
    Juror.objects.bulk_create(
        (Juror(name=name, name_folded=folded) for folded, name in names.items()), ignore_conflicts=True
    )
    jurors = dict(Juror.objects.filter(name_folded__in=names).values_list("name_folded", "pk"))
    JuryMark.objects.bulk_create(
        JuryMark(
            sheet=sheet,
            juror_id=jurors[fold(juror)],
            participant_id=participant_id,
            score=None if cell == RECUSED else cell,
            is_recused=cell == RECUSED,
        )
        for (participant_id, juror), cell in content.marks.items()
    )
    officials = content.officials
    JuryResult.objects.bulk_create(
        JuryResult(
            sheet=sheet,
            participant_id=pk,
            official=officials.get(pk, Official()).score,
            official_cumulated=officials.get(pk, Official()).cumulated,
            official_rank=officials.get(pk, Official()).rank,
        )
        for pk in sorted(content.participants)
    )


def _changed(actor: Actor, action: str, sheet: JurySheet) -> None:
    """Note a change of what is public, and renew the results of all sheets from this place on."""
    change_note(actor=actor, action=action, subject_id=sheet.pk, name=sheet.stage.name)
    later = list(JurySheet.objects.filter(place__gte=sheet.place).select_related("rule").order_by("place"))
    _results_renew(later)
    for stage_id in {sheet.stage_id, *(each.stage_id for each in later if each.published_at is not None)}:
        publish(SheetPublicationChanged(stage_id))


def _results_renew(sheets: Iterable[JurySheet]) -> None:
    """Compute the results of these sheets, which come in the order of their places."""
    for sheet in sheets:
        rule, marks = rule_of(sheet.rule), _marks(sheet)
        results = list(JuryResult.objects.filter(sheet=sheet))
        distance = rule.distances[sheet.place - 1]
        ids = [row.participant_id for row in results]
        scores = {pk: stage_score(marks.get(pk, ()), distance, rule.decimals) for pk in ids}
        _results_fill(results, scores, _Cumulation(scores_before(sheet), rule, sheet.place))
        JuryResult.objects.bulk_update(results, ["mean", "score", "corrected", "cumulated", "rank", "plain_rank"])


def _marks(sheet: JurySheet) -> dict[int, list[Decimal]]:
    """Return the marks of each participant, without those of recused jurors."""
    marks: dict[int, list[Decimal]] = {}
    for participant_id, score in JuryMark.objects.filter(sheet=sheet).values_list("participant_id", "score"):
        if score is not None:
            marks.setdefault(participant_id, []).append(score)
    return marks


@dataclass(frozen=True, slots=True)
class _Cumulation:
    """The scores of the earlier stages, and the rule that adds the score of this stage."""

    earlier: Sequence[Scores]
    rule: Rule
    place: int

    def sums(self, own: Scores) -> Scores:
        """Return the cumulated score of each participant, None where a stage is missing."""
        weights = self.rule.weights[self.place - 1]
        return {
            pk: cumulated([*(each.get(pk) for each in self.earlier), score], weights, self.rule.decimals)
            for pk, score in own.items()
        }

    def ranks(self, own: Scores) -> dict[int, int]:
        """Return the ranks by the cumulated scores, or by the stage's own scores if a cumulated one is missing."""
        sums = self.sums(own)
        is_whole = all(sums[pk] is not None for pk, score in own.items() if score is not None)
        return ranks(sums if is_whole else own)


def _results_fill(rows: Sequence[JuryResult], scores: Mapping[int, StageScore | None], cumulation: _Cumulation) -> None:
    plain: Scores = {pk: None if each is None else each.mean for pk, each in scores.items()}
    after: Scores = {pk: None if each is None else each.score for pk, each in scores.items()}
    sums, places, plain_places = cumulation.sums(after), cumulation.ranks(after), cumulation.ranks(plain)
    for row in rows:
        pk = row.participant_id
        found = scores[pk]
        row.mean, row.score, row.corrected = (found.mean, found.score, found.corrected) if found else (None, None, 0)
        row.cumulated, row.rank, row.plain_rank = sums[pk], places.get(pk), plain_places.get(pk)
