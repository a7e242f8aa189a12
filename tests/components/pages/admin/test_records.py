"""The page People and records: one search over audit and errors, its filters and pages, and the export's forms."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import User
from apps.accounts.selectors.records import RECORDS_PAGE, records_search, search_text
from apps.competition.services.live import performer_set, session_set_live
from apps.competition.services.participants import participant_delete
from apps.competition.services.sessions import session_update
from apps.core import records
from apps.core.models import AuditEntry, ErrorLog
from apps.core.records import AUDIT, ERROR, RecordFilter
from apps.core.services import error_record
from apps.news.services import post_create, post_update
from tests.components.seen import Seen, attributes, every, loaded, one, opened, text
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    MemberFactory,
    ParticipantFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.owner import as_owner

RECORDS = "/admin/records"
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind.", "image_url": "", "is_published": True}
pytestmark = pytest.mark.django_db
MANY = 10**9  # an id that no row has
MARCH = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture
def admin(db: None) -> User:
    """Return an administrator."""
    return AdminFactory(username="halina_k")


def shown(seen: Seen) -> list[str]:
    """Return the headlines of the shown records, newest first."""
    return [text(line) for line in every(seen.main, "p", "audit__what")]


def older(seen: Seen) -> str:
    """Return the address of the next page; empty on the last one."""
    names = ("Show older", "Search older records")
    return next((attributes(link)["href"] for link in every(seen.main, "a") if text(link) in names), "")


def store_entry(number: int, **columns: object) -> AuditEntry:
    """Store an audit entry."""
    setup = {"action": "post.create", "subject": "post", "subject_id": number, "details": {}} | columns
    return AuditEntry.objects.create(**setup)


def test_search_finds_accounts_actions_objects_and_errors(admin: User) -> None:
    viewer, fan = viewer_of(admin), MemberFactory(username="una_corda")
    post_create(actor=viewer, **WRITTEN)
    store_entry(MANY, action="session.live", subject="session", details={"after": {"session": "Stage II, morning"}})
    store_entry(fan.pk, action="account.deactivate", subject="account", user_id=admin.pk)
    error_record(message="The piano fell", details={"trace": "File x"}, severity="critical")
    ErrorLog.objects.update(user_id=fan.pk, page_url="/sessions/7")
    all_of_it = [
        "The piano fell",
        "Account closed: una_corda",
        "Session set as live: Stage II, morning",
        "Post created: Four pianos",
    ]
    for query, expected in (
        ("", all_of_it),
        ("q=FOUR+PIANOS", all_of_it[3:]),
        ("q=piano", [all_of_it[0], all_of_it[3]]),
        ("q=halina", [all_of_it[1], all_of_it[3]]),
        ("q=una_c", all_of_it[:2]),
        (f"q=%23{MANY}", all_of_it[2:3]),
        ("q=account+closed", all_of_it[1:2]),
        ("q=sessions", [all_of_it[0], all_of_it[2]]),
        ("q=critical", all_of_it[:1]),
        ("q=before", []),
        ("q=nothing+of+this", []),
        (f"who={admin.pk}", [all_of_it[1], all_of_it[3]]),
        (f"who={fan.pk}", all_of_it[:1]),
        ("subject=error", all_of_it[:1]),
        ("subject=session", all_of_it[2:3]),
        ("action=post.create", all_of_it[3:]),
        ("action=post.create&q=five", []),
        ("action=nothing&subject=nothing&who=x&since=soon&before=x", all_of_it),
    ):
        assert shown(opened(f"{RECORDS}?{query}", viewer)) == expected, query


def test_days_filter_both_kinds(admin: User) -> None:
    store_entry(1)
    error_record(message="A string broke", severity="warn")
    with as_owner():
        AuditEntry.objects.update(created_at=datetime(2026, 3, 4, 22, 59, tzinfo=UTC))  # 23:59 at the venue
        ErrorLog.objects.update(created_at=datetime(2026, 3, 4, 23, 1, tzinfo=UTC))
    for query, expected in (
        ("since=2026-03-04&until=2026-03-04", ["Post created: #1"]),
        ("since=2026-03-05", ["A string broke"]),
        ("until=2026-03-05", ["A string broke", "Post created: #1"]),
        ("until=2026-03-03", []),
    ):
        assert shown(opened(f"{RECORDS}?{query}", viewer_of(admin))) == expected, query


def test_pages_are_complete_with_a_constant_query_count(admin: User, django_assert_num_queries) -> None:
    """Records of equal moments in both tables are each shown once."""
    count = RECORDS_PAGE + 10
    for number in range(count):
        store_entry(number + 1, action=f"kind{number % 2}.made", user_id=None if number % 3 else admin.pk)
        error_record(message=f"Error {number}", severity="warn")
    with as_owner():
        for number, (entry, error) in enumerate(
            zip(AuditEntry.objects.order_by("pk"), ErrorLog.objects.order_by("pk"), strict=True)
        ):
            moment = MARCH + timedelta(seconds=number // 4)
            AuditEntry.objects.filter(pk=entry.pk).update(created_at=moment)
            ErrorLog.objects.filter(pk=error.pk).update(created_at=moment)
    viewer, address, read = viewer_of(admin), RECORDS, []
    while address:
        with django_assert_num_queries(10):
            loaded(address, viewer)
        seen = opened(address, viewer)
        read += shown(seen)
        address = older(seen)
    assert sorted(headline for headline in read if headline.startswith("Error")) == sorted(
        f"Error {n}" for n in range(count)
    )
    entries = [headline for headline in read if "#" in headline]
    assert len(entries) == len(set(entries)) == count


def test_search_continues_where_it_stopped(admin: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "LOOKED", 5)
    store_entry(1, details={"name": "Four pianos"})
    error_record(message="Four pianos fell", severity="warn")
    with as_owner():
        AuditEntry.objects.update(created_at=MARCH)
        ErrorLog.objects.update(created_at=MARCH + timedelta(days=1))
        for number in range(12):
            entry = store_entry(number + 2, details={"name": "Five"})
            AuditEntry.objects.filter(pk=entry.pk).update(created_at=MARCH + timedelta(days=2 + number))
    viewer, address, read, pages = viewer_of(admin), f"{RECORDS}?q=four+pianos", [], 0
    while address:
        seen = opened(address, viewer)
        page = records_search(
            actor=viewer, filters=RecordFilter(search=search_text("four pianos")), before=_cursor(address)
        )
        assert ("Searched everything since" in text(seen.main)) == (page.looked_until is not None)
        read, pages, address = read + shown(seen), pages + 1, older(seen)
    assert read == ["Four pianos fell", "Post created: Four pianos"]
    assert pages == 3


def _cursor(address: str) -> str:
    return parse_qs(address.partition("?")[2]).get("before", [""])[0]


def test_entry_links_to_its_object_with_old_and_new_values(admin: User) -> None:
    viewer, appearance = viewer_of(admin), AppearanceFactory()
    post = post_create(actor=viewer, **WRITTEN)
    post_update(actor=viewer, post_id=post.pk, **{**WRITTEN, "title": "Five pianos"})
    session = appearance.session
    unchanged = {"starts_at": session.starts_at, "youtube_id": session.youtube_id, "description": session.description}
    session_update(actor=viewer, session_id=session.pk, title="Late evening", **unchanged)
    session_set_live(actor=viewer, session_id=session.pk)
    performer_set(actor=viewer, appearance_id=appearance.pk)
    lonely = ParticipantFactory()
    store_entry(lonely.pk, action="participant.update", subject="participant", details={"name": lonely.name})
    store_entry(MANY, action="piece.update", subject="piece", details={"name": "An etude"})
    store_entry(MANY + 1, action="program.link", subject="program", details={"name": "Nobody"})
    participant_delete(actor=viewer, participant_id=lonely.pk)
    seen = opened(RECORDS, viewer)
    rows = {text(one(row, "p", "audit__what")): row for row in every(seen.main, "li", "audit__row")}
    links = {words: [attributes(a)["href"] for a in every(row, "a")] for words, row in rows.items()}
    assert links == {
        f"Participant deleted: {lonely.name}": [],
        "Link of a program changed: Nobody": [],
        "Piece updated: An etude": [],
        f"Participant updated: {lonely.name}": [],
        f"Current performer chosen: {appearance.participant.name}": [f"/participants/{appearance.participant_id}"],
        "Session set as live: Late evening": [f"/sessions/{session.pk}"],
        "Session updated: Late evening": [f"/sessions/{session.pk}"],
        "Post updated: Five pianos": [f"/admin/blog?mode=edit&id={post.pk}"],
        "Post created: Four pianos": [f"/admin/blog?mode=edit&id={post.pk}"],
    }
    deleted = {words for words, row in rows.items() if "It is deleted now." in text(row)}
    assert deleted == {
        "Link of a program changed: Nobody",
        "Piece updated: An etude",
        f"Participant updated: {lonely.name}",
    }
    lines = every(one(rows["Post updated: Five pianos"], "dl"), "div")
    details = {text(one(line, "dt")): text(one(line, "dd")) for line in lines}
    assert details["title"] == "Four pianos → Five pianos"


def test_forms_export_a_stage_or_a_session(admin: User) -> None:
    session = SessionFactory()
    seen = opened(f"{RECORDS}?export=session&of={session.pk}", viewer_of(admin))
    forms = every(seen.main, "form", action="/ratings-file")
    assert [attributes(one(form, "select"))["name"] for form in forms] == ["stage", "session"]
    assert {attributes(form)["method"] for form in forms} == {"post"}
    assert all(every(form, "input", name="csrfmiddlewaretoken") for form in forms)
    assert attributes(one(forms[1], "select"))["defaultValue"] == str(session.pk)
    assert "You can export for ten minutes now." not in text(seen.main), "not signed in lately"


def test_page_of_an_empty_site_is_explained(admin: User) -> None:
    seen = opened(RECORDS, viewer_of(admin))
    assert "Nothing is recorded yet." in text(seen.main)
    assert "No sessions yet." in text(seen.main)
    assert "No records found matching your criteria." in text(opened(f"{RECORDS}?q=x", viewer_of(admin)).main)


def test_records_are_searched_by_administrators_only(admin: User) -> None:
    for viewer in (viewer_of(UserFactory()), viewer_of(AdminFactory(is_active=False))):
        for kinds in ((AUDIT,), (ERROR,), (AUDIT, ERROR)):
            with pytest.raises(PermissionDenied):
                records_search(actor=viewer, filters=RecordFilter(kinds=kinds))
