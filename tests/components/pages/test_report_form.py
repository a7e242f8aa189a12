"""The report form: its content for each viewer and kind of text, its refusals, and the links to it."""

from urllib.parse import urlencode

from apps.accounts.models import User
from apps.community.enums import ReportKind
from apps.community.limits import REASON_LENGTH
from apps.community.models import Report
from apps.community.services.report_moderation import reports_decide
from apps.community.services.report_texts import texts_hide
from apps.core.moderation import Seen
from apps.core.threads import in_thread
from tests.apps.community.reporting import KINDS, POST, POST_COMMENT, RATING_COMMENT, SESSION_COMMENT, report, text_of
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, every, name, one, text
from tests.factories import AdminFactory, PostFactory, viewer_of
from tests.screen import open_page

THANKS = "Thank you. An administrator will look at it."
GONE = "This is no longer there."
KIND_NAMES = {
    POST: "Post",
    POST_COMMENT: "Comment on a post",
    SESSION_COMMENT: "Comment on a session",
    RATING_COMMENT: "Comment of a rating",
}


def form_at(kind, pk):
    """Return the address of the form for this text."""
    return f"/community/report?{urlencode({'thing': f'{kind}:{pk}'})}"


def words_of(kind, subject):
    return subject.comment if kind == RATING_COMMENT else subject.content


def author_of(subject):
    return viewer_of(User.objects.get(pk=subject.user_id))


def forms(screen):
    return every(screen.tree, "form", data_command="report_add")


@KINDS
async def test_text_of_each_kind_is_quoted_and_reported_once(kind):
    subject, fan = await in_thread(lambda: (text_of(kind), member(username="una_corda")))
    async with open_page(form_at(kind, subject.pk), user=fan) as screen:
        assert (screen.status, screen.title) == (200, "Report – Parterre")
        figure = one(screen.tree, "figure", "reported")
        assert text(one(figure, "blockquote")) == words_of(kind, subject)
        assert text(one(figure, "figcaption")) == f"{KIND_NAMES[kind]} by {subject.user.username}"
        [form] = forms(screen)
        assert attributes(form)["data-argument"] == f"{kind}:{subject.pk}"
        assert [attributes(field)["value"] for field in every(form, "input", type="radio")] == [
            *("spam", "insult", "off_topic", "other")
        ]
        assert attributes(one(form, "textarea"))["maxLength"] == REASON_LENGTH
        answer = await command(screen, "report_add", f"{kind}:{subject.pk}", reason="insult", words=" Names\u202e me. ")
        assert (answer["ok"], answer["text"], answer["empty"]) == (True, THANKS, True)
        await screen.until("You have reported this already.")
        assert forms(screen) == []
        second = await command(screen, "report_add", f"{kind}:{subject.pk}", reason="spam")
        assert (second["ok"], second["text"], second["field"]) == (False, "You have reported this already.", "reason")
    [stored] = await in_thread(lambda: list(Report.objects.values_list("user_id", "reason", "words")))
    assert stored == (fan.id, "insult", "Names me.")


async def test_authors_cannot_report_their_own_texts():
    subject = await in_thread(lambda: text_of(POST))
    async with open_page(form_at(POST, subject.pk), user=await in_thread(lambda: author_of(subject))) as screen:
        assert "You cannot report what you wrote yourself." in screen.text
        assert forms(screen) == []
        answer = await command(screen, "report_add", f"post:{subject.pk}", reason="spam")
        assert (answer["ok"], answer["text"]) == (False, "You cannot report what you wrote yourself.")
    assert not await in_thread(Report.objects.exists)


