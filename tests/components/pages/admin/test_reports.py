"""The tab Reports: new reports, decisions, undo, concurrent administrators, and effects on other pages."""

import asyncio

import pytest

from apps.accounts.models import User
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import Post
from apps.core.threads import in_thread
from apps.ratings.models import PerformanceRating
from tests.apps.community.reporting import POST, RATING_COMMENT, SESSION_COMMENT, is_hidden, report, text_of
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.pages.admin.moderating import shows, ticks
from tests.components.pages.admin.reports import TAB, decided, decision, desk, rows
from tests.components.seen import attributes, every, name, one, text
from tests.factories import AdminFactory, AppearanceFactory, PostFactory, viewer_of
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)
DECIDED = "This has been decided already."
HIDDEN = "Hidden. Only its author and administrators see it now."


@live
async def test_a_report_is_counted_in_the_tab_at_once_and_shown_when_asked_for():
    made, post = await in_thread(lambda: (desk(), PostFactory(content="Just now")))
    async with (
        open_page(TAB, user=made.halina) as halina,
        open_page("/admin", user=made.ignacy) as ignacy,
        open_page(f"/community/report?thing=post:{post.pk}", user=await in_thread(member)) as fan,
    ):
        assert "Reports 3 texts waiting" in ignacy.text
        answer = await command(fan, "report_add", f"post:{post.pk}", reason="insult", words="Names me")
        assert answer["ok"]
        for screen in (halina, ignacy):
            await screen.until("Reports 4 texts waiting")
        await halina.until("Show 1 newer report")
        assert (rows(halina.tree), "Names me" in halina.text) == (["Post 02", "Post 01", "Post 00"], False)
        await in_thread(lambda: report(POST, made.posts[0]))
        await halina.until("Show 2 newer reports")
        await halina.press("Show 2 newer reports")
        await halina.until("Names me")
        assert rows(halina.tree) == ["Post 00", "Just now", "Post 02", "Post 01"]
        await halina.until_gone("newer")
        assert "4 reported texts" in halina.text


@live
async def test_what_one_decides_leaves_the_list_of_the_other_and_is_decided_once():
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina, open_page(TAB, user=made.ignacy) as ignacy:
        stale = decision(ignacy.tree, "Dismiss", "Post 00")
        answer = await decided(halina, "Hide", "Post 00")
        assert (answer["ok"], answer["text"]) == (True, HIDDEN)
        await shows(ignacy, 2)
        late = await command(ignacy, *stale)
        assert (late["ok"], late["text"]) == (False, DECIDED)
        answer = await decided(ignacy, "Dismiss", "Post 01")
        assert answer["text"] == "Dismissed. Everybody sees it."
        await shows(halina, 1)
        await halina.until("Reports 1 text waiting")
    assert await in_thread(lambda: [is_hidden(post) for post in made.posts]) == [True, False, False]


@live
async def test_two_who_decide_about_one_text_at_the_same_moment_decide_it_once():
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina, open_page(TAB, user=made.ignacy) as ignacy:
        answers = await asyncio.gather(decided(halina, "Hide", "Post 01"), decided(ignacy, "Dismiss", "Post 01"))
        assert sorted((answer["ok"], answer["text"] == DECIDED) for answer in answers) == [(False, True), (True, False)]
        for screen in (halina, ignacy):
            await shows(screen, 2)


@live
async def test_what_was_reported_again_since_it_was_read_is_not_dismissed_unread():
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina:
        stale = decision(halina.tree, "Dismiss", "Post 00")
        await in_thread(lambda: report(POST, made.posts[0], reason="insult", words="Worse than you think"))
        await halina.until("Show 1 newer report")
        answer = await command(halina, *stale)
        assert (answer["ok"], answer["text"]) == (False, "This was reported again since. Please read it again.")
        assert "Worse than you think" not in halina.text
        await halina.press("Show 1 newer report")
        await halina.until("Worse than you think")
        assert (await decided(halina, "Dismiss", "Post 00"))["ok"]
        await shows(halina, 2)


