"""Test the export of ratings: the file compared with the database, permissions, limits and memory."""

import csv
import datetime as dt
import io
import tracemalloc

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.accounts.models import AuthSession, User
from apps.accounts.services.roles import account_deactivate
from apps.core.audit import audit_list
from apps.core.database.fields import venue_zone
from apps.core.text_rules import cell_unguard
from apps.ratings.enums import ExportKind
from apps.ratings.limits import RATING_EXPORTS
from apps.ratings.models import PerformanceRating, PieceRating, RatingDraft
from apps.ratings.services.export import COLUMNS, RatingsFile, SignInNeeded, ratings_export
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    MemberFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.offenders import check_each
from tests.owner import as_owner
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db


def signed_in(user: User, *, seconds_ago: float = 0.0) -> Viewer:
    """Return the viewer of a new session of this account, which signed in `seconds_ago`."""
    known = set(AuthSession.objects.values_list("pk", flat=True))
    session_cookie(user, signed_in=seconds_ago)
    handle = str(AuthSession.objects.exclude(pk__in=known).get().handle)
    return Viewer(user.pk, user.username, is_admin=user.is_admin, session=handle)


@pytest.fixture
def boss(db: None) -> Viewer:
    """Return an administrator who signed in just now."""
    return signed_in(AdminFactory())


def export(actor: Viewer, kind: ExportKind, subject_id: int) -> tuple[RatingsFile, bytes]:
    """Return the file and its content."""
    file = ratings_export(actor=actor, kind=kind, subject_id=subject_id)
    with file.content as content:
        return file, content.read()


def rows_of(content: bytes) -> list[dict[str, str]]:
    """Return the rows of a file as a CSV reader returns them."""
    assert content.startswith(b"\xef\xbb\xbf"), "a byte order mark, for spreadsheets"
    reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
    assert tuple(reader.fieldnames or ()) == COLUMNS
    return list(reader)


def oracle(**within: int) -> set[tuple[str, ...]]:
    """Return the expected row of each mark, computed in Python."""
    rows = set()
    for mark in (*PieceRating.objects.filter(**within), *PerformanceRating.objects.filter(**within)):
        place, is_piece, is_open = mark.appearance, isinstance(mark, PieceRating), mark.user.is_active
        whole = isinstance(mark, PerformanceRating) and mark
        rows.add(
            (
                place.session.stage.name,
                place.session.title,
                str(place.order_number),
                place.participant.name,
                "piece" if is_piece else "performance",
                mark.piece.name if isinstance(mark, PieceRating) else "",
                str(mark.score),
                whole.comment if whole and is_open and not whole.is_comment_hidden else "",
                "yes" if mark.approved else "no",
                mark.user.username if is_open else "",
                mark.created_at.replace(microsecond=0).isoformat(),
            )
        )
    return rows


def values_of(row: dict[str, str]) -> tuple[str, ...]:
    """Return a row of the file in the form of `oracle`."""
    given_at = dt.datetime.fromisoformat(row["given_at"])
    assert given_at.utcoffset() == given_at.astimezone(venue_zone()).utcoffset(), "the venue's zone"
    names = ("stage", "session", "performance", "performer", "kind", "piece", "mark", "comment", "approved", "username")
    return (*(cell_unguard(row[name]) for name in names), given_at.astimezone(dt.UTC).isoformat())


def test_file_has_each_submitted_mark_of_a_session_or_stage(boss: Viewer) -> None:
    here, there = AppearanceFactory(), AppearanceFactory()
    fan, other = MemberFactory(username="una_corda"), MemberFactory(username="balcony")
    for appearance in (here, there):
        for user, is_approved in ((fan, True), (other, False)):
            PieceRatingFactory(user=user, appearance=appearance, approved=is_approved)
            PerformanceRatingFactory(
                user=user, appearance=appearance, approved=is_approved, comment='Ł "so"\nclear; so calm'
            )
    draft = RatingDraft.objects.create(
        user=MemberFactory(username="keeps_to_himself"), appearance=here, score=1, score_at=here.created_at
    )
    for kind, within in (
        (ExportKind.SESSION, {"appearance__session": here.session_id}),
        (ExportKind.STAGE, {"appearance__stage": here.session.stage_id}),
    ):
        (subject_id,) = within.values()
        file, content = export(boss, kind, subject_id)
        rows = rows_of(content)
        assert set(map(values_of, rows)) == oracle(**within), kind
        assert (file.rows, file.size) == (len(rows), len(content))
        assert file.name == f"ratings-{kind}-{subject_id}.csv"
        assert len(rows) >= 4
        for secret in (draft.user.username, fan.email, other.email, "blind", "weight"):
            assert secret.encode() not in content
        numbers = {row["username"]: row["listener"] for row in rows}
        assert sorted(numbers.values()) == ["1", "2"]
        assert {row["listener"] for row in rows if row["username"] == "una_corda"} == {numbers["una_corda"]}


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '"=1', " =1", "＝1", '=HYPERLINK("https://evil.example")')


def test_cells_are_not_formulas(boss: Viewer) -> None:
    with as_owner() as cursor:  # the database refuses such a username; the file must not depend on that
        cursor.execute("ALTER TABLE users DROP CONSTRAINT username_well_formed")

    @transaction.atomic
    def check(formula: str) -> None:
        text = formula.strip()  # the database refuses blanks around a name
        place = AppearanceFactory(participant__name=text, session__title=text)
        user, piece = UserFactory(username=formula[:20]), PieceFactory(name=text)
        PieceRatingFactory(user=user, appearance=place, piece=piece)
        PerformanceRatingFactory(user=user, appearance=place, comment=text)
        _, content = export(boss, ExportKind.SESSION, place.session_id)
        rows = rows_of(content)
        assert len(rows) == 2
        for cell in (value for row in rows for value in row.values()):
            assert not cell.lstrip(' "').startswith(("=", "+", "-", "@", "\t", "\r", "＝")), cell
        assert {formula[:20] in row["username"] or "'" in row["username"] for row in rows} == {True}, "still legible"
        transaction.set_rollback(True)

    check_each(FORMULAS, check)


