"""Writes of prizes: a stage's list is prepared as a draft, and published, corrected or withdrawn as a whole."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.competition.enums import PrizeAward, PrizeKind, PrizeListState
from apps.competition.events import StagesChanged
from apps.competition.limits import UNDO_LIFETIME
from apps.competition.models import Appearance, Participant, Prize, PrizeList, PrizeRecipient, Stage
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.prizes import PrizeLine, prize_lines, prizes_version
from apps.competition.selectors.public.prizes import PrizeShown, list_prizes
from apps.competition.services.repeated import participants_hold
from apps.core.database.fields import database_now
from apps.core.edits import ConfirmationNeeded, FieldErrors
from apps.core.events import publish
from apps.core.permissions import require

SAVED = "Draft saved. Only administrators see it."
PUBLISHED = "The prizes are published."
WITHDRAWN = "The prizes are withdrawn. They are kept as a draft."
TAKEN_BACK = "Taken back. What was shown before is shown again."
_NOT_ALLOWED = "Only administrators prepare and publish prizes."
_CHANGED = "Another administrator changed the prizes in the meantime. Please look at the list again."
_NO_DRAFT = "There is no draft to publish."
_EMPTY = "Name at least one prize."
_NO_NAME = "Name this prize, or untick who receives it."
_TWICE = "“%(prize)s” is there twice. If several receive it, mark it as shared."
_SINGLE = "“%(prize)s” goes to one performer. If several receive it, mark it as shared."
_NOBODY = "“%(prize)s” is not awarded, so that nobody can be ticked."
_TWO_PLACES = "%(name)s would receive two prizes: “%(first)s” and “%(second)s”."
_NOT_PLAYING = "%(name)s does not play in %(stage)s."
_GONE = "A ticked performer is no longer there."
_UNDECIDED = "Choose who receives “%(prize)s”, or that it is not awarded."
_ALONE = "“%(prize)s” is marked as shared, but only one performer receives it."
_TOO_LATE = "The publication can no longer be taken back. Withdraw the prizes in the list of stages."


@dataclass(frozen=True, slots=True)
class Publication:
    """What a publication answers, and the id of the published list for its undo."""

    sentence: str
    list_id: int


@transaction.atomic
def prizes_save(*, actor: Actor, stage_id: int, lines: Sequence[PrizeLine], version: str | None = None) -> str:
    """Store these prizes as the draft of the stage, which only administrators read, and return the sentence to show.

    Lines without name and recipients are left out. `version` is the one that the editor read. Raises PermissionDenied,
    Stage.DoesNotExist, and ValidationError at `name-3` or `recipient-3` of the third line and for another version.
    """
    stage = _locked(actor, stage_id)
    lists = _lists(stage)
    participants_hold({pk for line in lines for pk in line.participant_ids})
    _validate(stage, lines)
    stored = _lines(lists)
    if version is not None and version != prizes_version(stored):
        raise ValidationError(_CHANGED)
    kept = [line for line in lines if line.name]
    if PrizeListState.DRAFT in lists:
        lists[PrizeListState.DRAFT].delete()
    _store(PrizeList.objects.create(stage=stage, state=PrizeListState.DRAFT, by_id=account_of(actor)), kept)
    _note(actor, "stage.prizes", stage, before=stored, after=kept)
    return SAVED


@transaction.atomic
def prizes_publish(*, actor: Actor, stage_id: int, version: str | None = None, confirmed: bool = True) -> Publication:
    """Publish the draft of the stage's prizes, in place of those that are published.

    `version` is the one that the editor read. Raises PermissionDenied, Stage.DoesNotExist, ValidationError without a
    draft, for another version, an undecided prize and performers who do not play in the stage, and unless `confirmed`
    ConfirmationNeeded with all prizes.
    """
    stage = _locked(actor, stage_id)
    lists = _lists(stage)
    draft = lists.get(PrizeListState.DRAFT)
    if draft is None:
        raise ValidationError(_NO_DRAFT)
    prizes = list_prizes(PrizeList.objects.filter(pk=draft.pk))
    lines = prize_lines(prizes)
    if version is not None and version != prizes_version(lines):
        raise ValidationError(_CHANGED)
    participants_hold({pk for line in lines for pk in line.participant_ids})
    _require_decided(stage, prizes)
    if not confirmed:
        raise ConfirmationNeeded(_questions(prizes))
    published = lists.get(PrizeListState.PUBLISHED)
    before = prize_lines(list_prizes(PrizeList.objects.filter(pk=published.pk))) if published else ()
    if published:
        PrizeList.objects.filter(stage=stage, state=PrizeListState.REPLACED).delete()
        _move(published, PrizeListState.REPLACED, published.published_at)
    draft.by_id = account_of(actor)
    _move(draft, PrizeListState.PUBLISHED, database_now())
    _note(actor, "stage.award", stage, before=before, after=lines)
    publish(StagesChanged())
    return Publication(PUBLISHED, draft.pk)


@transaction.atomic
def prizes_restore(*, actor: Actor, list_id: int) -> str:
    """Take back the publication of this list: it is the draft again, and what it replaced is shown again.

    Raises PermissionDenied, and ValidationError after UNDO_LIFETIME, once the list is no longer the published one, and
    if there is another draft by then.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    stage_id = PrizeList.objects.filter(pk=list_id).values_list("stage_id", flat=True).first()
    if stage_id is None:
        raise ValidationError(_TOO_LATE)
    stage = _locked(actor, stage_id)
    lists = _lists(stage)
    published, replaced = lists.get(PrizeListState.PUBLISHED), lists.get(PrizeListState.REPLACED)
    if published is None or published.pk != list_id or PrizeListState.DRAFT in lists or _is_old(published):
        raise ValidationError(_TOO_LATE)
    before = prize_lines(list_prizes(PrizeList.objects.filter(pk=list_id)))
    _move(published, PrizeListState.DRAFT, None)
    if replaced:
        _move(replaced, PrizeListState.PUBLISHED, replaced.published_at)
    after = prize_lines(list_prizes(PrizeList.objects.filter(pk=replaced.pk))) if replaced else ()
    _note(actor, "stage.unaward", stage, before=before, after=after)
    publish(StagesChanged())
    return TAKEN_BACK


