"""The markup of the tab Reports: filters, rows, pages, and the cost of a long list."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.community.enums import ReportKind, ReportReason, ReportState
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import Post, Report, ReportCase
from tests.apps.community.reporting import POST, RATING_COMMENT, case_of, report, text_of
from tests.apps.live.conftest import member
from tests.components.pages.admin.moderating import ticks
from tests.components.pages.admin.reports import TAB, reported_posts, rows
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, PostFactory, viewer_of


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
def test_list_of_a_thousand_has_a_constant_cost():
    setup = reported_posts(1)
    with CaptureQueriesContext(connection) as few:
        loaded(TAB, setup.admin)
    crowd(1000)
    with CaptureQueriesContext(connection) as many:
        loaded(TAB, setup.admin)
    assert len(many) <= len(few) <= 14, [query["sql"] for query in many]
    seen = opened(TAB, setup.admin)
    assert len(ticks(seen.main)) == REPORTS_SHOWN
    assert "1001 reported texts" in text(seen.main)
    assert "Hide all 1,001 that match" in text(seen.main)
    assert len(seen.html) < 300_000


@pytest.mark.django_db
def test_pages_are_complete_without_repetition():
    setup = reported_posts(1)
    crowd(2 * REPORTS_SHOWN + 20)
    address, read = TAB, []
    while address:
        seen = opened(address, setup.admin)
        read += ticks(seen.main)
        address = next((attributes(a)["href"] for a in every(seen.main, "a") if text(a) == "Show older"), "")
    assert len(read) == len(set(read)) == ReportCase.objects.count()
