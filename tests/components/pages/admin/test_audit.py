"""The tabs Audit and Errors: entries, filters, pages, access, and names of objects."""

import ast
import re
from datetime import UTC, datetime

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import User
from apps.accounts.selectors.people import errors_read
from apps.accounts.services.profile import default_avatars_set
from apps.accounts.services.roles import admin_grant
from apps.competition.services.pieces import piece_add
from apps.core.models import AuditEntry, ErrorLog
from apps.core.selectors import DETAILS_SHOWN, ERRORS_PAGE
from apps.core.services import error_record
from apps.live.services import comment_delete
from apps.news.services import post_create, post_update
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.models import Decision
from apps.ratings.services.moderation import mark_approve, rating_delete
from apps.ratings.services.rating_moderation import decision_undo
from components.pages.admin.records.audit_rows import ACTIONS, SUBJECTS
from project.config import ROOT
from tests.components.seen import Seen, attributes, every, one, opened, text
from tests.factories import (
    AdminFactory,
    MemberFactory,
    PieceRatingFactory,
    SessionCommentFactory,
    UserFactory,
    viewer_of,
)
from tests.owner import as_owner

AUDIT = "/admin?tab=audit"
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind.", "image_url": "", "is_published": True}
pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(db: None) -> User:
    """Return an administrator."""
    return AdminFactory(username="halina_k")


def entries(seen: Seen) -> list[str]:
    """Return the headlines of the shown entries, newest first."""
    return [text(line) for line in every(seen.main, "p", "audit__what")]


def test_entry_has_account_action_object_and_values(admin: User) -> None:
    viewer = viewer_of(admin)
    post = post_create(actor=viewer, **WRITTEN)
    post_update(actor=viewer, post_id=post.pk, **{**WRITTEN, "title": "Five pianos", "is_published": False})
    seen = opened(AUDIT, viewer)
    newest, _ = every(seen.main, "li", "audit__row")
    assert entries(seen) == ["Post updated: Five pianos", "Post created: Four pianos"]
    assert "halina_k" in text(newest)
    assert attributes(one(newest, "a"))["href"] == f"/admin/blog?mode=edit&id={post.pk}"
    details = {text(one(block, "dt")): text(one(block, "dd")) for block in every(one(newest, "dl"), "div")}
    assert details["title"] == "Four pianos → Five pianos"
    assert details["published"] == "yes → no"
    assert "excerpt" not in details


def test_address_filters_the_list(admin: User) -> None:
    other = AdminFactory(username="ignacy_p")
    post_create(actor=viewer_of(other), **WRITTEN)
    picture = {"user_avatar_url": "https://example.org/a.png", "participant_avatar_url": "https://example.org/b.png"}
    default_avatars_set(actor=viewer_of(admin), **picture)
    with as_owner():
        AuditEntry.objects.filter(action="post.create").update(created_at=datetime(2026, 3, 4, 22, 59, tzinfo=UTC))
    both = ["Default avatars updated", "Post created: Four pianos"]
    for query, expected in (
        ("", both),
        (f"&who={other.pk}", both[1:]),
        ("&subject=default_avatars", both[:1]),
        ("&action=post.create", both[1:]),
        ("&action=post.delete", []),
        ("&since=2026-03-05", both[:1]),
        ("&until=2026-03-04", both[1:]),  # 23:59 local time
        ("&until=2026-03-03", []),
        ("&who=x&subject=nothing&action=nothing&since=soon&before=x", both),
    ):
        assert entries(opened(AUDIT + query, viewer_of(admin))) == expected, query
    assert "No entries found matching your criteria." in text(
        opened(f"{AUDIT}&action=post.delete", viewer_of(admin)).main
    )


def test_unknown_action_and_deleted_account_are_shown(admin: User) -> None:
    AuditEntry.objects.create(action="moon.landed", subject="moon", details={"count": 2, "ratings": ["a", "b"]})
    row = text(one(opened(AUDIT, viewer_of(admin)).main, "li", "audit__row"))
    assert "Terminal, or somebody who left" in row
    assert "moon.landed: 2" in row
    assert "ratingsa, b" in row


