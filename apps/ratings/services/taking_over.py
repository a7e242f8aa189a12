"""Marks that were made signed out, taken over by an account.

What the account has struck or submitted already wins, unless the member takes the others instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.selectors.public.programs import AppearanceStatus, appearance_names, appearance_statuses
from apps.core.database.fields import database_now
from apps.core.events import publish
from apps.core.rate_limits import rate_limit_take
from apps.core.text_rules import text_clean
from apps.ratings.events import DraftChanged
from apps.ratings.limits import RATINGS, STRUCK_WITHIN
from apps.ratings.models import DraftMark, RatingDraft
from apps.ratings.selectors.own import OwnRatings, ratings_own
from apps.ratings.services.signed_out_marks import signed_out_marks_read
from apps.ratings.services.strikes import Strikes, strikes_write
from apps.ratings.services.submission import SIGN_IN, rater_require

NOTHING = Strikes()


@dataclass(frozen=True, slots=True)
class NotKept:
    """Performances whose marks are not kept: names of those that have not begun, and the number of unknown ones."""

    names: tuple[str, ...]
    unknown: int


@dataclass(frozen=True, slots=True)
class Asked:
    """The performances that a member is asked about, by id: `missing` have something that the account lacks.

    `differing` are the names of those of which the account has other marks.
    """

    appearance_ids: tuple[int, ...]
    missing: tuple[int, ...]
    differing: tuple[str, ...]


@transaction.atomic
def marks_to_ask(*, actor: Actor, marks: Mapping[int, Strikes]) -> Asked:
    """Return the performances of which the account lacks something, or has other marks. Raises PermissionDenied."""
    user_id = rater_require(actor, SIGN_IN)
    missing, differing = _compared(user_id, marks, appearance_statuses(appearance_ids=marks.keys()))
    names = appearance_names(appearance_ids=differing) if differing else {}
    both = tuple(pk for pk in marks if pk in missing or pk in differing)
    return Asked(both, tuple(missing), tuple(names.values()))


@transaction.atomic
def ratings_take_over(*, actor: Actor, marks: Mapping[int, Strikes], replaces: bool = False) -> NotKept:
    """Keep these marks on the actor's sheets, except fields that are struck there or submitted.

    With `replaces` they also take the place of other values, as if they were struck now. Whether marks were made blind
    is unknown. Returns which performances are left out because they have not begun or are
    not in the competition. Raises PermissionDenied, TooMany at the rate limit.
    """
    user_id = rater_require(actor, SIGN_IN)
    rate_limit_take(RATINGS, account_id=user_id)
    statuses = appearance_statuses(appearance_ids=marks.keys())
    missing, differing = _compared(user_id, marks, statuses)
    refused = [pk for pk in missing if not _has_begun(pk, statuses)]
    for pk in sorted(missing.keys() - refused):
        strikes_write(user_id, pk, missing[pk], made_here=False)
    for pk in sorted(differing) if replaces else ():
        strikes_write(user_id, pk, differing[pk], made_here=False)
    publish(DraftChanged(user_id))
    names = appearance_names(appearance_ids=refused) if refused else {}
    return NotKept(tuple(names.values()), len(refused) - len(names))


def signed_out_marks_store(user_id: int, text: str) -> None:
    """Store the marks that a browser has sent with a registration on the sheets of the new account.

    Performances that are unknown or have not begun are left out, and text that is not from a browser of this site. Four
    statements for any number of marks, so that the answer's time does not tell whether the address was new.
    """
    try:
        marks = signed_out_marks_read(text)
    except ValueError:
        return
    statuses = appearance_statuses(appearance_ids=marks.keys())
    kept = {pk: _of_program(marks[pk], status) for pk, status in statuses.items() if status.has_begun}
    now = database_now()

    def moment(struck: tuple[object, float]) -> datetime:
        return now - timedelta(seconds=min(struck[1], STRUCK_WITHIN))

    sheets = RatingDraft.objects.bulk_create(
        RatingDraft(
            user_id=user_id,
            appearance_id=pk,
            score=strikes.score and strikes.score[0],
            score_at=strikes.score and moment(strikes.score),
            comment=text_clean(strikes.comment[0]) if strikes.comment else "",
            comment_at=strikes.comment and moment(strikes.comment),
            quick_rating=strikes.quick_rating[0] if strikes.quick_rating else "",
            quick_at=strikes.quick_rating and moment(strikes.quick_rating),
        )
        for pk, strikes in kept.items()
        if strikes != NOTHING
    )
    DraftMark.objects.bulk_create(
        DraftMark(draft=sheet, piece_id=piece_id, score=struck[0], struck_at=moment(struck))
        for sheet in sheets
        for piece_id, struck in kept[sheet.appearance_id].pieces.items()
    )


def _compared(
    user_id: int, marks: Mapping[int, Strikes], statuses: Mapping[int, AppearanceStatus]
) -> tuple[dict[int, Strikes], dict[int, Strikes]]:
    """Return the strikes of fields that the account has neither struck nor submitted, and those that differ from it.

    Both without empty performances, and without pieces that have left the program. One query.
    """
    own = ratings_own(user_id=user_id, appearance_ids=marks.keys())
    known = {
        pk: _of_program(strikes, statuses[pk]) if _has_begun(pk, statuses) else strikes for pk, strikes in marks.items()
    }
    missing = {pk: _without(strikes, own.get(pk)) for pk, strikes in known.items()}
    differing = {
        pk: _differing(strikes, missing[pk], own[pk])
        for pk, strikes in known.items()
        if pk in own and _has_begun(pk, statuses)
    }
    return _filled(missing), _filled(differing)


def _filled(marks: Mapping[int, Strikes]) -> dict[int, Strikes]:
    return {pk: strikes for pk, strikes in marks.items() if strikes != NOTHING}


def _differing(strikes: Strikes, missing: Strikes, own: OwnRatings) -> Strikes:
    """Return the strikes that are not `missing` and differ from the account's values, as if struck now."""
    pieces = {pk: struck for pk, (struck, _) in strikes.pieces.items() if pk not in missing.pieces}
    marks = {pk: own.sheet.pieces.get(pk, own.marks.get(pk, 0)) for pk in pieces}
    score, comment, quick = strikes.score, strikes.comment, strikes.quick_rating
    kept_score = own.sheet.score if own.sheet.score is not None else own.score
    return Strikes(
        {pk: (mark, 0.0) for pk, mark in pieces.items() if mark != marks[pk]},
        (score[0], 0.0) if score and not missing.score and score[0] != kept_score else None,
        (comment[0], 0.0) if comment and not missing.comment and text_clean(comment[0]) != own.comment else None,
        (quick[0], 0.0) if quick and not missing.quick_rating and quick[0] != own.quick_rating else None,
    )


def _without(strikes: Strikes, own: OwnRatings | None) -> Strikes:
    if own is None:
        return strikes
    sheet, is_submitted = own.sheet, own.overall is not None
    return Strikes(
        {pk: struck for pk, struck in strikes.pieces.items() if pk not in own.pieces and pk not in sheet.pieces},
        strikes.score if sheet.score is None and not is_submitted else None,
        strikes.comment if sheet.comment is None and not is_submitted else None,
        strikes.quick_rating if sheet.quick_rating is None and not is_submitted else None,
    )


def _of_program(strikes: Strikes, status: AppearanceStatus) -> Strikes:
    return replace(strikes, pieces={pk: struck for pk, struck in strikes.pieces.items() if pk in status.pieces})


def _has_begun(pk: int, statuses: Mapping[int, AppearanceStatus]) -> bool:
    return pk in statuses and statuses[pk].has_begun
