"""Which of the audience's figures a member sees before marking ("own ears first"). What is shown stays shown."""

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Actor
from apps.competition.selectors.public.programs import appearance_program, begun_appearances
from apps.competition.selectors.public.stages import stage_names
from apps.core.events import publish
from apps.ratings.events import DraftChanged
from apps.ratings.models import CoveringChoice, UncoveredStage
from apps.ratings.services.drafts import WITHDRAWN
from apps.ratings.services.submission import rater_require

SIGN_IN = "Sign in to choose what you see."
SHOWN = "The audience’s marks of this performance are shown to you."
STAGE_SHOWN = "All of the audience’s marks of this stage are shown to you."
EARS_FIRST = "Your own ears first: the audience’s marks are covered until you have marked."
ALL_SHOWN = "The audience’s marks are shown to you before yours."
_SHOW = """
INSERT INTO rating_drafts AS sheet (user_id, session_participant_id, shown_at)
SELECT %(user)s, appearance_id, now() FROM unnest(%(appearances)s::bigint[]) AS appearance_id ORDER BY appearance_id
ON CONFLICT (user_id, session_participant_id) DO UPDATE SET shown_at = coalesce(sheet.shown_at, now())
"""


@transaction.atomic
def figures_show(*, actor: Actor, appearance_id: int) -> str:
    """Uncover the audience's figures of one performance for the actor, and return the sentence to show.

    Raises PermissionDenied, and ValidationError for an unknown performance.
    """
    user_id = rater_require(actor, SIGN_IN)
    if appearance_program(appearance_id=appearance_id) is None:
        raise ValidationError(WITHDRAWN)
    _show(user_id, [appearance_id])
    publish(DraftChanged(user_id))
    return SHOWN


@transaction.atomic
def stage_figures_show(*, actor: Actor, stage_id: int) -> str:
    """Uncover the audience's figures of all performances of a stage for the actor, and return the sentence to show.

    Raises PermissionDenied, and ValidationError for an unknown stage.
    """
    user_id = rater_require(actor, SIGN_IN)
    if stage_id not in {stage.id for stage in stage_names()}:
        raise ValidationError("This stage is not there any more.")
    UncoveredStage.objects.bulk_create([UncoveredStage(user_id=user_id, stage_id=stage_id)], ignore_conflicts=True)
    publish(DraftChanged(user_id))
    return STAGE_SHOWN


@transaction.atomic
def ears_first_set(*, actor: Actor, ears_first: bool) -> str:
    """Store whether the audience's figures are covered until the actor has marked, and return the sentence to show.

    Performances that were shown while the choice was off stay shown. Raises PermissionDenied.
    """
    user_id = rater_require(actor, SIGN_IN)
    former = CoveringChoice.objects.filter(user_id=user_id).values_list("ears_first", flat=True).first()
    if ears_first and former is False:
        _show(user_id, begun_appearances())
    CoveringChoice.objects.update_or_create(user_id=user_id, defaults={"ears_first": ears_first})
    publish(DraftChanged(user_id))
    return EARS_FIRST if ears_first else ALL_SHOWN


def _show(user_id: int, appearance_ids: list[int]) -> None:
    """Uncover these performances. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_SHOW, {"user": user_id, "appearances": appearance_ids})
