"""Test the export of ratings: the file read back by the csv module beside the database, and who may have it."""

import csv
import datetime as dt
import io
import tracemalloc

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

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
    PieceRatingFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.owner import as_owner
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db
KILOBYTE = 1024


def signed_in(user: User, *, seconds_ago: float = 0.0) -> Viewer:
    """Return the viewer of a new session of this account, which signed in so long ago."""
    known = set(AuthSession.objects.values_list("pk", flat=True))
    session_cookie(user, signed_in=seconds_ago)
    handle = str(AuthSession.objects.exclude(pk__in=known).get().handle)
    return Viewer(user.pk, user.username, is_admin=user.is_admin, session=handle)


@pytest.fixture
def boss(db: None) -> Viewer:
    """Return an administrator who signed in just now."""
    return signed_in(AdminFactory())


def exported(actor: Viewer, kind: ExportKind, subject_id: int) -> tuple[RatingsFile, bytes]:
    """Return the file and its content."""
    file = ratings_export(actor=actor, kind=kind, subject_id=subject_id)
    with file.content as content:
        return file, content.read()


def rows_of(content: bytes) -> list[dict[str, str]]:
    """Return the rows of a file, as a reader of CSV sees them."""
    assert content.startswith(b"\xef\xbb\xbf"), "a byte order mark, for spreadsheets"
    reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
    assert tuple(reader.fieldnames or ()) == COLUMNS
    return list(reader)


def oracle(**within: int) -> set[tuple[str, ...]]:
    """Return what the file must say of each mark, read from the database in another way."""
    marks: list[PieceRating | PerformanceRating] = [
        *PieceRating.objects.filter(**within),
        *PerformanceRating.objects.filter(**within),
    ]
    found = set()
    for mark in marks:
        place, is_piece, is_open = mark.session_participant, isinstance(mark, PieceRating), mark.user.is_active
        whole = isinstance(mark, PerformanceRating) and mark
        found.add(
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
    return found


def said(row: dict[str, str]) -> tuple[str, ...]:
    """Return a row of the file as `oracle` says it."""
    given = dt.datetime.fromisoformat(row["given_at"])
    assert given.utcoffset() == given.astimezone(venue_zone()).utcoffset(), "the venue's zone"
    names = ("stage", "session", "performance", "performer", "kind", "piece", "mark", "comment", "approved", "username")
    return (*(cell_unguard(row[name]) for name in names), given.astimezone(dt.UTC).isoformat())


def test_the_file_has_every_submitted_mark_of_the_session_and_of_the_stage(boss: Viewer) -> None:
    here, there = AppearanceFactory(), AppearanceFactory()
    fan, other = MemberFactory(username="una_corda"), MemberFactory(username="balcony")
    for appearance in (here, there):
        for user, is_approved in ((fan, True), (other, False)):
            PieceRatingFactory(user=user, session_participant=appearance, approved=is_approved)
            PerformanceRatingFactory(
                user=user, session_participant=appearance, approved=is_approved, comment='Ł "so"\nclear; so calm'
            )
    draft = RatingDraft.objects.create(
        user=MemberFactory(username="keeps_to_himself"), session_participant=here, score=1, score_at=here.created_at
    )
    for kind, within in (
        (ExportKind.SESSION, {"session_participant__session": here.session_id}),
        (ExportKind.STAGE, {"session_participant__stage": here.session.stage_id}),
    ):
        (subject_id,) = within.values()
        file, content = exported(boss, kind, subject_id)
        rows = rows_of(content)
        assert {said(row) for row in rows} == oracle(**within), kind
        assert (file.rows, file.size) == (len(rows), len(content))
        assert file.name == f"ratings-{kind}-{subject_id}.csv"
        assert len(rows) >= 4
        for secret in (draft.user.username, fan.email, other.email, "blind", "weight"):
            assert secret.encode() not in content
        numbers = {row["username"]: row["listener"] for row in rows}
        assert sorted(numbers.values()) == ["1", "2"]
        assert {row["listener"] for row in rows if row["username"] == "una_corda"} == {numbers["una_corda"]}


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '"=1', " =1", "＝1", '=HYPERLINK("https://evil.example")')


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_is_a_formula(boss: Viewer, formula: str) -> None:
    with as_owner() as cursor:  # today's database refuses such a username; the file must not depend on that
        cursor.execute("ALTER TABLE users DROP CONSTRAINT username_well_formed")
    mark = PieceRatingFactory(
        user=UserFactory(username=formula[:20]),
        session_participant__participant__name=formula,
        session_participant__session__title=formula,
        piece__name=formula,
    )
    PerformanceRatingFactory(user=mark.user, session_participant=mark.session_participant, comment=formula.strip())
    _, content = exported(boss, ExportKind.SESSION, mark.session_participant.session_id)
    rows = rows_of(content)
    assert len(rows) == 2
    for cell in (value for row in rows for value in row.values()):
        assert not cell.lstrip(' "').startswith(("=", "+", "-", "@", "\t", "\r", "＝")), cell
    assert {formula[:20] in row["username"] or "'" in row["username"] for row in rows} == {True}, "still legible"


