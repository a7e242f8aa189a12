"""Test that each write of an object updates its search entry in the same transaction."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import F

from apps.accounts.actors import OPERATOR
from apps.accounts.services.accounts import account_delete
from apps.community.models import ReportCase
from apps.community.services.posts import post_add, post_comment_add, post_delete, posts_hide
from apps.community.services.report_expiry import reports_show_again
from apps.community.services.report_moderation import report_decision_undo, reports_decide
from apps.competition.models import Piece
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.participants import (
    NewParticipant,
    NewPiece,
    participant_create,
    participant_delete,
    participant_update,
    participants_add,
    participants_remove,
    pieces_add,
    pieces_remove,
)
from apps.competition.services.pieces import piece_add, piece_delete, piece_update
from apps.competition.services.session_series import Series, session_series_create, session_series_undo
from apps.competition.services.sessions import session_create, session_delete, session_update
from apps.competition.services.stages import stage_create, stage_delete, stage_move, stage_update
from apps.core.database.fields import database_now
from apps.demo.competition import competition_load
from apps.demo.dates import Dates, dates_move, demo_remember
from apps.news.models import BlogPost
from apps.news.services import post_create, post_update, posts_publish_due
from apps.news.services import post_delete as article_delete
from apps.search.enums import Kind
from apps.search.models import SearchEntry
from apps.search.services import entries_rebuild
from tests.apps.community.reporting import POST, case_of, report, seen
from tests.apps.search.places import titles
from tests.factories import PASSWORD, AdminFactory, BlogPostFactory, MemberFactory, PostFactory, viewer_of

pytestmark = pytest.mark.django_db
NAMES = {"first_name": "Jan", "second_name": "Kałduński", "country": "Poland", "biography": "Grew up in Gdynia."}


@pytest.fixture(autouse=True)
def table_is_complete():
    """Require after each test that a rebuild changes no entry."""
    yield
    for counts in entries_rebuild():
        assert (counts.missing, counts.different, counts.superfluous) == (0, 0, 0), counts.kind


def entries(kind: Kind) -> int:
    return SearchEntry.objects.filter(kind=kind.value).count()


def test_participant_is_a_hit_from_creation_to_deletion():
    created = participant_create(actor=OPERATOR, **NAMES)
    assert titles("kaldunski gdynia") == ["Jan Kałduński"]
    changed = {**NAMES, "second_name": "Nowak", "birth_year": None, "avatar_url": "", "featured": True}
    participant_update(actor=OPERATOR, participant_id=created.pk, **changed)
    assert (titles("kaldunski"), titles("nowak")) == ([], ["Jan Nowak"])
    participant_delete(actor=OPERATOR, participant_id=created.pk)
    assert titles("nowak") == []


def test_import_of_84_participants_takes_eleven_queries(django_assert_max_num_queries):
    people = [NewParticipant(f"First{n}", f"Last{n}", "Poland", "Text", "", start_number=n) for n in range(1, 85)]
    with django_assert_max_num_queries(11):  # one for their pianos, one for the lock
        added = participants_add(actor=OPERATOR, participants=people, stage="Stage I", on=database_now().date())
    assert (entries(Kind.PARTICIPANT), titles("last42")) == (84, ["First42 Last42"])
    participants_remove(actor=OPERATOR, versions=dict(added))
    assert entries(Kind.PARTICIPANT) == 0


def test_catalogue_and_imported_pieces_are_hits():
    added = catalogue_load()
    assert added == entries(Kind.PIECE) == Piece.objects.count() > 214
    ids = pieces_add(actor=OPERATOR, pieces=[NewPiece("mazurek", "Mazurka of a pupil", "", "", "", "", None)])
    assert titles("of a pupil") == ["Mazurka of a pupil"]
    pieces_remove(actor=OPERATOR, piece_ids=ids)
    assert titles("of a pupil") == []


def test_piece_is_a_hit_by_its_parts_and_other_names():
    created = piece_add(actor=OPERATOR, category="etiuda_a", name="Etude Op. 10 No. 12 in C minor")
    assert titles("rewolucyjna") == [titles("10/12")[0]]
    piece_update(actor=OPERATOR, piece_id=created.pk, category="etiuda_a", name="A study of my own")
    assert (titles("rewolucyjna"), titles("own study")) == ([], ["A study of my own"])
    piece_delete(actor=OPERATOR, piece_id=created.pk)
    assert Piece.objects.count() == entries(Kind.PIECE) == 0


def test_session_is_a_hit_by_the_present_stage_name():
    stage, other = (stage_create(actor=OPERATOR, name=name) for name in ("Heats", "Repechage"))
    at = database_now()
    created = session_create(
        actor=OPERATOR, title="Morning", starts_at=at, description="Five études", stage_id=stage.pk
    )
    assert titles("heats") == ["Heats", "Morning"]
    stage_update(actor=OPERATOR, stage_id=stage.pk, name="Opening Round")
    assert (titles("heats"), titles("opening")) == ([], ["Opening Round", "Morning"])
    stage_move(actor=OPERATOR, stage_id=stage.pk, direction="down")
    changed = {"title": "Evening", "starts_at": at + timedelta(days=40), "description": "", "youtube_id": ""}
    session_update(actor=OPERATOR, session_id=created.pk, stage_id=other.pk, **changed)
    assert (titles("opening"), titles("repechage evening"), titles("etudes")) == (["Opening Round"], ["Evening"], [])
    session_delete(actor=OPERATOR, session_id=created.pk)
    stage_delete(actor=OPERATOR, stage_id=stage.pk)
    assert (entries(Kind.SESSION), entries(Kind.STAGE)) == (0, 1)


def test_session_series_and_its_undo_update_entries():
    stage = stage_create(actor=OPERATOR, name="Heats")
    series = Series(lines="2030-10-03 10:00\n2030-10-04 10:00", description="")
    created = session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series, confirmed=True)
    assert entries(Kind.SESSION) == len(created) == 2
    session_series_undo(actor=OPERATOR, session_id=created[0])
    assert entries(Kind.SESSION) == 0


def test_draft_is_a_public_hit_while_published():
    text = {"title": "Notes on tuners", "excerpt": "Questions to them", "content": "This is not *certain* yet."}
    created = post_create(actor=OPERATOR, **text)
    assert (titles("tuners"), titles("certain", is_administrator=True)) == ([], ["Notes on tuners"])
    saved = {**text, "title": "Tuners", "image_url": ""}
    post_update(actor=OPERATOR, post_id=created.pk, **saved, is_published=True)
    assert titles("certain") == ["Tuners"]
    post_update(actor=OPERATOR, post_id=created.pk, **saved, is_published=False)
    assert titles("certain") == []
    BlogPost.objects.filter(pk=created.pk).update(publish_at=database_now() - timedelta(hours=1))
    posts_publish_due()
    assert titles("certain") == ["Tuners"]
    article_delete(actor=OPERATOR, post_id=created.pk)
    assert titles("certain", is_administrator=True) == []


def test_post_is_a_hit_until_it_is_hidden_or_deleted():
    author = viewer_of(MemberFactory(username="halina_k"))
    created = post_add(actor=author, content="The pillar hides the keyboard from my seat.")
    assert len(titles("pillar")) == 1
    posts_hide(ids=[created.pk], hidden=True)
    assert (titles("pillar"), len(titles("pillar", is_administrator=True))) == ([], 1)
    posts_hide(ids=[created.pk], hidden=False)
    assert len(titles("pillar")) == 1
    assert titles("halina_k") == []
    account_delete(actor=author, password=PASSWORD)
    assert (len(titles("pillar")), titles("halina_k", is_administrator=True)) == (1, [])
    post_delete(actor=viewer_of(AdminFactory()), post_id=created.pk)
    assert titles("pillar", is_administrator=True) == []


def test_reported_post_is_a_hit_again_after_a_day_or_an_undo(admin):
    created = post_add(actor=viewer_of(MemberFactory()), content="Buy cheap tickets.")
    for _ in range(3):
        report(POST, created)
    assert titles("tickets") == []
    ReportCase.objects.update(updated_at=F("updated_at") - timedelta(days=2))
    assert (reports_show_again(), titles("tickets")) == (1, ["Buy cheap tickets."])
    decided = reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, created)))
    assert titles("tickets") == []
    report_decision_undo(actor=admin, decision_id=decided.id)
    assert titles("tickets") == ["Buy cheap tickets."]


def test_comment_writes_no_entry():
    post = PostFactory()
    entries_rebuild()
    before = SearchEntry.objects.values_list("changed_at", flat=True).get()
    post_comment_add(actor=viewer_of(MemberFactory()), post_id=post.pk, content="So it is.")
    assert SearchEntry.objects.values_list("changed_at", flat=True).get() == before


def test_article_entry_omits_a_deleted_author():
    author, _ = AdminFactory(username="halina_k"), AdminFactory()
    BlogPostFactory(author=author, title="Four pianos")
    entries_rebuild()
    account_delete(actor=viewer_of(author), password=PASSWORD)
    assert titles("halina_k", is_administrator=True) == []


def test_rollback_leaves_no_entry():
    with transaction.atomic():
        participant_create(actor=OPERATOR, **NAMES)
        transaction.set_rollback(True)
    assert titles("kaldunski") == []


def test_demo_and_its_moved_dates_update_entries():
    competition_load()
    demo_remember()
    assert entries(Kind.PIECE) == Piece.objects.count() > 214
    details = SearchEntry.objects.filter(kind=Kind.SESSION.value).values_list("detail", flat=True)
    before = set(details)
    assert dates_move(now=database_now() + timedelta(days=3)) == Dates.MOVED
    assert before.isdisjoint(set(details.all()))


def test_database_refuses_invalid_entries():
    values = {"is_public": True, "weight": 0, "title": "A", "folded": "|", "words": ""}
    SearchEntry.objects.create(kind="piece", object_id=1, **values)
    for kind, title, constraint in (
        ("piece", "A", "found_once"),
        ("mark", "A", "search_kind_known"),
        ("stage", "", "search_title_written"),
    ):
        with pytest.raises(Exception, match=constraint), transaction.atomic():
            SearchEntry.objects.create(kind=kind, object_id=1, **values | {"title": title})
    SearchEntry.objects.all().delete()
