"""The tab Reports: its list, new reports, decisions, undo, and effects on other pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.community.enums import ReportKind, ReportReason, ReportState
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import Post, Report, ReportCase
from apps.core.threads import in_thread
from tests.apps.community.reporting import POST, RATING_COMMENT, case_of, is_hidden, report, text_of
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.pages.admin.moderating import shows, ticks
from tests.components.pages.admin.reports import TAB, decided, decision, reported_posts, rows
from tests.components.pages.checked_commands import be_refused, succeed
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, PostFactory, viewer_of
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


@pytest.mark.django_db
def test_address_filters_the_list():
    admin = viewer_of(AdminFactory())
    for kind in ReportKind:
        report(kind, text_of(kind, **{"comment" if kind == RATING_COMMENT else "content": f"A {kind}"}))
    hidden, dismissed = PostFactory(content="Bad"), PostFactory(content="Good")
    for post, state in ((hidden, ReportState.HIDDEN), (dismissed, ReportState.DISMISSED)):
        report(POST, post)
        case = case_of(POST, post)
        ReportCase.objects.filter(pk=case.pk).update(state=state, decided_at=case.updated_at)
    everything = [f"A {kind}" for kind in reversed(ReportKind)]
    for query, expected in (
        ("", everything),
        *((f"&kind={kind}", [f"A {kind}"]) for kind in ReportKind),
        ("&show=hidden", ["Bad"]),
        ("&show=dismissed", ["Good"]),
        ("&show=hidden&kind=session_comment", []),
        ("&show=nonsense&kind=nonsense&before=nonsense", everything),
        ("&show=%00&kind=%00", everything),
    ):
        seen = opened(TAB + query, admin)
        assert rows(seen.main) == expected, query
        if not expected:
            assert "No reports found matching your criteria." in text(seen.main)


@pytest.mark.django_db
def test_row_has_reporters_reasons_and_comments():
    setup, post = reported_posts(0), PostFactory(user=None, content="Tickets,\ncheap")
    report(POST, post, reason="spam")
    report(POST, post, by=viewer_of(AdminFactory()), reason="spam", words="Third time")
    report(POST, post, by=viewer_of(AdminFactory()), reason="other", words="Two\nlines")
    [row] = every(one(opened(TAB, setup.admin).main, "ol", "queue"), "li")
    assert text(one(row, "span", "queue__mark")) == "3 people"
    assert text(one(row, "strong")) == "Spam 2, Something else 1"
    assert [text(line) for line in every(row, "p", "queue__said")] == ["Two\nlines", "Third time"]
    assert text(one(row, "blockquote")) == "Tickets,\ncheap"
    assert "Post by former member, " in text(row)
    assert attributes(one(row, "input", "tick"))["aria-label"] == "Select: Post by former member: “Tickets, cheap”"
    assert every(row, "a", href=f"/community?post={post.pk}")


@pytest.mark.django_db
def test_picture_of_a_hidden_post_is_linked_and_not_loaded():
    setup, address = reported_posts(0), "https://example.org/stalls.jpg"
    post = PostFactory(image_url=address)
    for _ in range(3):
        report(POST, post)
    row = one(one(opened(TAB, setup.admin).main, "ol", "queue"), "li")
    [link] = every(row, "a")
    assert (attributes(link)["href"], attributes(link)["rel"]) == (address, "nofollow ugc noopener noreferrer")
    assert every(row, "img") == []


@pytest.mark.django_db
def test_reporters_are_anonymous_and_their_markup_is_escaped():
    script = "<script>alert(1)</script> <b>bold</b> https://example.org"
    setup, post = reported_posts(0), PostFactory(content=script)
    reporter = member(username="tamara")
    report(POST, post, by=reporter, reason="other", words=script)
    seen = opened(TAB, setup.admin)
    row = one(one(seen.main, "ol", "queue"), "li")
    assert (text(one(row, "blockquote")), text(one(row, "p", "queue__said"))) == (script, script)
    assert every(row, "script") == every(row, "b") == []
    assert "<script>alert" not in seen.html
    assert [attributes(link)["href"] for link in every(row, "a")] == [f"/community?post={post.pk}"]
    assert "tamara" not in seen.html


def crowd(count):
    """Add `count` posts, each reported by three members with comments."""
    people = [member() for _ in range(3)]
    posts = Post.objects.bulk_create([Post(user_id=people[0].id, content=f"Nr {n}") for n in range(count)])
    cases = ReportCase.objects.bulk_create([ReportCase(kind=POST, subject_id=post.pk) for post in posts])
    Report.objects.bulk_create(
        [
            Report(case=case, user_id=person.id, reason=ReportReason.OTHER, words="What a night. " * 20)
            for case in cases
            for person in people
        ]
    )


@pytest.mark.django_db
def test_long_list_has_a_constant_cost():
    setup = reported_posts(1)
    with CaptureQueriesContext(connection) as few:
        loaded(TAB, setup.admin)
    crowd(2 * REPORTS_SHOWN)
    with CaptureQueriesContext(connection) as many:
        loaded(TAB, setup.admin)
    assert len(many) <= len(few) <= 14, [query["sql"] for query in many]
    seen = opened(TAB, setup.admin)
    assert len(ticks(seen.main)) == REPORTS_SHOWN
    assert f"{2 * REPORTS_SHOWN + 1} reported texts" in text(seen.main)
    assert f"Hide all {2 * REPORTS_SHOWN + 1} that match" in text(seen.main)
    assert len(seen.html) < 300_000