@live
async def test_a_selection_is_decided_in_one_go_and_undone():
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina, open_page("/community") as fan:
        answer = await command(halina, "reports_decide", decision="hide", report=ticks(halina.tree)[:2])
        assert (answer["ok"], answer["text"]) == (True, "2 reported texts hidden.")
        await shows(halina, 1)
        await fan.until_gone("Post 02")
        await fan.until_gone("Post 01")
        assert "Post 00" in fan.text
        await halina.until("Undo: 2 texts hidden")
        back = await command(halina, *answer["undo"])
        assert (back["ok"], back["text"]) == (True, "2 reported texts are as they were before.")
        await shows(halina, 3)
        await fan.until("Post 02")
        await fan.until("Post 01")
        await halina.until_gone("Undo:")
        again = await command(halina, *answer["undo"])
        assert (again["ok"], again["text"]) == (False, "This can no longer be taken back.")


@live
async def test_the_undo_is_ones_own_and_survives_a_reload():
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina, open_page(TAB, user=made.ignacy) as ignacy:
        await decided(halina, "Dismiss", "Post 00")
        await shows(ignacy, 2)
        assert "Undo" not in ignacy.text.replace("Z undo", "")
        await halina.load(TAB)
        assert halina.button("Undo: 1 text dismissed")
        await halina.press("Undo: 1 text dismissed")
        await shows(ignacy, 3)


@live
async def test_all_that_match_means_what_the_list_said_and_nothing_that_came_since():
    made = await in_thread(lambda: desk(REPORTS_SHOWN + 1))
    comment = await in_thread(lambda: text_of(SESSION_COMMENT, content="Elsewhere"))
    await in_thread(lambda: report(SESSION_COMMENT, comment))
    async with open_page(f"{TAB}&kind=post", user=made.halina) as halina:
        assert f"All {REPORTS_SHOWN} on this page are selected." in halina.text
        (found,) = [button for button in every(halina.tree, "button") if name(button) == "Hide all 51 that match"]
        assert attributes(found)["data-confirm"] == "Hide all 51 reported texts that match?"
        later = await in_thread(lambda: PostFactory(content="Later"))
        await in_thread(lambda: report(POST, later))
        await in_thread(lambda: report(POST, made.posts[7]))
        await halina.until("Show 2 newer reports")
        answer = await command(halina, attributes(found)["data-command"], attributes(found)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "50 reported texts hidden.")
        await shows(halina, 0)
        await halina.press("Show 2 newer reports")
        await shows(halina, 2)
    left = await in_thread(lambda: set(Post.objects.filter(is_hidden=False).values_list("pk", flat=True)))
    assert left == {made.posts[7].pk, later.pk}
    assert not await in_thread(lambda: is_hidden(comment))


@live
async def test_three_reports_hide_a_post_and_its_restoring_shows_it_on_every_screen():
    made = await in_thread(lambda: desk(1))
    post = made.posts[0]
    async with open_page(TAB, user=made.halina) as halina, open_page("/community") as fan:
        for _ in range(2):
            await in_thread(lambda: report(POST, post))
        await fan.until_gone("Post 00")
        await halina.until("Show 1 newer report")
        await halina.press("Show 1 newer report")
        await halina.until("Hidden until you decide")
        row = one(halina.tree, "li", key="post-" + str(post.pk))
        assert every(row, "a") == [], "nobody can follow a link to what is hidden"
        await decided(halina, "Dismiss", "Post 00")
        await fan.until("Post 00")
        await halina.until("Nothing reported waits for you.")


@live
async def test_what_was_hidden_is_restored_from_its_list():
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina, open_page("/community") as fan:
        await decided(halina, "Hide", "Post 01")
        await fan.until_gone("Post 01")
        await halina.go(f"{TAB}&show=hidden")
        await halina.until("1 hidden")
        assert "Hidden by halina_k, " in halina.text
        async with open_page(f"{TAB}&show=dismissed", user=made.ignacy) as ignacy:
            assert "No reports were dismissed yet." in ignacy.text
            answer = await decided(halina, "Restore", "Post 01")
            assert (answer["ok"], answer["text"]) == (True, "Restored. Everybody sees it.")
            await fan.until("Post 01")
            await ignacy.until("Show 1 newer report")
            await ignacy.press("Show 1 newer report")
            await ignacy.until("Dismissed by halina_k, ")
            answer = await decided(ignacy, "Hide", "Post 01")
            assert answer["ok"]
            await fan.until_gone("Post 01")


