"""Reports in browser windows: report on a phone, the author's view, and decisions without JavaScript."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.async_api import expect

from apps.accounts.models import User
from apps.accounts.selectors.sessions import viewer_get
from apps.community.enums import ReportKind
from apps.community.events import PostsChanged, ReportsChanged
from apps.community.models import Post, Report, ReportCase, ReportDecision
from apps.community.services.reports import report_add
from apps.core.events import publish
from apps.core.models import RateLimitUse
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF, sent_twice
from tests.e2e.windows import ABSENT, Windows

FEED, TAB = "/community", "/admin?tab=reports"
SECOND, FAN = "pedal-point", "NightTrain"  # an administrator of these journeys, and a member
THANKS = "Thank you. An administrator will look at it."
ALREADY = "You have reported this already."
TYPED = "() => document.querySelector('[name=words]').value"
TOP = "(element) => element.getBoundingClientRect().top"
COUNT = 55  # more than one page of the list


@pytest.fixture
def posts(site: Site) -> Iterator[list[int]]:
    """Create posts of one author, make all accounts 30 days old, and yield the ids, oldest first."""
    [last] = site.desk.do(lambda: list(Post.objects.order_by("-pk").values_list("pk", flat=True)[:1]))

    @transaction.atomic
    def clear() -> None:
        User.objects.filter(username=SECOND).update(is_admin=False)
        ReportDecision.objects.all().delete()
        ReportCase.objects.all().delete()
        Post.objects.filter(pk__gt=last).delete()
        RateLimitUse.objects.all().delete()
        publish(PostsChanged())
        publish(ReportsChanged())

    @transaction.atomic
    def begin() -> list[int]:
        User.objects.filter(username=SECOND).update(is_admin=True)
        User.objects.update(created_at=timezone.now() - timedelta(days=30))
        author, begun = User.objects.get(username=LISTENER), timezone.now() - timedelta(minutes=2)
        rows = [Post(user=author, content=f"Nr {n}", created_at=begun + timedelta(seconds=n)) for n in range(COUNT)]
        made = Post.objects.bulk_create(rows)
        publish(PostsChanged())
        return [post.pk for post in made]

    site.desk.do(clear)
    yield site.desk.do(begin)
    site.desk.do(clear)


def reported(site: Site, post_id: int, times: int, words: str = "") -> None:
    """Report a post by this number of members other than FAN."""

    def report() -> None:
        people = User.objects.filter(is_admin=False).exclude(username__in=(LISTENER, FAN)).order_by("pk")
        for pk in people.values_list("pk", flat=True)[:times]:
            report_add(
                actor=viewer_get(user_id=pk), kind=ReportKind.POST, subject_id=post_id, reason="insult", words=words
            )

    site.desk.do(report)


def reports(site: Site) -> list[tuple[str, str]]:
    """Return reason and text of every report, oldest first."""
    return site.desk.do(lambda: list(Report.objects.order_by("pk").values_list("reason", "words")))


def hidden(site: Site) -> int:
    """Return the number of hidden posts."""
    return site.desk.do(lambda: Post.objects.filter(is_hidden=True).count())


async def test_post_is_reported_on_a_phone_and_hidden_for_a_reader_without_a_jump(
    site: Site, windows: Windows, posts: list[int]
) -> None:
    page = await windows.open(FEED, width=360, session=site.sign_in(FAN), has_touch=True, is_mobile=True)
    reader = await windows.open(FEED, session=site.sign_in(ADMINISTRATOR))
    author = await windows.open("/profile", session=site.sign_in(LISTENER))
    await expect(author.get_by_role("heading", name="Hidden")).to_have_count(0)
    await page.get_by_label("More: “Nr 52”").tap()
    link = page.get_by_role("link", name="Report “Nr 52”", exact=True)
    box = await link.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    await link.tap()
    await expect(page.locator(".reported")).to_contain_text("Nr 52")
    await page.get_by_label("In your words").fill("Sells tickets")
    send = page.get_by_role("button", name="Report", exact=True)
    await send.tap()
    await expect(page.get_by_text("Please choose a reason.")).to_be_visible()
    assert await page.evaluate(TYPED) == "Sells tickets"
    await page.get_by_label("Spam").check()
    await send.tap()
    await expect(page.get_by_text(THANKS)).to_be_visible()
    await expect(page.get_by_text(ALREADY)).to_be_visible()
    await expect(send).to_have_count(0)
    assert reports(site) == [("spam", "Sells tickets")]

    await reader.get_by_text("Nr 50", exact=True).evaluate("(text) => text.scrollIntoView()")
    place = reader.get_by_text("Nr 49", exact=True)
    top = await place.evaluate(TOP)
    reported(site, posts[52], 2)
    await expect(reader.get_by_text("Nr 52", exact=True)).to_have_count(0)
    assert abs(await place.evaluate(TOP) - top) < 2

    # the author sees the reasons without the reporters' texts
    await expect(author.get_by_role("heading", name="Hidden")).to_be_visible()
    await expect(author.get_by_text("Reasons given: Insult, Spam.")).to_be_visible()
    await expect(author.get_by_text("Nr 52", exact=True)).to_be_visible()
    await expect(author.get_by_text("Sells tickets")).to_have_count(0)


async def test_reports_are_sent_decided_and_undone_without_scripts(
    site: Site, windows: Windows, posts: list[int]
) -> None:
    fan = await windows.open(f"{FEED}?post={posts[7]}", session=site.sign_in(FAN), tolerated=[ABSENT], **OFF)
    await fan.get_by_label("More: “Nr 7”").click()
    await fan.get_by_role("link", name="Report “Nr 7”", exact=True).click()
    send = fan.get_by_role("button", name="Report", exact=True)
    await fan.get_by_label("Something else").check()
    await send.click()
    await expect(fan.get_by_text("Please say what is wrong with it.").first).to_be_visible()
    await expect(fan.get_by_label("Something else")).to_be_checked()
    await fan.get_by_label("In your words").fill("He writes about my teacher")
    await sent_twice(fan, send)
    await expect(fan.get_by_text(THANKS)).to_be_visible()
    assert reports(site) == [("other", "He writes about my teacher")]

    boss = await windows.open(TAB, session=site.sign_in(ADMINISTRATOR), **OFF)
    await expect(boss.locator(".queue > li")).to_contain_text("He writes about my teacher")
    await boss.get_by_role("button", name="Hide: Post by una_corda: “Nr 7”").click()
    await expect(boss.locator(".posted")).to_contain_text("Hidden. Only its author and administrators see it now.")
    await expect(boss.get_by_role("button", name="Undo: 1 text hidden")).to_be_visible()
    there = await fan.goto(f"{FEED}?post={posts[7]}")
    assert there is not None
    assert there.status == 404
    assert hidden(site) == 1
    await boss.get_by_label("Show", exact=True).select_option(label="Hidden")
    await boss.get_by_role("button", name="Search").click()
    await boss.get_by_label("Select: Post by una_corda: “Nr 7”").check()
    await boss.locator(".bar").get_by_role("button", name="Restore").click()
    await expect(boss.locator(".posted")).to_contain_text("Restored. Everybody sees it.")
    assert hidden(site) == 0
    await expect(boss.get_by_role("button", name="Undo: 1 text dismissed")).to_be_visible()
