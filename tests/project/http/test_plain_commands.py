"""The forms and buttons of a fan on pages without scripts: sent twice, sent with wrong values, and forged."""

import re

import pytest

from apps.accounts.services.accounts import account_create
from apps.competition.models import ProgramEntry
from apps.live.models import SessionComment, SessionReaction
from apps.live.services import comment_add
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.services.submission import ratings_submit
from tests.components.conftest import busy_session_with
from tests.factories import PASSWORD, viewer_of
from tests.project.plain_browser import PlainBrowser
from tests.project.plain_forms import PlainPage, address

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def busy_session():
    """A session with two appearances, the first of them on stage."""
    made = busy_session_with(2)
    made.appearances[0].is_performing = True
    made.appearances[0].save()
    return made


@pytest.fixture
def client(fan):
    """A browser in which the fan has signed in, with CSRF checks."""
    browser = PlainBrowser()
    browser.sign_in("fan@example.org", PASSWORD)
    assert browser.user_id == str(fan.pk)
    return browser.client


def error_of(page, name):
    """Return the error text that describes the field with this name."""
    field = page.one(name=name, **{"aria-invalid": "true"})["attributes"]
    assert "posted-error" in field["aria-describedby"].split()
    return "".join(page.one(id="posted-error")["children"])


def test_comment_is_added_once_and_an_invalid_one_is_kept(client, busy_session):
    page = PlainPage.at(client, f"/sessions/{busy_session.session.pk}?watch=1")
    after = page.send("comment_add", busy_session.session.pk, times=2, content="Bravo")
    assert "Comment added successfully" in after.text
    assert SessionComment.objects.get().content == "Bravo"
    empty = after.fields("comment_add", busy_session.session.pk)
    assert empty["content"] == [""]
    assert empty["from"][0].startswith(f"/sessions/{busy_session.session.pk}?watch=1")
    wrong = after.send("comment_add", busy_session.session.pk, content="\n<b>" + "a" * 500)
    assert error_of(wrong, "content") == "Please write at most 500 characters."
    assert wrong.fields("comment_add", busy_session.session.pk)["content"] == ["\n<b>" + "a" * 500]
    assert SessionComment.objects.count() == 1


def test_own_comment_is_deleted_after_a_confirmation(client, fan, busy_session):
    other = account_create(email="other@example.org", password=PASSWORD, username="other_1")
    session_id = busy_session.session.pk
    mine, theirs = (comment_add(actor=viewer_of(u), session_id=session_id, content=u.username) for u in (fan, other))
    page = PlainPage.at(client, f"/sessions/{busy_session.session.pk}")
    assert "hidden" in page.one(formaction=address("comment_delete", theirs.pk))["attributes"]
    question = page.press("comment_delete", mine.pk, times=2)
    assert "Delete the comment “" in question.text
    done = question.send("comment_delete", mine.pk, times=2)
    assert "Comment deleted successfully" in done.text
    assert SessionComment.objects.get() == theirs


def test_rating_is_submitted_once_and_an_invalid_one_is_kept(client, fan, busy_session):
    appearance = busy_session.appearances[0]
    piece = ProgramEntry.objects.filter(appearance=appearance)[0].piece_id
    marks = {f"piece-{piece}": "19", "score": "4", "quick_rating": "other"}
    page = PlainPage.at(client, f"/participants/{appearance.participant_id}")
    wrong = page.send("ratings_submit", appearance.pk, **marks, comment="")
    assert not PerformanceRating.objects.exists()
    assert "message--bad" in wrong.html
    kept = wrong.fields("ratings_submit", appearance.pk)
    assert {name: kept[name] for name in marks} == {name: [value] for name, value in marks.items()}
    done = wrong.send("ratings_submit", appearance.pk, times=2, comment="Alive")
    assert "message--good" in done.html, done.text
    assert (PerformanceRating.objects.get().comment, PieceRating.objects.get().score) == ("Alive", 19)
    assert done.fields("ratings_submit", appearance.pk)["comment"] == ["Alive"]
    again = done.send("ratings_submit", appearance.pk, comment="a" * 5001, score="2")
    field = again.one(name="comment", **{"aria-invalid": "true"})["attributes"]
    assert "".join(again.one(id=field["aria-describedby"])["children"]) == "Please write at most 2000 characters."
    kept = again.fields("ratings_submit", appearance.pk)
    assert (kept["comment"], kept["score"], kept[f"piece-{piece}"]) == (["a" * 5001], ["2"], ["19"])
    assert PerformanceRating.objects.get().comment == "Alive"


def test_recommendation_is_set_once_on_the_open_tab(client, busy_session):
    appearance = busy_session.appearances[0]
    path, up = f"/participants/{appearance.participant_id}?tab=statistics", f"{appearance.pk}:up"
    done = PlainPage.at(client, path).press("recommendation_set", up, times=2)
    assert AdvanceRecommendation.objects.get().recommendation == "up"
    assert done.one(formaction=address("recommendation_set", up))["attributes"]["aria-pressed"] == "true"
    assert done.button("recommendation_set", up)["from"][0].startswith(path)


@pytest.mark.parametrize("where", ["/participants/{id}?tab=ratings", "/profile?tab=ratings"])
def test_own_marks_and_ratings_are_deleted_after_a_confirmation(client, fan, busy_session, where):
    appearance = busy_session.appearances[0]
    pieces = [entry.piece_id for entry in ProgramEntry.objects.filter(appearance=appearance)]
    rating = {"appearance_id": appearance.pk, "pieces": dict.fromkeys(pieces, 19), "score": 4}
    ratings_submit(actor=viewer_of(fan), **rating, comment="Alive", quick_rating="")
    PerformanceRating.objects.update(approved=True)
    PieceRating.objects.update(approved=True)
    mark = PieceRating.objects.earliest("pk")
    page = PlainPage.at(client, where.format(id=appearance.participant_id))
    question = page.press("mark_delete", f"piece:{mark.pk}")
    assert "Delete the rating “" in question.text
    done = question.send("mark_delete", f"piece:{mark.pk}", times=2)
    assert "Rating deleted successfully" in done.text
    assert (PieceRating.objects.count(), PerformanceRating.objects.count()) == (len(pieces) - 1, 1)
    question = done.press("rating_delete", f"{appearance.pk}:{fan.pk}")
    assert "All its marks and the comment will be gone for everybody." in question.text
    done = question.send("rating_delete", f"{appearance.pk}:{fan.pk}", times=2)
    assert "Rating deleted successfully" in done.text
    assert not PieceRating.objects.exists()
    assert not PerformanceRating.objects.exists()


def test_reaction_is_counted_once_per_page(client, busy_session):
    heart = f"{busy_session.session.pk}:heart"
    once = PlainPage.at(client, f"/sessions/{busy_session.session.pk}").press("reaction_add", heart, times=2)
    assert SessionReaction.objects.get().type == "heart"
    twice = once.press("reaction_add", heart)
    assert SessionReaction.objects.count() == 2
    busy_session.session.is_live = False
    busy_session.session.save()
    assert "Reactions are open while the session is live." in twice.press("reaction_add", heart).text


def test_anonymous_page_has_no_token_and_redirects_to_sign_in(busy_session):
    browser = PlainBrowser()
    page = PlainPage.at(browser.client, f"/sessions/{busy_session.session.pk}")
    assert not re.search(r"csrfmiddlewaretoken|name=\"key\"", page.html)
    heart = f"{busy_session.session.pk}:heart"
    answer = browser.client.post(address("reaction_add", heart), page.button("reaction_add", heart))
    assert answer["Location"] == f"/login?next=%2Fsessions%2F{busy_session.session.pk}"