@transaction.atomic
def prizes_withdraw(*, actor: Actor, stage_id: int) -> str:
    """Withdraw the published prizes of the stage and return the sentence to show.

    They become the draft, unless there is one. Idempotent. Raises PermissionDenied, Stage.DoesNotExist.
    """
    stage = _locked(actor, stage_id)
    lists = _lists(stage)
    published = lists.get(PrizeListState.PUBLISHED)
    if published is None:
        return WITHDRAWN
    before = prize_lines(list_prizes(PrizeList.objects.filter(pk=published.pk)))
    PrizeList.objects.filter(stage=stage, state=PrizeListState.REPLACED).delete()
    if PrizeListState.DRAFT in lists:
        published.delete()
    else:
        _move(published, PrizeListState.DRAFT, None)
    _note(actor, "stage.unaward", stage, before=before, after=())
    publish(StagesChanged())
    return WITHDRAWN


def _locked(actor: Actor, stage_id: int) -> Stage:
    """Return the stage, locked, after a check of the permission."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    return Stage.objects.select_for_update(no_key=True).get(pk=stage_id)


def _lists(stage: Stage) -> dict[str, PrizeList]:
    """Return the stage's lists by state."""
    return {each.state: each for each in PrizeList.objects.filter(stage=stage)}


def _lines(lists: dict[str, PrizeList]) -> tuple[PrizeLine, ...]:
    """Return the lines that the form shows: those of the draft, else those that are published."""
    shown = lists.get(PrizeListState.DRAFT) or lists.get(PrizeListState.PUBLISHED)
    return prize_lines(list_prizes(PrizeList.objects.filter(pk=shown.pk))) if shown else ()


def _move(prizes: PrizeList, state: PrizeListState, published_at: datetime | None) -> None:
    prizes.state, prizes.published_at = state, published_at
    prizes.save(update_fields=["state", "published_at", "by"])


def _is_old(published: PrizeList) -> bool:
    return published.published_at is None or database_now() - published.published_at > UNDO_LIFETIME


def _store(prizes: PrizeList, lines: Sequence[PrizeLine]) -> None:
    rows = Prize.objects.bulk_create(
        Prize(list=prizes, order_number=number, name=line.name, kind=line.kind, award=line.award)
        for number, line in enumerate(lines, start=1)
    )
    PrizeRecipient.objects.bulk_create(
        PrizeRecipient(prize=row, list=prizes, kind=row.kind, award=row.award, participant_id=pk)
        for row, line in zip(rows, lines, strict=True)
        for pk in sorted(set(line.participant_ids))
    )


