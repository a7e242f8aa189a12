"""The forms and buttons of an administrator on pages without scripts, each sent twice."""

from urllib.parse import unquote

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import User
from apps.competition.models import Participant, Piece, ProgramEntry, Session
from apps.competition.selectors.public.sessions import live_now
from apps.imports.models import ParticipantImport
from apps.news.models import BlogPost
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.deciding import deciding_set
from tests.apps.imports.participant_files import file_of
from tests.components.conftest import busy_session_with
from tests.factories import (
    AdminFactory,
    BlogPostFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    SessionFactory,
    viewer_of,
)
from tests.project.accounts.profile.posting import shown
from tests.project.plain_forms import PlainPage
from tests.reading import walk
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client():
    """A browser without scripts in which an administrator is signed in, with CSRF checks."""
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.SESSION_COOKIE_NAME] = session_cookie(AdminFactory()).partition("=")[2]
    return client


def press_and_confirm(page, command, argument):
    """Press a button that asks for confirmation, and confirm."""
    return page.press(command, argument).send(command, argument, times=2)


def test_article_is_created_once_updated_and_deleted(client):
    page = PlainPage.at(client, "/admin/blog?mode=create")
    wrong = page.send("post_create", title="", content="Four pianos wait.", excerpt="Four.")
    assert not BlogPost.objects.exists()
    assert wrong.fields("post_create")["content"] == ["Four pianos wait."]
    done = wrong.send("post_create", times=2, title="Four pianos", content="Four pianos wait.", excerpt="Four.")
    assert "Post created successfully" in done.text
    post = BlogPost.objects.get()
    edit = PlainPage.at(client, f"/admin/blog?mode=edit&id={post.pk}")
    assert "Post updated successfully" in edit.send("post_update", post.pk, title="Five pianos").text
    assert BlogPost.objects.get().title == "Five pianos"
    gone = press_and_confirm(PlainPage.at(client, "/admin/blog"), "post_delete", post.pk)
    assert "Post deleted successfully" in gone.text
    assert not BlogPost.objects.exists()


def test_list_keeps_its_search_after_a_deletion(client):
    kept, goes = BlogPostFactory(title="Kept strings"), BlogPostFactory(title="Lost strings")
    gone = press_and_confirm(PlainPage.at(client, "/admin/blog?q=strings"), "post_delete", goes.pk)
    assert gone.button("post_delete", kept.pk)["from"][0].startswith("/admin/blog?q=strings")
    assert list(BlogPost.objects.all()) == [kept]


def test_participant_is_created_once_and_updated(client):
    page = PlainPage.at(client, "/admin/participants?mode=create")
    values = {"first_name": "Ewa", "second_name": "Nowak", "country": "Poland", "biography": "Born in Zamość."}
    done = page.send("participant_create", times=2, **values)
    assert "Participant created successfully" in done.text
    person = Participant.objects.get()
    edit = PlainPage.at(client, f"/admin/participants?mode=edit&id={person.pk}")
    assert "Participant updated successfully" in edit.send("participant_update", person.pk, country="Japan").text
    assert Participant.objects.get().country == "Japan"


def test_piece_is_added_once_and_deleted(client):
    page = PlainPage.at(client, "/admin/pieces")
    added = page.send("piece_add", times=2, category="nocturn", name="Nocturne in D-flat major, Op. 27 No. 2")
    assert "Piece added successfully" in added.text
    piece = Piece.objects.get()
    assert "Piece deleted successfully" in press_and_confirm(added, "piece_delete", piece.pk).text
    assert not Piece.objects.exists()


def test_live_session_is_run_and_a_step_undone(client):
    busy_session = busy_session_with(2)
    Session.objects.update(is_live=False)
    page = PlainPage.at(client, "/admin/sessions")
    live = page.press("session_set_live", busy_session.session.pk, times=2)
    assert Session.objects.get(is_live=True) == busy_session.session
    _, second = busy_session.appearances
    on = live.press("performer_set", second.pk, times=2)
    assert live_now().participant_id == second.participant_id
    actions = [form["attributes"].get("action", "") for form in on.all(method="post")]
    undo = next(action for action in actions if "live_restore" in action)
    back = on.send("live_restore", unquote(undo.partition("argument=")[2]))
    assert live_now() is None
    assert press_and_confirm(back, "session_end", busy_session.session.pk).text
    assert not Session.objects.filter(is_live=True).exists()


