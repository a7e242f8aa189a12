"""A stage with random marks, for the tests of the ranking's privacy."""

import base64
import csv
import io
import random
from typing import Any

from django.db import transaction

from apps.accounts.actors import OPERATOR
from apps.ranking import services
from apps.ranking.models import RankingRun
from apps.ranking.publication import salt_of, unpacked
from apps.ratings.models import PieceRating
from apps.ratings.services.announcement import ratings_announce
from tests.apps.ranking.halls import listeners, stage_of


class Evening:
    """A stage with random sheets of random listeners: each has marked at least three performances, each piece."""

    def __init__(self, seed: int, *, performances: int = 5, people: int = 14) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - test data
        self.appearances = stage_of(performances)
        self.stage = self.appearances[0].session.stage_id
        self.people = listeners(people)
        for user in self.people:
            marked = self.appearances[: self.chance.choice([3, 4, performances, performances, performances])]
            self.rate(user, marked)

    def rate(self, user: Any, marked: Any) -> None:
        """Give the pieces of these performances random marks, approved."""
        PieceRating.objects.bulk_create(
            PieceRating(
                user=user,
                appearance=appearance,
                piece_id=entry.piece_id,
                score=self.chance.randint(1, 25),
                approved=True,
            )
            for appearance in marked
            for entry in appearance.program.all()
        )
        with transaction.atomic():
            ratings_announce([user.pk], [appearance.pk for appearance in marked], public=True, waiting=False)

    def compute(self) -> None:
        """Compute the ranking."""
        services.ranking_compute(stage_id=self.stage)

    def close(self) -> None:
        """Close the ranking."""
        services.ranking_close(actor=OPERATOR, stage_id=self.stage, confirmed=True)

    def name(self, number: int) -> str:
        """Return the name of a performer."""
        return self.appearances[number].participant.name

    def secrets(self) -> set[str]:
        """Return all texts that lead to a sheet: secret, salts and hashes of sheets, in hexadecimal and base64."""
        secrets: set[str] = set()
        for run in RankingRun.objects.filter(stage_id=self.stage):
            secrets.add(run.input_digest or "")
            raw = [bytes(run.secret)] if run.secret else []
            if run.secret:
                raw += [salt_of(bytes(run.secret), user.pk) for user in self.people]
            secrets |= {text for value in raw for text in (value.hex(), base64.b64encode(value).decode().rstrip("="))}
            if run.file:
                secrets |= {line["salt"] for line in csv.DictReader(io.StringIO(unpacked(bytes(run.file))))}
        return secrets