def test_closed_account_has_a_number_but_no_name_or_comment(boss: Viewer) -> None:
    mark = PerformanceRatingFactory(user=MemberFactory(username="una_corda"), comment="I was here")
    PieceRatingFactory(user=mark.user, appearance=mark.appearance)
    hidden = PerformanceRatingFactory(appearance=mark.appearance, is_comment_hidden=True, comment="a hidden word")
    account_deactivate(actor=boss, account_id=mark.user_id)
    _, content = export(boss, ExportKind.SESSION, mark.appearance.session_id)
    rows = rows_of(content)
    assert [(row["listener"], row["username"], row["comment"]) for row in rows] == [
        ("1", "", ""),
        ("1", "", ""),
        ("2", hidden.user.username, ""),
    ]
    assert b"una_corda" not in content
    assert b"I was here" not in content


def test_file_of_a_session_without_ratings_has_a_header(boss: Viewer) -> None:
    file, content = export(boss, ExportKind.SESSION, SessionFactory().pk)
    assert (rows_of(content), file.rows) == ([], 0)


def test_audit_has_each_export(boss: Viewer) -> None:
    session = PieceRatingFactory().appearance.session
    export(boss, ExportKind.SESSION, session.pk)
    export(boss, ExportKind.STAGE, session.stage_id)
    stage, of_session = audit_list(limit=2)
    assert (of_session.action, of_session.subject, of_session.subject_id) == ("session.export", "session", session.pk)
    assert (stage.action, stage.subject_id, stage.user_id) == ("stage.export", session.stage_id, boss.id)
    assert of_session.details == {"name": session.title, "rows": 1}


def test_export_needs_an_administrator_who_signed_in_recently() -> None:
    session = PieceRatingFactory().appearance.session
    administrator = AdminFactory()
    for actor, refusal in (
        (ANONYMOUS, PermissionDenied),
        (signed_in(UserFactory()), PermissionDenied),
        (signed_in(UserFactory(is_admin=True, is_active=False)), PermissionDenied),
        (Viewer(UserFactory().pk, is_admin=True), PermissionDenied),
        (signed_in(administrator, seconds_ago=3_600), SignInNeeded),
        (viewer_of(administrator), SignInNeeded),
    ):
        with pytest.raises(refusal):
            ratings_export(actor=actor, kind=ExportKind.SESSION, subject_id=session.pk)
    assert not [entry for entry in audit_list() if entry.action.endswith(".export")]


def test_unknown_subjects_and_too_many_exports_are_refused(boss: Viewer) -> None:
    session_id = SessionFactory().pk
    for kind in ExportKind:
        with pytest.raises(ValidationError, match="There is nothing of this kind any more"):
            ratings_export(actor=boss, kind=kind, subject_id=10**17)
    with pytest.raises(ValidationError, match="a lot of exports"):  # noqa: PT012 - the limit is reached at some call
        for _ in range(RATING_EXPORTS.amount):
            export(boss, ExportKind.SESSION, session_id)
    assert len([entry for entry in audit_list() if entry.action.endswith(".export")]) == RATING_EXPORTS.amount - 2


MANY = """
SET LOCAL session_replication_role = replica;
INSERT INTO piece_ratings (user_id, session_participant_id, piece_id, score, approved)
SELECT u, a, p, 1 + (u + a + p) % 25, true
FROM unnest(%(users)s::bigint[]) AS u, unnest(%(places)s::bigint[]) AS a, unnest(%(pieces)s::bigint[]) AS p;
SET LOCAL session_replication_role = origin;
"""


def peak_of_export(boss: Viewer, users: int) -> int:
    """Return the most memory that Python uses for the export of a stage with 100 marks of each of these users."""
    session = SessionFactory()
    appearances = [AppearanceFactory(session=session) for _ in range(20)]
    pieces = [PieceRatingFactory(appearance=appearances[0]).piece for _ in range(5)]
    names = [f"of{session.pk}-{number}" for number in range(users)]
    raters = User.objects.bulk_create(User(username=name, email=f"{name}@example.org", password="!") for name in names)
    rows = {"users": raters, "places": appearances, "pieces": pieces}
    ids = {name: [row.pk for row in table] for name, table in rows.items()}
    with as_owner() as cursor:  # only the owner may skip triggers
        cursor.execute(MANY.replace(" % 25", " %% 25"), ids)
    tracemalloc.start()
    try:
        file = ratings_export(actor=boss, kind=ExportKind.STAGE, subject_id=session.stage_id)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    with file.content as content:
        assert sum(1 for _ in content) == file.rows + 1
    assert file.rows >= 100 * users
    return peak


@pytest.mark.long(reason="exports 18,000 marks")
def test_export_takes_the_same_memory_for_any_number_of_marks(boss: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.ratings.services.export.EXPORT_MEMORY", 100_000)  # bytes of a file that stay in memory
    peak_of_export(boss, 1)  # loads what an export needs
    few, many = peak_of_export(boss, 30), peak_of_export(boss, 150)
    assert many < 1.3 * few