def test_every_action_of_the_services_has_a_name_and_a_filter() -> None:
    assert len(set(ACTIONS.values())) == len(ACTIONS)
    entries = {
        node.value
        for file in (*(ROOT / "apps").glob("*/services/*.py"), *(ROOT / "apps").glob("*/services.py"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and re.fullmatch(r"[a-z_]+(\.(?!csv)[a-z]+)+", str(node.value))
    } | {f"ratings.{verdict.value}" for verdict in Verdict}
    assert {"session.live", "comment.delete", "ratings.delete", "participant.update"} <= entries <= set(ACTIONS)
    subjects = {action.partition(".")[0] for action in entries}
    assert subjects - {"admin", "factor"} <= set(SUBJECTS), "both are about accounts"


def test_run_of_one_action_is_folded(admin: User) -> None:
    viewer, other = viewer_of(admin), viewer_of(AdminFactory(username="ignacy_p"))
    for number in range(4):
        post_create(actor=viewer, **WRITTEN | {"title": f"Post {number}"})
    post_create(actor=other, **WRITTEN)
    seen = opened(AUDIT, viewer)
    run = one(seen.main, "ol", "audit__run")
    assert "ignacy_p" in text(every(seen.main, "li", "audit__row")[0])
    assert "Post created, 4 ×: Post 3, Post 2, Post 1, Post 0" in entries(seen)
    assert [text(line) for line in every(run, "p", "audit__what")] == [f"Post created: Post {n}" for n in (3, 2, 1, 0)]
    for number in range(7):
        post_create(actor=viewer, **WRITTEN | {"title": f"Post {number}"})
    assert entries(opened(AUDIT, viewer))[0] == "Post created, 7 ×: Post 6, Post 5, Post 4, Post 3, Post 2, …"


def test_decision_about_ratings_names_the_performer(admin: User) -> None:
    rating = PieceRatingFactory(approved=False)
    mark_approve(actor=viewer_of(admin), kind=RatingKind.PIECE, mark_id=rating.pk)
    name = rating.appearance.participant.name
    decision_undo(actor=viewer_of(admin), decision_id=Decision.objects.get().pk)
    rating_delete(actor=viewer_of(admin), appearance_id=rating.appearance_id, user_id=rating.user_id)
    assert entries(opened(AUDIT, viewer_of(admin))) == [
        f"Rating deleted: {name}",
        f"Decision about ratings taken back: {name} (1)",
        f"Ratings approved: {name} (1)",
    ]


def test_accounts_and_comments_are_named(admin: User) -> None:
    fan, comment = MemberFactory(username="una_corda"), SessionCommentFactory()
    admin_grant(actor=viewer_of(admin), account_id=fan.pk)
    comment_delete(actor=viewer_of(admin), comment_id=comment.pk)
    assert entries(opened(AUDIT, viewer_of(admin))) == [
        f"Comment deleted: {comment.session.title}",
        "Administrator appointed: una_corda",
    ]
    with as_owner():
        User.objects.filter(pk=fan.pk).delete()
    assert entries(opened(AUDIT, viewer_of(admin)))[1] == f"Administrator appointed: #{fan.pk}"


def test_stored_values_are_translated_and_empty_ones_left_out(admin: User) -> None:
    piece_add(actor=viewer_of(admin), name="Nocturne in a key of our own", category="nocturn")
    post_create(actor=viewer_of(admin), **WRITTEN)
    details = [every(listing, "div") for listing in every(opened(AUDIT, viewer_of(admin)).main, "dl")]
    post, piece = ({text(one(line, "dt")): text(one(line, "dd")) for line in lines} for lines in details)
    assert piece["category"] == "Nokturn"
    assert "image" not in post
    assert post["title"] == "Four pianos"


ERRORS = "/admin?tab=errors"


@pytest.fixture
def reader(db):
    return viewer_of(AdminFactory())


def shown(reader, query: str = "") -> list[str]:
    """Return the messages on the page with these filters."""
    return [text(line) for line in every(opened(ERRORS + query, reader).main, "p", "audit__what")]


def test_errors_are_filtered_by_text_time_and_severity(reader):
    assert "Nothing is in the error log." in text(opened(ERRORS, reader).main)
    error_record(message="The piano fell", details={"type": "ValueError", "trace": "File x"}, severity="critical")
    error_record(message="A string broke", severity="warn")
    ErrorLog.objects.filter(severity="warn").update(
        created_at="2021-10-12T12:00:00Z", page_url="/sessions/7", user_id=3
    )
    assert shown(reader) == ["A string broke", "The piano fell"]
    assert shown(reader, "&q=PIANO") == shown(reader, "&q=valueerror") == ["The piano fell"]
    assert shown(reader, "&q=/sessions/7") == shown(reader, "&severity=warn") == ["A string broke"]
    assert shown(reader, "&since=2021-10-12&until=2021-10-12") == ["A string broke"]
    assert shown(reader, "&since=2021-10-13") == ["The piano fell"]
    assert shown(reader, "&severity=loud&since=soon") == ["A string broke", "The piano fell"]
    page = opened(f"{ERRORS}&q=nothing", reader).main
    assert "No errors found matching your criteria." in text(page)
    page = opened(f"{ERRORS}&severity=warn", reader).main
    assert attributes(one(page, "a", href="/admin/people?q=%233"))
    assert "type: ValueError" in text(one(opened(f"{ERRORS}&severity=critical", reader).main, "pre"))


def test_error_log_has_pages_and_cuts_long_details(reader, django_assert_num_queries):
    for number in range(ERRORS_PAGE + 2):
        error_record(message=f"Number {number}", details={"number": number, "trace": "x" * 3 * DETAILS_SHOWN})
    with django_assert_num_queries(2):
        rows = errors_read(actor=reader)
    assert {len(row.error_details) for row in rows} == {DETAILS_SHOWN}
    seen = opened(ERRORS, reader)
    assert len(shown(reader)) == ERRORS_PAGE
    assert "The rest is on the terminal: manage.py error_logs list --details" in text(seen.main)
    assert len(seen.html) < 512 * 1024
    (older,) = [attributes(link)["href"] for link in every(seen.main, "a") if text(link) == "Show older"]
    assert [text(line) for line in every(opened(older, reader).main, "p", "audit__what")] == ["Number 1", "Number 0"]


def test_error_log_is_read_by_administrators_only(db):
    with pytest.raises(PermissionDenied):
        errors_read(actor=viewer_of(UserFactory()))
