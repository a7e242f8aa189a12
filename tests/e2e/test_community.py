"""The community feed in browser windows: posts, stable reading position, and buttons."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.async_api import Page, expect

from apps.accounts.models import User
from apps.community.events import PostChanged, PostsChanged
from apps.community.limits import POST_PACE, REACTIONS
from apps.community.models import Post
from apps.core.events import publish
from apps.core.models import RateLimitUse
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.doors import account, sign_in
from tests.e2e.windows import Windows, becomes, live
from tests.rate_limits import spend

FEED = "/community"
LATE = 5  # posts that arrive while a comment is typed
TYPED = "() => document.querySelector('#post').value"
TOP = "(element) => element.getBoundingClientRect().top"


@pytest.fixture
def feed(site: Site) -> Iterator[int]:
    """Create thirty posts, make all accounts 30 days old, and yield the id of the newest post."""
    [last] = site.desk.do(lambda: list(Post.objects.order_by("-pk").values_list("pk", flat=True)[:1]))

    @transaction.atomic
    def clear() -> None:
        Post.objects.filter(pk__gt=last).delete()
        RateLimitUse.objects.all().delete()
        publish(PostsChanged())

    @transaction.atomic
    def begin() -> int:
        User.objects.update(created_at=timezone.now() - timedelta(days=30))
        author, begun = User.objects.get(username=ADMINISTRATOR), timezone.now() - timedelta(minutes=1)
        rows = [Post(user=author, content=f"Nr {n}", created_at=begun + timedelta(seconds=n)) for n in range(30)]
        made = Post.objects.bulk_create(rows)
        publish(PostsChanged())
        return made[-1].pk

    site.desk.do(clear)
    yield site.desk.do(begin)
    site.desk.do(clear)


def posted(site: Site, *texts: str) -> None:
    """Store posts without rate limits and publish the change."""

    @transaction.atomic
    def write() -> None:
        author = User.objects.get(username=ADMINISTRATOR)
        Post.objects.bulk_create([Post(user=author, content=text) for text in texts])
        publish(PostsChanged())

    site.desk.do(write)


async def post(page: Page, text: str) -> None:
    await page.get_by_label("Your post").fill(text)
    await page.get_by_role("button", name="Post", exact=True).click()


async def test_post_appears_in_all_windows_and_is_deleted_from_them(site: Site, windows: Windows, feed: int) -> None:
    own = await windows.open(FEED, session=site.sign_in(LISTENER))
    boss = await windows.open(FEED, session=site.sign_in(ADMINISTRATOR), width=360)
    send = own.get_by_role("button", name="Post", exact=True)
    await expect(send).to_be_disabled()
    await own.get_by_label("Your post").fill("x" * 4801)
    await expect(own.get_by_text("199 left")).to_be_visible()
    await own.get_by_label("Your post").fill("See https://example.org/a, @" + ADMINISTRATOR)
    await expect(send).to_be_enabled()
    await send.click()
    await expect(own.get_by_text("Post added successfully!")).to_be_visible()
    assert await own.evaluate(TYPED) == ""
    for page in (own, boss):
        first = page.locator(".post").first
        await expect(first).to_contain_text("See https://example.org/a")
        await expect(first.get_by_role("link", name=f"@{ADMINISTRATOR}", exact=True)).to_be_visible()
    await expect(own.get_by_text("Post added successfully!")).to_have_count(0)
    await boss.locator(".post").first.get_by_label("More: “See").click()
    await boss.locator(".post").first.get_by_role("button", name="Delete “See").click()
    dialog = boss.get_by_role("dialog")
    await expect(dialog).to_contain_text("Delete the post “See https://example.org/a")
    await dialog.get_by_role("button", name="Delete").click()
    for page in (own, boss):
        await expect(page.locator(".post").first).to_contain_text("Nr 29")
    await expect(boss.get_by_text("Post deleted successfully!")).to_be_visible()


async def test_typing_a_comment_is_not_disturbed_by_new_posts(site: Site, windows: Windows, feed: int) -> None:
    page = await windows.open(FEED, session=site.sign_in(LISTENER))
    await page.locator(".post a.act").nth(9).click()
    reply = page.get_by_label("Your comment")
    await expect(reply).to_be_visible()
    await reply.focus()
    line = page.locator(".feed__line")
    top = await reply.evaluate(TOP)
    words = "In the last row."
    for number, letter in enumerate(words):
        if number < LATE:
            posted(site, f"Late {number}")
        await page.keyboard.type(letter)
    await expect(line).to_contain_text("new posts")
    assert await reply.evaluate(TOP) == top
    assert await reply.input_value() == words
    await expect(page.locator(".post").first).to_contain_text("Nr 29")
    await page.get_by_role("button", name="Comment", exact=True).click()
    await expect(page.locator(".says").last).to_contain_text(words)
    await expect(reply).to_be_focused()
    await line.get_by_role("button").click()
    await expect(page.locator(".post").first).to_contain_text(f"Late {LATE - 1}")
    await expect(line).to_have_text("")


async def test_posts_appear_at_the_top_and_a_hidden_post_goes_without_a_jump(
    site: Site, windows: Windows, feed: int
) -> None:
    page = await windows.open(FEED)
    posted(site, "Just now")
    await expect(page.locator(".post").first).to_contain_text("Just now")
    await page.evaluate("() => scrollTo(0, 900)")
    read = page.get_by_text("Nr 22", exact=True)
    top = await read.evaluate(TOP)

    @transaction.atomic
    def hide() -> None:
        Post.objects.filter(pk=feed).update(is_hidden=True)
        publish(PostsChanged())
        publish(PostChanged((feed,)))

    site.desk.do(hide)
    await expect(page.get_by_text("Nr 29", exact=True)).to_have_count(0)
    assert abs(await read.evaluate(TOP) - top) < 2


async def test_reaction_is_shown_at_once_and_withdrawn_with_a_reason_when_refused(
    site: Site, windows: Windows, feed: int
) -> None:
    own = await windows.open(FEED, session=site.sign_in(LISTENER))
    applause = own.locator(".post").first.get_by_role("button", name="Applause")
    boo = own.locator(".post").first.get_by_role("button", name="Boo")
    await applause.click()
    await expect(applause).to_have_text("Applause 1")
    await boo.click()
    await expect(boo).to_have_attribute("aria-pressed", "true")
    await expect(applause).to_have_text("Applause 0")
    await expect(boo).to_have_attribute("data-argument", f"{feed}:none")
    await boo.click()
    await expect(boo).to_have_text("Boo 0")
    site.desk.do(lambda: spend(REACTIONS, account_id=User.objects.get(username=LISTENER).pk))
    await applause.click()
    await expect(own.get_by_text("That was a lot of reactions in one minute.")).to_be_visible()
    await expect(applause).to_have_text("Applause 0")
    await expect(applause).to_have_attribute("aria-pressed", "false")


async def test_visitor_signs_in_on_a_phone_and_comments(site: Site, windows: Windows, feed: int) -> None:
    page = await windows.open(f"{FEED}?post={feed}", width=360, has_touch=True)
    await page.get_by_role("link", name="Sign in to comment").tap()
    await sign_in(page, account(site, "foyer"))
    await page.wait_for_url(f"**{FEED}?post={feed}*")
    await live(page)
    await page.get_by_label("Your comment").fill("From the last row")
    await page.get_by_role("button", name="Comment", exact=True).tap()
    await expect(page.locator(".says")).to_contain_text("From the last row")
    await expect(page.get_by_text("Comment added successfully!")).to_be_visible()


async def test_reaction_of_a_visitor_is_added_after_the_sign_in_and_can_be_undone(
    site: Site, windows: Windows, feed: int
) -> None:
    page = await windows.open(FEED)
    await page.locator(".post").first.get_by_role("button", name="Applause").click()
    await expect(page).to_have_url(f"{site.server.address}/login?next=%2Fcommunity%23react-{feed}")
    await expect(
        page.get_by_text("Sign in to react. A reaction that you pressed is kept for 15 minutes")
    ).to_be_visible()
    await sign_in(page, account(site, "pressing"))
    await page.wait_for_url(f"**{FEED}*")
    done = page.get_by_text("Your applause was added.")
    await expect(done).to_be_in_viewport()
    applause = page.locator(f"#react-{feed}").get_by_role("button", name="Applause")
    await expect(applause).to_have_text("Applause 1")
    await expect(applause).to_have_attribute("aria-pressed", "true")
    await done.get_by_role("button", name="Undo").click()
    await expect(applause).to_have_text("Applause 0")
    await expect(done).to_have_count(0)


async def test_comments_are_opened_written_and_deleted_by_keyboard(site: Site, windows: Windows, feed: int) -> None:
    page = await windows.open(FEED, session=site.sign_in(LISTENER))
    comments = page.locator(".post a.act").first
    await comments.focus()
    await page.keyboard.press("Enter")
    await expect(comments).to_have_attribute("aria-expanded", "true")
    await page.get_by_label("Your comment").focus()
    await page.keyboard.type("One")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator(".says")).to_contain_text("One")
    await page.get_by_label("More: “One”").press("Enter")
    await page.get_by_role("button", name="Delete “One”").press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Delete").press("Enter")
    await expect(page.locator(".says")).to_have_count(0)
    await comments.press("Enter")
    await expect(comments).to_have_attribute("aria-expanded", "false")
    await expect(page.get_by_label("Your comment")).to_have_count(0)


async def test_refused_post_stays_typed_and_going_back_restores_the_scroll_position(
    site: Site, windows: Windows, feed: int
) -> None:
    def use_up() -> None:
        spend(POST_PACE, account_id=User.objects.get(username=LISTENER).pk)

    site.desk.do(use_up)
    page = await windows.open(FEED, session=site.sign_in(LISTENER))
    await post(page, "Too soon")
    await expect(page.get_by_role("alert")).to_contain_text("You can write one post in 15 seconds.")
    assert await page.evaluate(TYPED) == "Too soon"
    await page.reload()
    await live(page)
    await becomes(page, TYPED, "Too soon")
    await page.get_by_role("link", name="Show older").click()
    await expect(page.locator(".post").first).to_contain_text("Nr 19")
    await page.go_back()
    await expect(page.get_by_text("Nr 20", exact=True)).to_be_in_viewport()
