"""Forms that are posted without scripts after the session has ended are kept for the account that typed them."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client

from apps.accounts.models import AuthSession, FormAnswer, User
from apps.accounts.services.accounts import account_create
from apps.accounts.services.profile import ANSWERS_MOST, answer_keep, answers_prune
from apps.community.enums import ReportKind
from apps.community.models import Post, PostComment, Report
from apps.competition.models import ProgramEntry
from apps.live.models import SessionComment
from apps.news.models import BlogPost
from apps.ratings.models import PerformanceRating
from components.parts.reporting import report_address
from project.http.middleware import public_origin
from tests.components.conftest import busy_session_with
from tests.factories import PASSWORD, AdminFactory, BlogPostFactory, PostFactory, UserFactory
from tests.project.accounts.profile.posting import seen
from tests.project.plain_browser import PlainBrowser
from tests.project.plain_forms import PlainPage, address
from tests.reading import readable, walk
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
KEPT = "You were signed out before this was sent. What you typed is in its form again"


def browser_of(user: User, client: Client | None = None) -> Client:
    """Return a browser without scripts in which this account has signed in, and whose posts need a CSRF token."""
    client = client or Client(enforce_csrf_checks=True)
    client.cookies[settings.SESSION_COOKIE_NAME] = session_cookie(user).partition("=")[2]
    return client


def expire() -> None:
    AuthSession.objects.update(expire_date=F("expire_date") - timedelta(days=60))


def end_elsewhere() -> None:
    AuthSession.objects.all().delete()


def posted(page: PlainPage, command: str, argument: str | int = "", **typed: str) -> str:
    """Post a form of a page that was opened before, and return the redirect."""
    fields = page.fields(command, argument) | {name: [value] for name, value in typed.items()}
    answer = page.client.post(address(command, argument), fields)
    assert answer.status_code == 303
    return str(answer["Location"])


def onward(location: str) -> str:
    """Return the address to which the sign-in redirects."""
    assert urlsplit(location).path == "/login"
    return parse_qs(urlsplit(location).query)["next"][0]


def the_post(fan):
    return "post_add", "", "/community", {"content": "Who played the étude?"}


def the_comment(fan):
    post = PostFactory()
    return "post_comment_add", post.pk, f"/community?post={post.pk}", {"content": "I did."}


def the_session_comment(fan):
    session = busy_session_with(1).session
    return "comment_add", session.pk, f"/sessions/{session.pk}", {"content": "Bravo"}


def the_rating(fan):
    appearance = busy_session_with(1, is_live=False).appearances[0]
    piece = ProgramEntry.objects.filter(session_participant=appearance)[0].piece_id
    path = f"/participants/{appearance.participant_id}?open={appearance.pk}"
    return "ratings_submit", appearance.pk, path, {f"piece-{piece}": "19", "score": "4", "comment": "A voice."}


def the_report(fan):
    post = PostFactory(content="Buy strings here")
    return (
        "report_add",
        f"post:{post.pk}",
        report_address(ReportKind.POST, post.pk),
        {"words": "It advertises."},
    )


def the_article(fan):
    fan.is_admin = True
    fan.save()
    return "post_create", "", "/admin/blog?mode=create", {"title": "Four pianos", "content": "They wait."}


def the_article_edited(fan):
    fan.is_admin = True
    fan.save()
    post = BlogPostFactory(title="Four pianos")
    return "post_update", post.pk, f"/admin/blog?mode=edit&id={post.pk}", {"title": "Five pianos"}


def the_program(fan):
    fan.is_admin = True
    fan.save()
    return "program_import", "", "/admin/program-import", {"text": "Ballade No. 1", "do": "read"}


FORMS = [
    the_post,
    the_comment,
    the_session_comment,
    the_rating,
    the_report,
    the_article,
    the_article_edited,
    the_program,
]


def nothing_stored() -> bool:
    written = [Post.objects.filter(content__startswith="Who"), BlogPost.objects.filter(title="Five pianos")]
    given = [PostComment.objects, SessionComment.objects, PerformanceRating.objects, Report.objects]
    return not any(each.exists() for each in written + given)


@pytest.mark.parametrize("end", [expire, end_elsewhere])
@pytest.mark.parametrize("made", FORMS)
def test_what_was_typed_is_in_its_form_again_after_the_sign_in(made, end):
    fan = UserFactory()
    command, argument, path, typed = made(fan)
    client = browser_of(fan)
    page = PlainPage.at(client, path)
    end()
    there = onward(posted(page, command, argument, **typed))
    assert nothing_stored()
    again = PlainPage.at(browser_of(fan, client), there)
    assert KEPT in again.text
    fields = again.fields(command, argument)
    shown = {name: fields[name] for name in typed if name != "do"}
    assert shown == {name: [value] for name, value in typed.items() if name != "do"}


def test_it_goes_through_the_whole_sign_in_and_is_sent_then():
    fan = account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")
    session = busy_session_with(1).session
    browser = PlainBrowser()
    client = browser_of(fan, browser.client)
    page = PlainPage.at(client, f"/sessions/{session.pk}")
    end_elsewhere()
    answer = browser.sign_in(fan.email, PASSWORD, posted(page, "comment_add", session.pk, content="Bravo"))
    assert answer.status == 302
    again = PlainPage.at(client, answer.to)
    assert again.fields("comment_add", session.pk)["content"] == ["Bravo"]
    done = again.send("comment_add", session.pk)
    assert "Comment added successfully" in done.text
    assert SessionComment.objects.get().content == "Bravo"


def test_no_other_account_reads_it():
    fan, other = UserFactory(), UserFactory()
    client = browser_of(fan)
    page = PlainPage.at(client, "/community")
    end_elsewhere()
    there = onward(posted(page, "post_add", content="Only mine"))
    html = seen(browser_of(other, client), there)
    assert "Only mine" not in html
    assert KEPT not in html
    del client.cookies[settings.CSRF_COOKIE_NAME]  # as a sign-in does
    seen(client, "/community")
    answer = client.post(address("post_add"), page.fields("post_add") | {"content": ["Mine too"]})
    assert answer.status_code == 403
    assert not Post.objects.exists()
    assert "Mine too" not in seen(client, "/community")


def as_another(client: Client, page: PlainPage, path: str, fields: dict) -> PlainPage:
    """Return the answer to a post from a page that was opened by the previously signed-in account."""
    del client.cookies[settings.CSRF_COOKIE_NAME]  # as a sign-in does
    seen(client, "/community")
    answer = client.post(path, fields)
    assert answer.status_code == 403
    return PlainPage(client, answer.content.decode())


def test_a_post_below_another_account_leads_to_the_sign_in_of_the_one_that_typed():
    fan = account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")
    browser = PlainBrowser()
    client = browser_of(fan, browser.client)
    page = PlainPage.at(client, "/community")
    end_elsewhere()
    browser_of(UserFactory(), client)
    refused = as_another(client, page, address("post_add"), page.fields("post_add") | {"content": ["Mine too"]})
    assert "Another account is signed in" in refused.text
    assert "Nothing was sent or changed. What was typed is kept for the account that typed it" in refused.text
    assert not {word for word in ("Mine too", "fan_of_g", "fan@example.org") if word in refused.html}
    (form,) = [each for each in refused.all(action="/sign-out") if "Sign out and sign in" in readable(each)]
    onward_path = next(each["attributes"]["value"] for each in walk(form) if each["attributes"].get("name") == "next")
    out = client.post("/sign-out", {"next": onward_path}, headers={"Origin": public_origin()})
    assert (out.status_code, urlsplit(out["Location"]).path) == (302, "/login")
    there = browser.sign_in(fan.email, PASSWORD, out["Location"]).to
    again = PlainPage.at(client, there)
    assert again.fields("post_add")["content"] == ["Mine too"]
    again.send("post_add")
    assert (Post.objects.get().content, Post.objects.get().user_id) == ("Mine too", fan.pk)


def test_settings_posted_below_another_account_lead_there_too():
    client = browser_of(UserFactory())
    page = PlainPage.at(client, "/profile")
    hidden = hidden_of(page)
    browser_of(UserFactory(), client)
    refused = as_another(client, page, "/profile/settings", {**hidden, "username": "fan_of_f", "avatar_url": ""})
    assert "Another account is signed in" in refused.text
    assert "fan_of_f" not in refused.html


@pytest.mark.parametrize("onward_path", ["", "https://example.org/", "//example.org", "/\\example.org"])
def test_a_sign_out_leads_to_no_other_site(onward_path):
    answer = browser_of(UserFactory()).post("/sign-out", {"next": onward_path}, headers={"Origin": public_origin()})
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_a_page_older_than_the_sign_in_keeps_it_too():
    fan = UserFactory()
    client = browser_of(fan)
    page = PlainPage.at(client, "/community")
    del client.cookies[settings.CSRF_COOKIE_NAME]  # another window has signed in again
    seen(client, "/community")
    there = posted(page, "post_add", content="Who played the étude?")
    assert urlsplit(there).path == "/community"
    again = PlainPage.at(client, there)
    assert not Post.objects.exists()
    assert again.fields("post_add")["content"] == ["Who played the étude?"]
    again.send("post_add")
    assert Post.objects.get().content == "Who played the étude?"


@pytest.mark.parametrize("typed_by", ["", "5", "5:forged", "x" * 200])
def test_nothing_is_kept_without_the_sign_of_this_site(typed_by):
    client = browser_of(UserFactory())
    page = PlainPage.at(client, "/community")
    end_elsewhere()
    assert onward(posted(page, "post_add", content="Who?", typed_by=typed_by)) == "/community"
    assert not FormAnswer.objects.exists()


def test_a_closed_account_keeps_nothing():
    fan = UserFactory()
    page = PlainPage.at(browser_of(fan), "/community")
    end_elsewhere()
    User.objects.update(is_active=False)
    assert onward(posted(page, "post_add", content="Who?")) == "/community"


def test_no_password_is_kept_and_no_yes_to_a_question():
    page = PlainPage.at(browser_of(UserFactory()), "/community")
    end_elsewhere()
    posted(page, "post_add", content="Who?", password="secret", password1="secret", sure="1", confirmed="1")
    assert FormAnswer.objects.get().data["values"] == {"content": "Who?", "image_url": ""}


def test_a_button_keeps_nothing():
    session = busy_session_with(1).session
    page = PlainPage.at(browser_of(UserFactory()), f"/sessions/{session.pk}")
    end_elsewhere()
    fields = page.button("reaction_add", f"{session.pk}:heart")
    assert onward(page.client.post(address("reaction_add", f"{session.pk}:heart"), fields)["Location"]) == (
        f"/sessions/{session.pk}"
    )
    assert not FormAnswer.objects.exists()


def test_of_an_account_the_newest_answers_stay_for_a_day():
    fan, other = UserFactory(), AdminFactory()
    answer_keep(user_id=other.pk, form="command", data={})
    kept = [answer_keep(user_id=fan.pk, form="command", data={"n": n}) for n in range(ANSWERS_MOST + 2)]
    assert set(FormAnswer.objects.filter(user=fan).values_list("pk", flat=True)) == set(kept[2:])
    FormAnswer.objects.update(created_at=F("created_at") - timedelta(hours=23))
    assert answers_prune() == 0
    FormAnswer.objects.update(created_at=F("created_at") - timedelta(hours=2))
    assert answers_prune() == ANSWERS_MOST + 1


def hidden_of(page: PlainPage) -> dict[str, str]:
    """Return the hidden inputs of the settings form."""
    inputs = [each["attributes"] for each in page.one(action="/profile/settings")["children"] if "attributes" in each]
    return {each["name"]: each["value"] for each in inputs if each.get("type") == "hidden"}


@pytest.mark.parametrize("end", [expire, end_elsewhere])
def test_the_settings_of_a_profile_are_typed_again_too(end):
    fan = UserFactory(username="fan_of_g")
    client = browser_of(fan)
    page = PlainPage.at(client, "/profile")
    hidden = hidden_of(page)
    typed = {"username": "fan_of_f", "avatar_url": "https://example.org/me.png", "password1": "secret-7", "version": ""}
    end()
    answer = client.post("/profile/settings", {**hidden, **typed})
    there = onward(answer["Location"])
    assert "secret-7" not in str(FormAnswer.objects.get().data)
    again = PlainPage.at(browser_of(fan, client), there)
    assert KEPT in again.text
    assert again.one(name="username")["attributes"]["value"] == "fan_of_f"
    assert again.one(name="avatar_url")["attributes"]["value"] == "https://example.org/me.png"
    fan.refresh_from_db()
    assert fan.username == "fan_of_g"


def test_a_profile_older_than_the_sign_in_keeps_them_too():
    fan = UserFactory(username="fan_of_g")
    client = browser_of(fan)
    page = PlainPage.at(client, "/profile")
    hidden = hidden_of(page)
    del client.cookies[settings.CSRF_COOKIE_NAME]
    seen(client, "/profile")
    answer = client.post("/profile/settings", {**hidden, "username": "fan_of_f", "avatar_url": "", "version": ""})
    assert answer.status_code == 303
    again = PlainPage.at(client, answer["Location"].partition("#")[0])
    assert again.one(name="username")["attributes"]["value"] == "fan_of_f"
