"""The tab Reports: new reports, decisions, undo, concurrent administrators, and effects on other pages."""

from apps.accounts.models import User
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import Post
from apps.core.threads import in_thread
from apps.ratings.models import PerformanceRating
from tests.apps.community.reporting import POST, RATING_COMMENT, SESSION_COMMENT, is_hidden, report, text_of
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.pages.admin.moderating import shows, ticks
from tests.components.pages.admin.reports import TAB, decided, decision, reported_posts, rows
from tests.components.pages.checked_commands import be_refused, succeed
from tests.components.seen import attributes, every, name, one, text
from tests.factories import AdminFactory, AppearanceFactory, PostFactory, viewer_of
from tests.screen import open_page

DECIDED = "This has been decided already."
HIDDEN = "Hidden. Only its author and administrators see it now."


async def test_new_reports_are_counted_and_shown_on_request():
    setup, post = await in_thread(lambda: (reported_posts(), PostFactory(content="Just now")))
    async with (
        open_page(TAB, user=setup.admin) as admin,
        open_page("/admin", user=setup.colleague) as colleague,
        open_page(f"/community/report?thing=post:{post.pk}", user=await in_thread(member)) as fan,
    ):
        assert "Reports 3 texts waiting" in colleague.text
        answer = await command(fan, "report_add", f"post:{post.pk}", reason="insult", words="Names me")
        assert answer["ok"]
        for screen in (admin, colleague):
            await screen.until("Reports 4 texts waiting")
        await admin.until("Show 1 newer report")
        assert (rows(admin.tree), "Names me" in admin.text) == (["Post 02", "Post 01", "Post 00"], False)
        await in_thread(lambda: report(POST, setup.posts[0]))
        await admin.until("Show 2 newer reports")
        await admin.press("Show 2 newer reports")
        await admin.until("Names me")
        assert rows(admin.tree) == ["Post 00", "Just now", "Post 02", "Post 01"]
        await admin.until_gone("newer")
        assert "4 reported texts" in admin.text


async def test_decided_report_leaves_the_list_of_all_administrators():
    setup = await in_thread(reported_posts)
    async with open_page(TAB, user=setup.admin) as admin, open_page(TAB, user=setup.colleague) as colleague:
        stale = decision(colleague.tree, "Dismiss", "Post 00")
        answer = await decided(admin, "Hide", "Post 00")
        assert (answer["ok"], answer["text"]) == (True, HIDDEN)
        await shows(colleague, 2)
        await be_refused(colleague, *stale, DECIDED)
        answer = await decided(colleague, "Dismiss", "Post 01")
        assert answer["text"] == "Dismissed. Everybody sees it."
        await shows(admin, 1)
        await admin.until("Reports 1 text waiting")
    assert await in_thread(lambda: [is_hidden(post) for post in setup.posts]) == [True, False, False]


async def test_text_reported_again_is_read_before_dismissal():
    setup = await in_thread(reported_posts)
    async with open_page(TAB, user=setup.admin) as admin:
        stale = decision(admin.tree, "Dismiss", "Post 00")
        await in_thread(lambda: report(POST, setup.posts[0], reason="insult", words="Worse than you think"))
        await admin.until("Show 1 newer report")
        await be_refused(admin, *stale, "This was reported again since. Please read it again.")
        assert "Worse than you think" not in admin.text
        await admin.press("Show 1 newer report")
        await admin.until("Worse than you think")
        assert (await decided(admin, "Dismiss", "Post 00"))["ok"]
        await shows(admin, 2)


