"""My Ratings, mounted: its rows, what is covered, its orders, and what a row unfolds to."""

from itertools import chain, product

import pytest

from apps.accounts.actors import OPERATOR
from apps.core.threads import in_thread
from apps.ranking.services import ranking_close, ranking_compute
from apps.ratings.enums import RatingKind
from apps.ratings.models import PieceRating
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.moderation import mark_reject
from apps.ratings.services.strikes import Strikes
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, PerformanceRatingFactory, PieceRatingFactory, UserFactory, viewer_of
from tests.screen import open_page

AUDIENCE = (7, 8, 8)  # the mean 7.7 is in no other number of the page


@pytest.fixture
def fan(db):
    return viewer_of(UserFactory(username="una_corda"))


def stored(count=4):
    """Return performances, each piece marked by the audience, and their pieces by performance."""
    appearances = busy_session_with(count, is_live=False).appearances
    entries = [list(appearance.program.order_by("order_number")) for appearance in appearances]
    for entry, score in product(chain(*entries), AUDIENCE):
        PieceRatingFactory(entry=entry, score=score, approved=True)
    return appearances, entries


def keep(fan, program, *scores):
    pieces = {entry.piece_id: (score, 0.0) for entry, score in zip(program, scores, strict=False)}
    rating_keep(actor=fan, appearance_id=program[0].appearance_id, strikes=Strikes(pieces))


def give(fan, program):
    """Submit a mark for the first piece of the program, which a moderator has approved."""
    PieceRatingFactory(entry=program[0], user_id=fan.id, user=None, score=20, approved=True)


def lead(fan):
    return text(one(opened("/profile?tab=ratings", fan).main, "p", "lead"))


def lines(root):
    """Return the text of each cell of each row."""
    return [[text(cell) for cell in summary["children"]] for summary in every(root, "summary")]


def test_row_has_own_and_audience_figures(fan):
    _, (first, second, third, fourth) = stored()
    for program, scores in ((first, (12, 12)), (second, (21,)), (third, (6, 6)), (fourth, (12, 12))):
        keep(fan, program, *scores)
    seen = opened("/profile?tab=ratings", fan)
    names = [program[0].appearance.participant.name for program in (first, second, third, fourth)]
    assert lines(seen.main) == [
        ["number 1", names[0], "you 12.0", "2nd", "audience 7.7 so far", "+4.3", "2 of 2 marked, not submitted"],
        ["number 2", names[1], "you 21.0", "1st", "covered", "–", "1 of 2 marked, not submitted"],
        ["number 3", names[2], "you 6.0", "4th", "audience 7.7 so far", "−1.7", "2 of 2 marked, not submitted"],
        ["number 4", names[3], "you 12.0", "2nd", "audience 7.7 so far", "+4.3", "2 of 2 marked, not submitted"],
    ]
    most = [text(row) for row in every(one(seen.main, "ol", "most"), "li")]
    figures = (("+4.3", 0, "12.0"), ("+4.3", 3, "12.0"), ("−1.7", 2, "6.0"))
    assert most == [f"{sign} {names[place]} you {own}, audience 7.7 so far" for sign, place, own in figures]


def test_lead_counts_uncounted_performances(fan):
    """A mark that came after the closing never counts, approved or not, so it is not among those that do not yet."""
    appearances, (first, second, third, fourth) = stored()
    keep(fan, first, 12, 12)
    give(fan, second)
    assert lead(fan).startswith("2 performances. 2 do not count yet: 1 not submitted, 1 shown (Counts from ")
    marked = opened("/profile?tab=ratings&show=marked", fan).main
    assert len(lines(marked)) == 1
    current = [text(way) for way in every(marked, "a", "link") if "aria-current" in attributes(way)]
    assert "1 not submitted" in current
    stage_id = appearances[0].session.stage_id
    assert ranking_compute(stage_id=stage_id).run_id
    ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    give(fan, third)
    PieceRatingFactory(entry=fourth[0], user_id=fan.id, user=None, score=20)  # never approved
    assert lead(fan) == "4 performances. 1 does not count yet: 1 not submitted"
    seen = opened("/profile?tab=ratings", fan).main
    assert [cells[-1] for cells in lines(seen)] == [
        "2 of 2 marked, not submitted",
        "Does not count: not complete when the ranking was closed",
        *["Does not count: given after the ranking was closed"] * 2,
    ]
    stage = text(opened(f"/stages/{stage_id}", fan).main)
    assert "Does not count: not complete when the ranking was closed" in stage
    assert "Waits for approval" not in stage
    assert [text(span) for span in every(one(seen, "p", "mine__signs"), "span", "sign")] == [
        "marked",
        "changed, not sent",
        "waits for approval",
        "shown",
        "counts",
    ]


