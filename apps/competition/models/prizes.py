"""The prizes of a stage: lists in their states, the prizes of a list, and who receives them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from apps.competition.enums import PrizeAward, PrizeKind, PrizeListState
from apps.competition.limits import PRIZE_LENGTH
from apps.competition.models.participants import Participant
from apps.competition.models.sessions import Stage


class PrizeList(models.Model):
    """All prizes of a stage in one state: at most one draft, one published list, and one that it replaced.

    Only administrators read a draft and a replaced list.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="prize_lists", db_index=False)
    state = models.CharField(max_length=10, choices=PrizeListState)
    published_at = models.DateTimeField(null=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )

    class Meta:
        db_table = "prize_lists"
        constraints = (
            models.UniqueConstraint(fields=["stage", "state"], name="prize_list_once_in_a_state"),
            models.CheckConstraint(condition=Q(state__in=PrizeListState.values), name="prize_list_state_known"),
            models.CheckConstraint(
                condition=Q(state=PrizeListState.DRAFT, published_at=None)
                | (~Q(state=PrizeListState.DRAFT) & Q(published_at__isnull=False)),
                name="prize_list_published_with_time",
            ),
        )

    def __str__(self) -> str:
        return f"{self.stage_id}, {self.state}"


class Prize(models.Model):
    """A prize, distinction or special prize, such as "First Prize" or "Best performance of mazurkas"."""

    list = models.ForeignKey(PrizeList, on_delete=models.CASCADE, related_name="prizes", db_index=False)
    order_number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=PRIZE_LENGTH)
    kind = models.CharField(max_length=11, choices=PrizeKind)
    award = models.CharField(max_length=6, choices=PrizeAward)

    class Meta:
        db_table = "prizes"
        constraints = (
            models.UniqueConstraint(fields=["list", "order_number"], name="prize_number_once"),
            models.UniqueConstraint("list", Lower("name"), name="prize_name_once"),
            models.UniqueConstraint(fields=["id", "list", "kind", "award"], name="prize_of_recipient_key"),
            models.CheckConstraint(condition=Q(order_number__gte=1), name="prize_number_from_one"),
            models.CheckConstraint(condition=~Q(name=""), name="prize_has_name"),
            models.CheckConstraint(condition=Q(kind__in=PrizeKind.values), name="prize_kind_known"),
            models.CheckConstraint(condition=Q(award__in=PrizeAward.values), name="prize_award_known"),
        )

    def __str__(self) -> str:
        return self.name


class PrizeRecipient(models.Model):
    """A performer who receives a prize.

    `list`, `kind` and `award` repeat those of the prize, which a composite foreign key keeps equal, so that constraints
    can name them. A trigger refuses participants who do not play in the stage (`sql/prize_of_performer.sql`).
    """

    prize = models.ForeignKey(Prize, on_delete=models.CASCADE, related_name="recipients", db_index=False)
    list = models.ForeignKey(PrizeList, on_delete=models.CASCADE, related_name="+", db_index=False)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=11, choices=PrizeKind)
    award = models.CharField(max_length=6, choices=PrizeAward)

    class Meta:
        db_table = "prize_recipients"
        constraints = (
            models.UniqueConstraint(fields=["prize", "participant"], name="prize_received_once"),
            models.UniqueConstraint(
                fields=["prize"], condition=Q(award=PrizeAward.SINGLE), name="one_recipient_unless_shared"
            ),
            models.UniqueConstraint(
                fields=["list", "participant"], condition=Q(kind=PrizeKind.PLACE), name="one_place_for_a_performer"
            ),
            models.CheckConstraint(condition=~Q(award=PrizeAward.NONE), name="no_recipient_if_not_awarded"),
        )

    def __str__(self) -> str:
        return f"{self.prize_id}, {self.participant_id}"
