"""Writes of the jury's sheets and rules: save a draft, publish, take back, delete; choose a rule.

All writes take one advisory lock, because a sheet's cumulated scores depend on the sheets of other stages.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

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
from apps.jury.arithmetic import results
from apps.jury.contents import RECUSED, Cell, Official, SheetContent, content_check
from apps.jury.enums import ScoreMethod
from apps.jury.events import JuryRuleChanged, JuryShownChanged, SheetDraftChanged, SheetPublicationChanged
from apps.jury.limits import FILE_NAME_LENGTH
from apps.jury.models import Juror, JuryMark, JuryResult, JuryRule, JurySheet, JuryShown
from apps.jury.permissions import can_edit_jury
from apps.jury.rules import PRESETS, Rule, rule_check
from apps.jury.selectors import (
    content_of,
    place_holder,
    rule_current,
    rule_of,
    rule_version,
    scores_before,
    stages_depending,
)

_LOCK = "SELECT pg_advisory_xact_lock(hashtext('parterre jury'))"
NOT_ALLOWED = "Only administrators can change the jury’s marks."
GONE = "This sheet is not there any more."
UNCHANGED = "These marks are stored already: nothing changed."
SHOWN = "The jury’s marks of this stage are shown to you."
SAVED = "Draft saved. It is public when you publish it."
NEWER_DRAFT = "This stage has a newer draft. Please publish or delete it first."
RULE_CHOSEN = "The rule is in force. Published sheets keep theirs until they are published again."
RULE_SAME = "This rule is in force already: nothing changed."
RULE_CHANGED = "Another rule was chosen meanwhile. Please look at the results again."


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

    It is computed with the rule in force. A draft that is there is replaced, a published sheet stays public. The same
    content with the same rule changes nothing. Raises PermissionDenied, ValidationError for marks that the rule does
    not allow, and for official figures without marks.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    sheets_lock()
    newest = _newest(stage_id)
    stored = content_of(newest.pk) if newest else SheetContent()
    content = SheetContent(
        stored.marks if marks is None else marks, stored.officials if officials is None else officials
    ).of_performers()
    rule = rule_current()
    content_check(content, rule, place)
    row = _rule_stored(rule)
    if newest and (newest.digest, newest.place, newest.rule_id) == (content.digest, place, row.pk):
        return SheetSaved(newest.pk, is_changed=False)
    JurySheet.objects.filter(stage_id=stage_id, published_at=None).delete()
    sheet = JurySheet.objects.create(
        stage_id=stage_id,
        rule=row,
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
        raise ValidationError(NEWER_DRAFT)
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


@transaction.atomic
def rule_choose(*, actor: Actor, rule: Rule, version: str | None = None) -> str:
    """Choose the rule of new sheets and return the sentence to show; drafts are computed with it at once.

    A published sheet keeps its rule until it is published again (`sheet_renew`), and so does a draft that the rule
    cannot compute. A rule that is not stored becomes a new version of its edition; the same one changes nothing.
    `version` is that of the rule that the editor read (`rule_version`). Raises PermissionDenied, ValidationError by
    field for a rule that no result follows from, and for another version.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    rule_check(rule)
    sheets_lock()
    before = rule_current()
    if rule.is_same(before):
        return RULE_SAME
    if version is not None and version != rule_version(before):
        raise ValidationError(RULE_CHANGED)
    row = _rule_row(rule)
    JuryRule.objects.filter(is_current=True).update(is_current=False)
    JuryRule.objects.filter(pk=row.pk).update(is_current=True)
    drafts = JurySheet.objects.filter(published_at=None).order_by("place")
    renewed = [sheet for sheet in drafts if _is_computable(sheet, rule)]
    JurySheet.objects.filter(pk__in=[sheet.pk for sheet in renewed]).update(rule=row)
    _results_renew(JurySheet.objects.filter(published_at=None).select_related("rule").order_by("place"))
    names = {
        "before": {"rule": f"{before.edition}, {before.version}"},
        "after": {"rule": f"{row.edition}, {row.version}"},
    }
    change_note(actor=actor, action="jury_rule.choose", subject_id=None, name=row.edition, **names)
    publish(JuryRuleChanged())
    return RULE_CHOSEN


@transaction.atomic
def sheet_renew(*, actor: Actor, sheet_id: int) -> SheetSaved:
    """Compute a sheet with the rule in force: a draft at once, of a published one a draft that can be published.

    Raises PermissionDenied, ValidationError for a sheet that is gone, for marks that the rule does not allow, and for
    a published sheet while the stage has another draft.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    sheets_lock()
    sheet = _sheet(sheet_id)
    if sheet.published_at is not None and JurySheet.objects.filter(stage_id=sheet.stage_id, published_at=None).exists():
        raise ValidationError(NEWER_DRAFT)
    content = content_of(sheet.pk)
    return sheet_save(
        actor=actor,
        stage_id=sheet.stage_id,
        place=sheet.place,
        marks=content.marks,
        officials=content.officials,
        file_name=sheet.file_name,
    )


def _rule_row(rule: Rule) -> JuryRule:
    """Return the stored row of this rule, whatever its version, or that of a new version of its edition."""
    stored = list(JuryRule.objects.filter(edition=rule.edition).order_by("-version"))
    if same := next((row for row in stored if rule.is_same(rule_of(row))), None):
        return same
    presets = [each for each in PRESETS.values() if each.edition == rule.edition]
    if preset := next((each for each in presets if rule.is_same(each)), None):
        return _rule_stored(preset)
    newest = max((*(row.version for row in stored), *(each.version for each in presets)), default=0)
    return _rule_store(replace(rule, version=newest + 1))


def _is_computable(sheet: JurySheet, rule: Rule) -> bool:
    try:
        content_check(content_of(sheet.pk), rule, sheet.place)
    except ValidationError:
        return False
    return True


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
    """Return the stored row of a version. Raises RuntimeError if the code changed a version that is stored."""
    row = JuryRule.objects.filter(edition=rule.edition, version=rule.version).first() or _rule_store(rule)
    if rule_of(row) != rule:
        raise RuntimeError(f"the stored rules of {row} differ: a changed rule needs a new version")
    return row


def _rule_store(rule: Rule) -> JuryRule:
    lowest, highest = rule.scale()
    stages = [
        {
            "marks": stage.marks.value,
            "method": stage.method.value,
            "lowest": str(stage.lowest),
            "highest": str(stage.highest),
            "left_out": stage.left_out,
        }
        for stage in rule.by_place
    ]
    return JuryRule.objects.create(
        edition=rule.edition,
        version=rule.version,
        lowest=lowest,
        highest=highest,
        decimals=rule.decimals,
        rounding=rule.rounding.value,
        # a distance that corrects nothing where the method is another one: the version before knows no methods
        distances=[
            str(stage.distance if stage.method is ScoreMethod.CORRECTED else stage.span) for stage in rule.by_place
        ],
        weights=[list(map(str, stage.weights)) for stage in rule.by_place],
        stages=stages,
    )


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
        marks = content_of(sheet.pk).by_participant
        found = results(rule_of(sheet.rule), sheet.place, marks, scores_before(sheet))
        rows = list(JuryResult.objects.filter(sheet=sheet))
        for row in rows:
            own = found[row.participant_id]
            row.mean, row.score, row.corrected = (
                (own.score.mean, own.score.score, own.score.corrected) if own.score else (None, None, 0)
            )
            row.cumulated, row.rank, row.plain_rank = own.cumulated, own.rank, own.plain_rank
        JuryResult.objects.bulk_update(rows, ["mean", "score", "corrected", "cumulated", "rank", "plain_rank"])