@KINDS
async def test_deleted_hidden_and_unknown_texts_are_indistinguishable(kind):
    def create():
        hidden, deleted = text_of(kind), text_of(kind)
        texts_hide([(kind, hidden.pk)], hidden=True)
        deleted_id = deleted.pk
        deleted.delete()
        return hidden, deleted_id, member()

    hidden, deleted_id, fan = await in_thread(create)
    pages = set()
    async with open_page("/contact", user=fan) as screen:
        for pk in (hidden.pk, deleted_id, deleted_id + 1):
            await screen.load(form_at(kind, pk))
            assert screen.status == 404
            await check_refusals(screen, "report_add", f"{kind}:{pk}", [({"reason": "spam"}, None, GONE)])
            pages.add(text(one(screen.tree, "main")))
            assert words_of(kind, hidden) not in screen.html
    assert len(pages) == 1
    assert GONE in pages.pop()
    assert not await in_thread(Report.objects.exists)


async def test_address_without_a_text_is_404():
    queries = (
        *("", "thing=", "thing=post", "thing=post:", "thing=post:0", "thing=post:x", "thing=news:1", "thing=post:1:2"),
        *(f"thing=post:{'9' * 18}", f"thing=post:{'9' * 30}", "thing=post:%0A1", "thing=post:1%00", "other=post:1"),
    )
    async with open_page("/community/report", user=await in_thread(member)) as screen:
        for query in queries:
            await screen.load(f"/community/report?{query}")
            assert (screen.status, GONE in screen.text, forms(screen)) == (404, True, []), query
            assert screen.link("Community"), query


async def test_anonymous_visitor_is_sent_to_the_sign_in():
    post = await in_thread(PostFactory)
    address = form_at(POST, post.pk)
    async with open_page(address) as screen:
        assert screen.path == f"/login?{urlencode({'next': address})}"


async def test_form_follows_hiding_and_restoring_of_its_text():
    fan, post = await in_thread(lambda: (member(), PostFactory(content="Tickets, cheap")))
    async with open_page(form_at(POST, post.pk), user=fan) as screen:
        for _ in range(3):
            await in_thread(lambda: report(POST, post))
        await screen.until(GONE)
        assert "Tickets" not in screen.text
        await in_thread(lambda: dismiss(post))
        await screen.until("Tickets, cheap")
        assert forms(screen)


def dismiss(post):
    """Dismiss the reports of a post."""
    seen = [Seen(ReportKind.POST, post.pk)]
    reports_decide(actor=viewer_of(AdminFactory()), decision="dismiss", seen=seen)


async def test_hidden_text_is_not_shown_to_its_reporter():
    fan, post = await in_thread(lambda: (member(), PostFactory(content="Tickets, cheap")))
    await in_thread(lambda: report(POST, post, by=fan))
    await in_thread(lambda: texts_hide([(POST, post.pk)], hidden=True))
    async with open_page(form_at(POST, post.pk), user=fan) as screen:
        assert (screen.status, "You have reported this already." in screen.text) == (200, True)
        assert "Tickets" not in screen.html
        assert attributes(screen.link("Back"))["href"] == "/community"


def places_of(kind):
    """Return a text of this kind, and the address of the public page that shows it."""
    subject = text_of(kind)
    match kind:
        case ReportKind.POST:
            return subject, f"/community?post={subject.pk}"
        case ReportKind.POST_COMMENT:
            return subject, f"/community?post={subject.post_id}"
        case ReportKind.SESSION_COMMENT:
            return subject, f"/sessions/{subject.session_id}"
    return subject, f"/participants/{subject.appearance.participant_id}?tab=ratings"


@KINDS
async def test_members_but_not_the_author_have_a_link_to_the_form(kind):
    subject, address = await in_thread(lambda: places_of(kind))
    fan, author = await in_thread(lambda: (member(), author_of(subject)))

    def links(screen):
        return [
            link
            for link in every(screen.tree, "a", href=form_at(kind, subject.pk))
            if not attributes(link).get("hidden")
        ]

    async with (
        open_page(address, user=fan) as other,
        open_page(address, user=author) as own,
        open_page(address) as anonymous,
    ):
        [form_link] = links(other)
        assert (
            name(form_link).startswith("Report “")
            or name(form_link) == f"Report the comment by {subject.user.username}"
        )
        assert (links(own), links(anonymous)) == ([], [])
        await other.go(attributes(form_link)["href"])
        assert words_of(kind, subject) in other.text
        await other.follow("Back")
        assert links(other)