def _validate(stage: Stage, lines: Sequence[PrizeLine]) -> None:
    """Raise ValidationError at the fields of lines that cannot be stored."""
    errors = FieldErrors()
    names = Counter(line.name.lower() for line in lines)
    playing = _playing(stage)
    people = {pk for line in lines for pk in line.participant_ids}
    known = dict(Participant.objects.filter(pk__in=people).values_list("pk", "name"))
    placed: dict[int, str] = {}
    if not any(line.name for line in lines):
        errors.by_field["name-1"] = [ValidationError(_EMPTY)]
    for number, line in enumerate(lines, start=1):
        prize = {"prize": line.name}
        if not line.name and line.participant_ids:
            errors.by_field.setdefault(f"name-{number}", [ValidationError(_NO_NAME)])
        elif line.name and names[line.name.lower()] > 1:
            errors.by_field.setdefault(f"name-{number}", [ValidationError(_TWICE, params=prize)])
        elif sentence := _refusal(line, stage, playing, known, placed):
            errors.by_field.setdefault(f"recipient-{number}", [sentence])
    errors.require_none()


def _refusal(
    line: PrizeLine, stage: Stage, playing: set[int], known: dict[int, str], placed: dict[int, str]
) -> ValidationError | None:
    """Return why these performers cannot receive the prize; `placed` are those with a place, which this adds to."""
    chosen = sorted(set(line.participant_ids))
    if chosen and line.award == PrizeAward.NONE:
        return ValidationError(_NOBODY, params={"prize": line.name})
    if len(chosen) > 1 and line.award == PrizeAward.SINGLE:
        return ValidationError(_SINGLE, params={"prize": line.name})
    for pk in chosen:
        if pk not in known:
            return ValidationError(_GONE)
        if pk not in playing:
            return ValidationError(_NOT_PLAYING, params={"name": known[pk], "stage": stage.name})
        if line.kind == PrizeKind.PLACE and pk in placed:
            params = {"name": known[pk], "first": placed[pk], "second": line.name}
            return ValidationError(_TWO_PLACES, params=params)
    placed |= dict.fromkeys(chosen, line.name) if line.kind == PrizeKind.PLACE else {}
    return None


def _playing(stage: Stage) -> set[int]:
    return set(Appearance.objects.filter(stage=stage).values_list("participant_id", flat=True))


def _require_decided(stage: Stage, prizes: Sequence[PrizeShown]) -> None:
    """Raise ValidationError with all prizes that cannot be published as they are."""
    playing, errors = _playing(stage), list[ValidationError]()
    for each in prizes:
        if each.award != PrizeAward.NONE and not each.recipients:
            errors.append(ValidationError(_UNDECIDED, params={"prize": each.name}))
        if each.is_shared and len(each.recipients) == 1:
            errors.append(ValidationError(_ALONE, params={"prize": each.name}))
        errors += [
            ValidationError(_NOT_PLAYING, params={"name": who.name, "stage": stage.name})
            for who in each.recipients
            if who.participant_id not in playing
        ]
    if errors:
        raise ValidationError(errors)


def _questions(prizes: Sequence[PrizeShown]) -> list[ValidationError]:
    """Return the sentences to confirm: each prize with those who receive it."""
    sentences = [ValidationError("Everybody sees it at once:")]
    for each in prizes:
        names = ", ".join(who.name for who in each.recipients)
        words = "%(prize)s: not awarded"
        if names:
            words = "%(prize)s, shared: %(names)s" if each.is_shared else "%(prize)s: %(names)s"
        sentences.append(ValidationError(words, params={"prize": each.name, "names": names}))
    return sentences


def _note(actor: Actor, action: str, stage: Stage, *, before: Sequence[PrizeLine], after: Sequence[PrizeLine]) -> None:
    """Store the audit's entry with the prizes and the names of those who receive them."""
    ids = {pk for line in (*before, *after) for pk in line.participant_ids}
    names = dict(Participant.objects.filter(pk__in=ids).values_list("pk", "name"))
    changes = {
        "before": {"prizes": [_words(line, names) for line in before]},
        "after": {"prizes": [_words(line, names) for line in after]},
    }
    change_note(actor=actor, action=action, subject_id=stage.pk, name=stage.name, **changes)


def _words(line: PrizeLine, names: dict[int, str]) -> str:
    return f"{line.name}: {', '.join(names.get(pk, '') for pk in line.participant_ids) or line.award}"
