"""The report form: its content for each viewer and kind of text, its refusals, and the links to it."""

from urllib.parse import urlencode

import pytest

from apps.accounts.models import User
from apps.community.enums import ReportKind
from apps.community.limits import REASON_LENGTH, REPORTS
from apps.community.models import Report
from apps.community.services.report_moderation import reports_decide
from apps.community.services.report_texts import texts_hide
from apps.core.moderation import Seen
from apps.core.threads import in_thread
from tests.apps.community.reporting import KINDS, POST, POST_COMMENT, RATING_COMMENT, SESSION_COMMENT, report, text_of
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.seen import attributes, every, name, one, text
from tests.factories import AdminFactory, PostCommentFactory, PostFactory, viewer_of
from tests.rate_limits import spend
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)
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


def words_of(kind, thing):
    return thing.comment if kind == RATING_COMMENT else thing.content


def author_of(thing):
    return viewer_of(User.objects.get(pk=thing.user_id))


def forms(screen):
    return every(screen.tree, "form", data_command="report_add")


@live
@KINDS
async def test_a_text_of_each_kind_is_quoted_and_reported_once(kind):
    thing, fan = await in_thread(lambda: (text_of(kind), member(username="una_corda")))
    async with open_page(form_at(kind, thing.pk), user=fan) as screen:
        assert (screen.status, screen.title) == (200, "Report – Parterre")
        figure = one(screen.tree, "figure", "reported")
        assert text(one(figure, "blockquote")) == words_of(kind, thing)
        assert text(one(figure, "figcaption")) == f"{KIND_NAMES[kind]} by {thing.user.username}"
        [form] = forms(screen)
        assert attributes(form)["data-argument"] == f"{kind}:{thing.pk}"
        assert [attributes(each)["value"] for each in every(form, "input", type="radio")] == [
            *("spam", "insult", "off_topic", "other")
        ]
        assert attributes(one(form, "textarea"))["maxLength"] == REASON_LENGTH
        answer = await command(screen, "report_add", f"{kind}:{thing.pk}", reason="insult", words=" Names\u202e me. ")
        assert (answer["ok"], answer["text"], answer["empty"]) == (True, THANKS, True)
        await screen.until("You have reported this already.")
        assert forms(screen) == []
        again = await command(screen, "report_add", f"{kind}:{thing.pk}", reason="spam")
        assert (again["ok"], again["text"], again["field"]) == (False, "You have reported this already.", "reason")
    [stored] = await in_thread(lambda: list(Report.objects.values_list("user_id", "reason", "words")))
    assert stored == (fan.id, "insult", "Names me.")


@live
@KINDS
async def test_nobody_reports_what_is_their_own(kind):
    thing = await in_thread(lambda: text_of(kind))
    async with open_page(form_at(kind, thing.pk), user=await in_thread(lambda: author_of(thing))) as screen:
        assert "You cannot report what you wrote yourself." in screen.text
        assert forms(screen) == []
        answer = await command(screen, "report_add", f"{kind}:{thing.pk}", reason="spam")
        assert (answer["ok"], answer["text"]) == (False, "You cannot report what you wrote yourself.")
    assert not await in_thread(Report.objects.exists)


@live
@KINDS
async def test_gone_hidden_and_never_was_are_the_same(kind):
    def begin():
        hidden, gone = text_of(kind), text_of(kind)
        texts_hide([(kind, hidden.pk)], hidden=True)
        pk = gone.pk
        gone.delete()
        return hidden, pk, member()

    hidden, gone, fan = await in_thread(begin)
    seen = set()
    for pk in (hidden.pk, gone, gone + 1):
        async with open_page(form_at(kind, pk), user=fan) as screen:
            assert screen.status == 404
            answer = await command(screen, "report_add", f"{kind}:{pk}", reason="spam")
            assert (answer["ok"], answer["text"]) == (False, GONE)
            seen.add(text(one(screen.tree, "main")))
            assert words_of(kind, hidden) not in screen.html
    assert len(seen) == 1
    assert GONE in seen.pop()
    assert not await in_thread(Report.objects.exists)


@live
async def test_a_comment_below_a_hidden_post_and_a_rating_that_waits_are_not_there_either():
    def begin():
        waiting = text_of(RATING_COMMENT)
        type(waiting).objects.update(approved=False)
        return PostCommentFactory(post=PostFactory(is_hidden=True)), waiting, member()

    comment, rating, fan = await in_thread(begin)
    for kind, pk in ((POST_COMMENT, comment.pk), (RATING_COMMENT, rating.pk)):
        async with open_page(form_at(kind, pk), user=fan) as screen:
            assert (screen.status, GONE in screen.text) == (404, True)