async def test_selected_reports_are_decided_and_undone():
    setup = await in_thread(reported_posts)
    async with open_page(TAB, user=setup.admin) as admin, open_page("/community") as fan:
        answer = await command(admin, "reports_decide", decision="hide", report=ticks(admin.tree)[:2])
        assert (answer["ok"], answer["text"]) == (True, "2 reported texts hidden.")
        await shows(admin, 1)
        await fan.until_gone("Post 02")
        await fan.until_gone("Post 01")
        assert "Post 00" in fan.text
        await admin.until("Undo: 2 texts hidden")
        await succeed(admin, *answer["undo"], "2 reported texts are as they were before.")
        await shows(admin, 3)
        await fan.until("Post 02")
        await fan.until("Post 01")
        await admin.until_gone("Undo:")
        await be_refused(admin, *answer["undo"], "This can no longer be taken back.")


async def test_undo_is_the_administrators_own_and_survives_a_reload():
    setup = await in_thread(reported_posts)
    async with open_page(TAB, user=setup.admin) as admin, open_page(TAB, user=setup.colleague) as colleague:
        await decided(admin, "Dismiss", "Post 00")
        await shows(colleague, 2)
        assert "Undo" not in colleague.text.replace("Z undo", "")
        await admin.load(TAB)
        assert admin.button("Undo: 1 text dismissed")
        await admin.press("Undo: 1 text dismissed")
        await shows(colleague, 3)


async def test_deciding_all_matching_excludes_newer_reports():
    setup = await in_thread(lambda: reported_posts(REPORTS_SHOWN + 1))
    comment = await in_thread(lambda: text_of(SESSION_COMMENT, content="A comment"))
    await in_thread(lambda: report(SESSION_COMMENT, comment))
    async with open_page(f"{TAB}&kind=post", user=setup.admin) as admin:
        assert f"All {REPORTS_SHOWN} on this page are selected." in admin.text
        (hide_all,) = [button for button in every(admin.tree, "button") if name(button) == "Hide all 51 that match"]
        assert attributes(hide_all)["data-confirm"] == "Hide all 51 reported texts that match?"
        later = await in_thread(lambda: PostFactory(content="Later"))
        await in_thread(lambda: report(POST, later))
        await in_thread(lambda: report(POST, setup.posts[7]))
        await admin.until("Show 2 newer reports")
        answer = await command(admin, attributes(hide_all)["data-command"], attributes(hide_all)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "50 reported texts hidden.")
        await shows(admin, 0)
        await admin.press("Show 2 newer reports")
        await shows(admin, 2)
    left = await in_thread(lambda: set(Post.objects.filter(is_hidden=False).values_list("pk", flat=True)))
    assert left == {setup.posts[7].pk, later.pk}
    assert not await in_thread(lambda: is_hidden(comment))


async def test_three_reports_hide_a_post_until_it_is_restored():
    setup = await in_thread(lambda: reported_posts(1))
    post = setup.posts[0]
    async with open_page(TAB, user=setup.admin) as admin, open_page("/community") as fan:
        for _ in range(2):
            await in_thread(lambda: report(POST, post))
        await fan.until_gone("Post 00")
        await admin.until("Show 1 newer report")
        await admin.press("Show 1 newer report")
        await admin.until("Hidden until you decide")
        row = one(admin.tree, "li", key="post-" + str(post.pk))
        assert every(row, "a") == [], "the hidden post has no link"
        await decided(admin, "Dismiss", "Post 00")
        await fan.until("Post 00")
        await admin.until("Nothing reported waits for you.")


async def test_hidden_post_is_restored_from_its_list():
    setup = await in_thread(reported_posts)
    async with open_page(TAB, user=setup.admin) as admin, open_page("/community") as fan:
        await decided(admin, "Hide", "Post 01")
        await fan.until_gone("Post 01")
        await admin.go(f"{TAB}&show=hidden")
        await admin.until("1 hidden")
        assert "Hidden by halina_k, " in admin.text
        async with open_page(f"{TAB}&show=dismissed", user=setup.colleague) as colleague:
            assert "No reports were dismissed yet." in colleague.text
            answer = await decided(admin, "Restore", "Post 01")
            assert (answer["ok"], answer["text"]) == (True, "Restored. Everybody sees it.")
            await fan.until("Post 01")
            await colleague.until("Show 1 newer report")
            await colleague.press("Show 1 newer report")
            await colleague.until("Dismissed by halina_k, ")
            answer = await decided(colleague, "Hide", "Post 01")
            assert answer["ok"]
            await fan.until_gone("Post 01")