def test_a_closed_account_has_a_number_and_neither_name_nor_words(boss: Viewer) -> None:
    mark = PerformanceRatingFactory(user=MemberFactory(username="una_corda"), comment="I was here")
    PieceRatingFactory(user=mark.user, session_participant=mark.session_participant)
    hidden = PerformanceRatingFactory(
        session_participant=mark.session_participant, is_comment_hidden=True, comment="a hidden word"
    )
    account_deactivate(actor=boss, account_id=mark.user_id)
    _, content = exported(boss, ExportKind.SESSION, mark.session_participant.session_id)
    rows = rows_of(content)
    assert [(row["listener"], row["username"], row["comment"]) for row in rows] == [
        ("1", "", ""),
        ("1", "", ""),
        ("2", hidden.user.username, ""),
    ]
    assert b"una_corda" not in content
    assert b"I was here" not in content


def test_a_session_without_ratings_is_a_file_with_a_header(boss: Viewer) -> None:
    file, content = exported(boss, ExportKind.SESSION, SessionFactory().pk)
    assert (rows_of(content), file.rows) == ([], 0)


def test_the_audit_names_each_export(boss: Viewer) -> None:
    mark = PieceRatingFactory()
    session = mark.session_participant.session
    exported(boss, ExportKind.SESSION, session.pk)
    exported(boss, ExportKind.STAGE, session.stage_id)
    stage, of_session = audit_list(limit=2)
    assert (of_session.action, of_session.subject, of_session.subject_id) == ("session.export", "session", session.pk)
    assert (stage.action, stage.subject_id, stage.user_id) == ("stage.export", session.stage_id, boss.id)
    assert of_session.details == {"name": session.title, "rows": 1}


def test_only_an_administrator_who_signed_in_lately_has_it() -> None:
    session = PieceRatingFactory().session_participant.session
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
    assert not [each for each in audit_list() if each.action.endswith(".export")]


def test_what_is_not_there_and_too_many_are_refused(boss: Viewer) -> None:
    session_id = SessionFactory().pk
    for kind in ExportKind:
        with pytest.raises(ValidationError, match="There is nothing of this kind any more"):
            ratings_export(actor=boss, kind=kind, subject_id=10**17)
    with pytest.raises(ValidationError, match="a lot of exports"):  # noqa: PT012 - the limit is reached at some call
        for _ in range(RATING_EXPORTS.amount):
            exported(boss, ExportKind.SESSION, session_id)
    assert len([each for each in audit_list() if each.action.endswith(".export")]) == RATING_EXPORTS.amount - 2


MANY = """
SET LOCAL session_replication_role = replica;
INSERT INTO piece_ratings (user_id, session_participant_id, piece_id, score, approved)
SELECT u, a, p, 1 + (u + a + p) % 25, true
FROM unnest(%(users)s::bigint[]) AS u, unnest(%(places)s::bigint[]) AS a, unnest(%(pieces)s::bigint[]) AS p;
SET LOCAL session_replication_role = origin;
"""


@pytest.mark.long
def test_a_hundred_thousand_marks_are_written_in_bounded_memory(boss: Viewer) -> None:
    """Python's own memory grows by less than what 5,000 rows need, for 100,000 rows."""
    session = SessionFactory()
    appearances = [AppearanceFactory(session=session) for _ in range(20)]
    pieces = [PieceRatingFactory(session_participant=appearances[0]).piece for _ in range(5)]
    users = User.objects.bulk_create(
        [User(username=f"many{n}", email=f"many{n}@example.org", password="!") for n in range(1_000)]
    )
    ids = {"users": users, "places": appearances, "pieces": pieces}
    with as_owner() as cursor:  # only the owner may skip triggers
        cursor.execute(
            MANY.replace(" % 25", " %% 25"), {name: [each.pk for each in rows] for name, rows in ids.items()}
        )
    stage_id = session.stage_id
    ratings_export(actor=boss, kind=ExportKind.STAGE, subject_id=stage_id).content.close()
    tracemalloc.start()
    try:
        file = ratings_export(actor=boss, kind=ExportKind.STAGE, subject_id=stage_id)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    with file.content as content:
        assert sum(1 for _ in content) == file.rows + 1
    assert file.rows >= 100_000
    assert file.size > 10_000 * KILOBYTE
    assert peak < 5_000 * KILOBYTE