@live
@pytest.mark.parametrize(
    "query",
    [
        *("", "thing=", "thing=post", "thing=post:", "thing=post:0", "thing=post:x", "thing=news:1", "thing=post:1:2"),
        *(f"thing=post:{'9' * 18}", f"thing=post:{'9' * 30}", "thing=post:%0A1", "thing=post:1%00", "other=post:1"),
    ],
)
async def test_an_address_that_names_nothing_says_so(query):
    fan = await in_thread(member)
    async with open_page(f"/community/report?{query}", user=fan) as screen:
        assert (screen.status, GONE in screen.text, forms(screen)) == (404, True, [])
        assert screen.link("Community")


@live
@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({}, "reason", "Please choose a reason."),
        ({"reason": "", "words": "Rude"}, "reason", "Please choose a reason."),
        ({"reason": "other"}, "words", "Please say what is wrong with it."),
        ({"reason": "other", "words": " \n\u200b "}, "words", "Please say what is wrong with it."),
        ({"reason": "spam", "words": "x" * (REASON_LENGTH + 1)}, "words", "Please write at most 500 characters."),
    ],
)
async def test_what_is_wrong_is_said_at_its_field(fields, field, sentence):
    fan, post = await in_thread(lambda: (member(), PostFactory()))
    async with open_page(form_at(POST, post.pk), user=fan) as screen:
        answer = await command(screen, "report_add", f"post:{post.pk}", **fields)
        assert (answer["ok"], answer["field"]) == (False, field)
        assert sentence in answer["text"]
        assert forms(screen), "the form stays as it is"
    assert not await in_thread(Report.objects.exists)


@live
async def test_who_reports_too_much_is_told_when_to_go_on():
    fan, post = await in_thread(lambda: (member(), PostFactory()))
    await in_thread(lambda: spend(REPORTS, account_id=fan.id))
    async with open_page(form_at(POST, post.pk), user=fan) as screen:
        answer = await command(screen, "report_add", f"post:{post.pk}", reason="spam")
        assert not answer["ok"]
        assert "You can report 20 things a day. Please try again in " in answer["text"]


@live
async def test_strangers_are_led_to_the_login_and_back():
    post = await in_thread(PostFactory)
    address = form_at(POST, post.pk)
    async with open_page(address) as screen:
        assert screen.path == f"/login?{urlencode({'next': address})}"


@live
async def test_the_form_goes_when_its_text_is_hidden_and_comes_back_when_it_is_restored():
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


@live
async def test_who_has_reported_what_is_hidden_is_told_so_without_its_words():
    fan, post = await in_thread(lambda: (member(), PostFactory(content="Tickets, cheap")))
    await in_thread(lambda: report(POST, post, by=fan))
    await in_thread(lambda: texts_hide([(POST, post.pk)], hidden=True))
    async with open_page(form_at(POST, post.pk), user=fan) as screen:
        assert (screen.status, "You have reported this already." in screen.text) == (200, True)
        assert "Tickets" not in screen.html
        assert attributes(screen.link("Back"))["href"] == "/community"


def places_of(kind):
    """Return a text of this kind, and the address of the public page that shows it."""
    thing = text_of(kind)
    match kind:
        case ReportKind.POST:
            return thing, f"/community?post={thing.pk}"
        case ReportKind.POST_COMMENT:
            return thing, f"/community?post={thing.post_id}"
        case ReportKind.SESSION_COMMENT:
            return thing, f"/sessions/{thing.session_id}"
    return thing, f"/participants/{thing.session_participant.participant_id}?tab=ratings"


@live
@KINDS
async def test_everybody_who_is_signed_in_has_a_link_to_the_form_but_the_author(kind):
    thing, address = await in_thread(lambda: places_of(kind))
    fan, author = await in_thread(lambda: (member(), author_of(thing)))

    def links(screen):
        return [
            each for each in every(screen.tree, "a", href=form_at(kind, thing.pk)) if not attributes(each).get("hidden")
        ]

    async with (
        open_page(address, user=fan) as other,
        open_page(address, user=author) as own,
        open_page(address) as nobody,
    ):
        [found] = links(other)
        assert name(found).startswith("Report “") or name(found) == f"Report the comment by {thing.user.username}"
        assert (links(own), links(nobody)) == ([], [])
        await other.go(attributes(found)["href"])
        assert words_of(kind, thing) in other.text
        await other.follow("Back")
        assert links(other)