def test_links_sort_the_rows(fan):
    _, programs = stored()
    for program, scores in zip(programs, ((11, 11), (21,), (7, 7), (2, 2)), strict=True):
        keep(fan, program, *scores)
    address = "/profile?tab=ratings"
    for sort, order in (("", "1234"), ("&sort=mark", "2134"), ("&sort=difference", "4132")):
        main = opened(f"{address}{sort}", fan).main
        assert "".join(cells[0].removeprefix("number ") for cells in lines(main)) == order
        links = [attributes(link) for link in every(one(main, "nav", "mine__orders"), "a")]
        assert [link["href"] for link in links] == [address, f"{address}&sort=mark", f"{address}&sort=difference"]
        assert [link["href"] for link in links if link.get("aria-current")] == [f"{address}{sort}"]


def test_row_unfolds_to_all_marks(fan):
    [appearance], [program] = stored(1)
    whole = PerformanceRatingFactory(
        appearance=appearance, user_id=fan.id, user=None, comment="The silences.", is_comment_hidden=True
    )
    first = PieceRatingFactory(entry=program[0], user_id=fan.id, user=None, score=20, approved=True)
    keep(fan, program, 22, 18)
    details = one(opened("/profile?tab=ratings", fan).main, "div", "mine__in")
    assert "The silences." in text(details)
    assert [text(span) for span in every(details, "span", "badge")] == [
        "Comment hidden",
        "Approved",
        "Not submitted",
        "Waiting for approval",
    ]
    assert "20 is submitted" in text(details)
    assert "1 of 2 pieces" in text(details)
    marks = [text(one(row, "span", "mark-list__mark")) for row in every(one(details, "ol"), "li")]
    assert marks == ["2222 of 25", "1818 of 25", "44 of 5"]
    arguments = [attributes(button)["data-argument"] for button in every(details, "button", data_command="mark_delete")]
    assert arguments == [f"piece:{first.pk}", f"performance:{whole.pk}"]
    [rating] = every(details, "button", data_command="rating_delete")
    assert attributes(rating)["data-argument"] == f"{appearance.pk}:{fan.id}"


async def test_open_ledger_follows_marks_and_rejections():
    def create():
        admin = viewer_of(AdminFactory())
        return viewer_of(UserFactory()), admin, stored(2)

    fan, admin, (appearances, programs) = await in_thread(create)
    async with open_page("/profile?tab=ratings", user=fan) as screen:
        assert "You have not rated anything yet." in screen.text
        await in_thread(lambda: keep(fan, programs[0], 21))
        await screen.until("1 of 2 marked, not submitted")
        assert "You have not rated anything yet." not in screen.text
        assert "7.7" not in repr(screen.tree)
        assert (await command(screen, "figures_show", appearances[0].pk))["ok"]
        await screen.until("+13.3")

        def submit():
            return PieceRatingFactory(entry=programs[1][0], user_id=fan.id, user=None, score=20).pk

        mark = await in_thread(submit)
        await in_thread(lambda: mark_reject(actor=admin, kind=RatingKind.PIECE, mark_id=mark))
        await screen.until("Not approved")
        assert "Changed, not sent" in screen.text
        assert not every(screen.tree, "button", data_command="rating_delete")
    assert await in_thread(lambda: PieceRating.objects.filter(user_id=fan.id).count()) == 0
