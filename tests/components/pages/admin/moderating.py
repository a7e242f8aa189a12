"""Helpers for tests of moderation: a session with pending ratings, and its list."""

from types import SimpleNamespace
from typing import Any

from apps.accounts.models import User
from apps.ratings.models import PerformanceRating, PieceRating
from tests.commanding import Answer, command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, name
from tests.factories import AdminFactory, PieceRatingFactory, UserFactory
from tests.screen import Screen

DASHBOARD = "/admin"


def pending(appearance: Any, piece: Any, author: str, **more: Any) -> PieceRating:
    """Return a pending piece rating by this author."""
    return PieceRatingFactory(appearance=appearance, piece=piece, user=UserFactory(username=author), **more)


def pending_ratings(authors: str = "ada ben cleo") -> SimpleNamespace:
    """Return a session of three with a pending rating of its first piece by each author, and two moderators."""
    setup = busy_session_with(3)
    setup.piece = setup.appearances[0].program.get(order_number=1).piece
    setup.ratings = {author: pending(setup.appearances[0], setup.piece, author) for author in authors.split()}
    setup.admin, setup.colleague = AdminFactory(username="halina_k"), AdminFactory(username="ignacy_p")
    return setup


def crowd(setup: SimpleNamespace, count: int) -> None:
    """Add `count` pending ratings; half are of pieces, half of performances with long comments."""
    people = User.objects.bulk_create(
        [User(username=f"seat_{n}", email=f"seat{n}@example.org", password="x") for n in range(count // 2)]
    )
    appearance, piece = setup.appearances[0], setup.piece
    common = {"appearance": appearance}
    PieceRating.objects.bulk_create([PieceRating(user=person, piece=piece, score=20, **common) for person in people])
    words = "What a night." * 20
    PerformanceRating.objects.bulk_create(
        [PerformanceRating(user=person, score=4, comment=words, **common) for person in people]
    )


def decision(where: Any, verdict: str, author: str) -> tuple[str, str]:
    """Return the command and argument of the button for this decision about the author's rating."""
    what = "ratings" if verdict.endswith("both") else "the rating"
    (match,) = [button for button in every(where, "button") if name(button) == f"{verdict} {what} by {author}"]
    return attributes(match)["data-command"], attributes(match)["data-argument"]


def ticks(where: Any) -> list[str]:
    """Return the values of the tick boxes, without those of rows that another moderator has decided."""
    boxes = [attributes(field) for field in every(where, "input", "tick")]
    return [box["value"] for box in boxes if not box.get("disabled")]


async def decided(screen: Screen, verdict: str, author: str) -> Answer:
    """Press the button for this decision, and return the answer."""
    return await command(screen, *decision(screen.tree, verdict, author))


async def shows(screen: Screen, count: int) -> None:
    """Wait until the list has `count` rows that wait."""
    await screen._until(lambda: len(ticks(screen.tree)) == count, f"not {count} rows")