@live
async def test_a_hidden_comment_of_a_rating_hides_its_words_alone():
    def begin():
        rating = text_of(RATING_COMMENT, comment="Rude words", score=2)
        report(RATING_COMMENT, rating)
        return rating, viewer_of(rating.user), viewer_of(AdminFactory())

    rating, author, boss = await in_thread(begin)
    address = f"/participants/{rating.session_participant.participant_id}?tab=ratings"
    async with (
        open_page(address) as fan,
        open_page("/profile?tab=ratings", user=author) as own,
        open_page(TAB, user=boss) as halina,
    ):
        assert "Rude words" in fan.text
        assert len(every(fan.tree, "li", "says")) == 1
        await decided(halina, "Hide", "Rude words")
        await fan.until_gone("Rude words")
        await own.until("Comment hidden")
        assert "Rude words" in own.text
        [row] = every(fan.tree, "li", "says")
        assert text(one(row, "span", "whole-mark")) == "2 of 5"
        assert every(row, "a") == [], "what nobody reads cannot be reported"
        await halina.until("Undo: 1 text hidden")
        await halina.press("Undo: 1 text hidden")
        await fan.until("Rude words")
        await own.until_gone("Comment hidden")
    assert await in_thread(PerformanceRating.objects.filter(approved=True).exists)


def hidden_words(screen):
    """Return the viewer's own texts that the profile lists as hidden."""
    return [text(quote) for quote in every(screen.tree, "blockquote", "says__text")]


@live
async def test_the_author_sees_what_is_hidden_with_the_reason_and_nobody_else_does():
    made = await in_thread(lambda: desk(1))
    author = await in_thread(lambda: viewer_of(User.objects.get(username="author_0")))
    async with (
        open_page("/profile", user=author) as own,
        open_page("/profile", user=await in_thread(member)) as other,
        open_page(TAB, user=made.halina) as halina,
    ):
        assert hidden_words(own) == []
        for _ in range(2):
            await in_thread(lambda: report(POST, made.posts[0], reason="insult", words="Names me"))
        await own.until("It is hidden until an administrator decides, for a day at most. Reasons given: Insult, Spam.")
        assert hidden_words(own) == ["Post 00"]
        await halina.until("Show 1 newer report")
        await halina.press("Show 1 newer report")
        await halina.until("Names me")
        await decided(halina, "Hide", "Post 00")
        await own.until("An administrator has hidden it. Reasons given: Insult, Spam.")
        assert ("Names me" in own.text, hidden_words(other)) == (False, [])
        await halina.until("Undo: 1 text hidden")
        await halina.press("Undo: 1 text hidden")
        await own.until("It is hidden until an administrator decides, for a day at most.")
        await halina.until("Hidden until you decide")
        await decided(halina, "Dismiss", "Post 00")
        await own.until_gone("Post 00")
        assert hidden_words(own) == []


@live
async def test_what_was_hidden_before_is_said_without_reasons_when_all_who_gave_them_have_left():
    author, post = await in_thread(lambda: (member(), PostFactory(content="Old", is_hidden=True)))
    await in_thread(lambda: Post.objects.filter(pk=post.pk).update(user_id=author.id))
    async with open_page("/profile", user=author) as own:
        assert "An administrator has hidden it." in own.text
        assert "Reasons" not in own.text


@live
async def test_a_reported_post_about_a_performance_names_it():
    def prepared():
        played, made = AppearanceFactory(), desk()
        report(POST, PostFactory(content="About one", session_participant=played))
        return made, f"about {played.participant.name}, {played.session.title}"

    made, about = await in_thread(prepared)
    async with open_page(TAB, user=made.halina) as halina:
        assert halina.text.count(about) == 1