async def test_hidden_comment_of_a_rating_keeps_its_marks():
    def create():
        rating = text_of(RATING_COMMENT, comment="Rude words", score=2)
        report(RATING_COMMENT, rating)
        return rating, viewer_of(rating.user), viewer_of(AdminFactory())

    rating, author, administrator = await in_thread(create)
    address = f"/participants/{rating.session_participant.participant_id}?tab=ratings"
    async with (
        open_page(address) as fan,
        open_page("/profile?tab=ratings", user=author) as own,
        open_page(TAB, user=administrator) as admin,
    ):
        assert "Rude words" in fan.text
        assert len(every(fan.tree, "li", "says")) == 1
        await decided(admin, "Hide", "Rude words")
        await fan.until_gone("Rude words")
        await own.until("Comment hidden")
        assert "Rude words" in own.text
        [row] = every(fan.tree, "li", "says")
        assert text(one(row, "span", "whole-mark")) == "2 of 5"
        assert every(row, "a") == [], "a hidden comment cannot be reported"
        await admin.until("Undo: 1 text hidden")
        await admin.press("Undo: 1 text hidden")
        await fan.until("Rude words")
        await own.until_gone("Comment hidden")
    assert await in_thread(PerformanceRating.objects.filter(approved=True).exists)


def hidden_words(screen):
    """Return the viewer's own texts that the profile lists as hidden."""
    return [text(quote) for quote in every(screen.tree, "blockquote", "says__text")]


async def test_hidden_text_is_shown_to_its_author_with_reasons():
    setup = await in_thread(lambda: reported_posts(1))
    author = await in_thread(lambda: viewer_of(User.objects.get(username="author_0")))
    async with (
        open_page("/profile", user=author) as own,
        open_page("/profile", user=await in_thread(member)) as other,
        open_page(TAB, user=setup.admin) as admin,
    ):
        assert hidden_words(own) == []
        for _ in range(2):
            await in_thread(lambda: report(POST, setup.posts[0], reason="insult", words="Names me"))
        await own.until("It is hidden until an administrator decides, for a day at most. Reasons given: Insult, Spam.")
        assert hidden_words(own) == ["Post 00"]
        await admin.until("Show 1 newer report")
        await admin.press("Show 1 newer report")
        await admin.until("Names me")
        await decided(admin, "Hide", "Post 00")
        await own.until("An administrator has hidden it. Reasons given: Insult, Spam.")
        assert ("Names me" in own.text, hidden_words(other)) == (False, [])
        await admin.until("Undo: 1 text hidden")
        await admin.press("Undo: 1 text hidden")
        await own.until("It is hidden until an administrator decides, for a day at most.")
        await admin.until("Hidden until you decide")
        await decided(admin, "Dismiss", "Post 00")
        await own.until_gone("Post 00")
        assert hidden_words(own) == []


async def test_hidden_text_without_reporters_has_no_reasons():
    author, post = await in_thread(lambda: (member(), PostFactory(content="Old", is_hidden=True)))
    await in_thread(lambda: Post.objects.filter(pk=post.pk).update(user_id=author.id))
    async with open_page("/profile", user=author) as own:
        assert "An administrator has hidden it." in own.text
        assert "Reasons" not in own.text


async def test_reported_post_names_its_performance():
    def create():
        played, setup = AppearanceFactory(), reported_posts()
        report(POST, PostFactory(content="About one", session_participant=played))
        return setup, f"about {played.participant.name}, {played.session.title}"

    setup, about = await in_thread(create)
    async with open_page(TAB, user=setup.admin) as admin:
        assert admin.text.count(about) == 1
