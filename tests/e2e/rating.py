"""Steps of the rating tests: the rater's account, the rating form, and the stored ratings."""

from collections.abc import Iterator

from playwright.async_api import Locator, Page, expect

from apps.accounts.models import User
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating, RatingDraft
from tests.e2e.conftest import Site
from tests.e2e.doors import account_named
from tests.e2e.windows import becomes

RATER = "second-row-left"
COMMENT = "The silences were played as well."
SUBMITTED = "All ratings submitted successfully! They will be visible after admin approval."
ASKED = "1 performance was marked here before you signed in. Keep it as yours?"
Stored = tuple[list[int], list[tuple[int, str, str]]]


def unrated(site: Site) -> Iterator[str]:
    """Yield a participant's page; the rater has an account and no ratings before and after."""

    def gone() -> None:
        for model in (PieceRating, PerformanceRating, AdvanceRecommendation, RatingDraft):
            model.objects.filter(user__username=RATER).delete()

    if not site.desk.do(User.objects.filter(username=RATER).exists):
        account_named(site, RATER)
    site.desk.do(gone)
    yield f"/participants/{site.appearances.participant}"
    site.desk.do(gone)


def stored(site: Site) -> Stored:
    """Return the rater's marks and performance ratings."""

    def read() -> Stored:
        marks = PieceRating.objects.filter(user__username=RATER).order_by("score").values_list("score", flat=True)
        wholes = PerformanceRating.objects.filter(user__username=RATER)
        return list(marks), list(wholes.values_list("score", "comment", "quick_rating"))

    return site.desk.do(read)


def form_of(page: Page) -> Locator:
    """Return the newest performance's form."""
    return page.locator("form.rating").first


def ranges_of(form: Locator) -> Locator:
    """Return the controls of the marks of a form's pieces, also those of closed items."""
    return form.locator("[type=range]")


async def item_opened(form: Locator, piece: int = 0) -> Locator:
    """Open an item of a form, once its script runs, and return the control of its mark."""
    item = form.locator(".items > li").nth(piece)
    if await item.locator(".items__name").get_attribute("aria-expanded") == "false":
        await item.locator(".items__name").click()
    return item.get_by_role("slider")


async def keys_opened(page: Page) -> None:
    """Open the newest performance's form, which is collapsed for anonymous visitors."""
    await page.get_by_text("Rate this performance").first.click()


async def taken_over(page: Page) -> None:
    """Keep what was marked signed out, as the page asks after the sign-in."""
    question = page.get_by_role("status").filter(has_text=ASKED)
    await question.get_by_role("button", name="Keep").click()
    await expect(question).to_be_hidden()


async def scripted(page: Page) -> None:
    """Wait until the script of the marks runs; before that, typed digits have no effect."""
    await becomes(page, "() => document.querySelector('.score__flag').style.getPropertyValue('--v') !== ''", True)


async def filled(page: Page) -> None:
    """Fill in the form: a mark of 23 for the first piece, 4 of 5 for the performance, and a comment."""
    await scripted(page)
    form = form_of(page)
    await (await item_opened(form)).focus()
    await page.keyboard.type("23")
    await form.get_by_role("radio", name="4 of 5").check(force=True)
    await form.get_by_label("Your comment").fill(COMMENT)