def test_session_is_created_once_and_updated_with_its_order(client):
    busy_session = busy_session_with(2)
    page = PlainPage.at(client, f"/admin/sessions?mode=edit&id={busy_session.session.pk}")
    done = page.send("session_update", busy_session.session.pk, times=2, title="Another evening")
    assert "Session updated successfully" in done.text
    order = busy_session.session.appearances.order_by("order_number").values_list("pk", flat=True)
    assert Session.objects.get().title == "Another evening"
    assert list(order) == [appearance.pk for appearance in busy_session.appearances]
    new = PlainPage.at(client, "/admin/sessions?mode=create").send(
        "session_create", times=2, title="Final", date="2027-10-12", time="17:00"
    )
    assert "Session created successfully" in new.text
    assert Session.objects.filter(title="Final").count() == 1


def test_default_avatars_are_set(client):
    page = PlainPage.at(client, "/admin?tab=avatars")
    done = page.send("default_avatars_set", times=2, user_avatar_url="https://example.org/a.png")
    assert done.fields("default_avatars_set")["user_avatar_url"] == ["https://example.org/a.png"]


def test_session_is_deleted_after_a_confirmation(client):
    session = SessionFactory(title="Final")
    gone = press_and_confirm(PlainPage.at(client, "/admin/sessions"), "session_delete", session.pk)
    assert "Session deleted successfully" in gone.text
    assert not Session.objects.exists()


def test_piece_is_selected_once_for_a_program(client):
    busy_session = busy_session_with(1)
    ProgramEntry.objects.all().delete()
    appearance = busy_session.appearances[0]
    piece = Piece.objects.order_by("pk").first()
    place = f"/admin/programs?session={busy_session.session.pk}&appearance={appearance.pk}&slot={piece.category}"
    PlainPage.at(client, place).press("program_select", f"{appearance.pk}:{piece.pk}", times=2)
    assert [entry.piece_id for entry in ProgramEntry.objects.all()] == [piece.pk]


@pytest.mark.parametrize("both", [True, False])
def test_ratings_are_approved_singly_and_together(client, both):
    deciding_set(actor=viewer_of(User.objects.get()), kind=RatingKind.PIECE, both=both)
    appearance = busy_session_with(1).appearances[0]
    whole = PerformanceRatingFactory(appearance=appearance, comment="The silences.")
    marks = [PieceRatingFactory(user=whole.user, entry=entry) for entry in appearance.program.all()]
    page = PlainPage.at(client, "/admin?q=silences")
    buttons = [button["attributes"] for button in page.all(form="do")]
    arguments = [own["data-argument"] for own in buttons if "/do/rating_decide" in own["formaction"]]
    approve = [argument for argument in arguments if argument.startswith("approve")]
    single = [argument for argument in approve if f":{marks[0].pk}:" in argument]
    assert len(approve) == len(marks) + 2  # each mark, the overall rating, and all together
    after = page.press("rating_decide", single[0], times=2)
    assert [mark.approved for mark in PieceRating.objects.order_by("pk")] == [True] + [False] * (len(marks) - 1)
    labels = ("Approve both", "Approve the rating by")
    buttons = [button["attributes"] for button in after.all(form="do")]
    together = next(own for own in buttons if own.get("aria-label", "").startswith(labels))
    done = after.press("rating_decide", together["data-argument"], times=2)
    assert all(PieceRating.objects.values_list("approved", flat=True))
    assert list(PerformanceRating.objects.values_list("approved", flat=True)) == [both]
    assert "approved" in done.text
    assert done.one(id="do")


def test_participant_file_is_imported_and_undone(client):
    page = PlainPage.at(client, "/admin/import")
    form = page.one(action="/participant-file")
    token = next(node for node in walk(form) if node.get("attributes", {}).get("name") == "csrfmiddlewaretoken")
    rows = ("Zofia|Nowak|Poland|Humoresque in E-flat major, Op. 116||||", "Ewa|Łęcka|Poland|||||")
    upload = SimpleUploadedFile("late.csv", file_of(*rows, encoding="windows-1250"))
    answer = client.post("/participant-file", {"csrfmiddlewaretoken": token["attributes"]["value"], "file": upload})
    page = PlainPage(client, shown(client, answer))
    file = ParticipantImport.objects.get()
    assert "This is a guess" in page.text
    page = page.send("import_read_again", file.pk, encoding="windows-1252")
    assert "£êcka" in page.text
    page = page.send("import_read_again", file.pk, encoding="windows-1250")
    page = page.send("import_category_set", f"{file.pk}:1:1", category="mazurek")
    done = page.press("import_save", file.pk, times=2)
    assert "Successfully loaded 2 participants" in done.text
    assert Participant.objects.count() == 2
    assert "Taken back: 2 participants, 1 piece." in press_and_confirm(done, "import_undo", file.pk).text
    assert not Participant.objects.exists()
