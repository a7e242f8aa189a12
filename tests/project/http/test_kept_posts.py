"""Forms that are posted without scripts after the session has ended are kept for the account that typed them."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client

from apps.accounts.models import AuthSession, FormAnswer, User
from apps.accounts.services.profile import ANSWERS_MOST, answer_keep, answers_prune
from apps.community.enums import ReportKind
from apps.community.models import Post, PostComment, Report
from apps.competition.models import ProgramEntry, Session
from apps.live.models import SessionComment
from apps.news.models import BlogPost
from apps.ratings.models import PerformanceRating
from components.parts.reporting import report_address
from project.http.middleware import public_origin
from tests.components.conftest import busy_session_with
from tests.factories import PASSWORD, AdminFactory, BlogPostFactory, PostFactory, UserFactory
from tests.offenders import check_each
from tests.project.accounts.profile.posting import seen
from tests.project.plain_browser import PlainBrowser
from tests.project.plain_forms import PlainPage, address
from tests.reading import readable, walk
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
KEPT = "You were signed out before this was sent. What you typed is in its form again"


def browser_of(user: User, client: Client | None = None) -> Client:
    """Return a browser without scripts in which this account has signed in, with CSRF checks."""
    client = client or Client(enforce_csrf_checks=True)
    client.cookies[settings.SESSION_COOKIE_NAME] = session_cookie(user).partition("=")[2]
    return client


def sessions_expire() -> None:
    AuthSession.objects.update(expire_date=F("expire_date") - timedelta(days=60))


def sign_out_everywhere() -> None:
    AuthSession.objects.all().delete()


def form_post(page: PlainPage, command: str, argument: str | int = "", **values: str) -> str:
    """Post a form of a page that was opened before, and return the redirect."""
    fields = page.fields(command, argument) | {name: [value] for name, value in values.items()}
    answer = page.client.post(address(command, argument), fields)
    assert answer.status_code == 303
    return str(answer["Location"])


def next_of(location: str) -> str:
    """Return the address to which the sign-in redirects."""
    assert urlsplit(location).path == "/login"
    return parse_qs(urlsplit(location).query)["next"][0]


def post_form(fan):
    return "post_add", "", "/community", {"content": "Who played the étude?"}


def comment_form(fan):
    post = PostFactory()
    return "post_comment_add", post.pk, f"/community?post={post.pk}", {"content": "I did."}


def session_comment_form(fan):
    session = Session.objects.first() or busy_session_with(1).session  # that of the rating, if there is one
    Session.objects.update(is_live=True)
    return "comment_add", session.pk, f"/sessions/{session.pk}", {"content": "Bravo"}


def rating_form(fan):
    appearance = busy_session_with(1, is_live=False).appearances[0]
    piece = ProgramEntry.objects.filter(appearance=appearance)[0].piece_id
    path = f"/participants/{appearance.participant_id}?open={appearance.pk}"
    return "ratings_submit", appearance.pk, path, {f"piece-{piece}": "19", "score": "4", "comment": "A voice."}


def report_form(fan):
    post = PostFactory(content="Buy strings here")
    path = report_address(ReportKind.POST, post.pk)
    return "report_add", f"post:{post.pk}", path, {"words": "It advertises."}


def article_form(fan):
    fan.is_admin = True
    fan.save()
    return "post_create", "", "/admin/blog?mode=create", {"title": "Four pianos", "content": "They wait."}


def article_edit_form(fan):
    fan.is_admin = True
    fan.save()
    post = BlogPostFactory(title="Four pianos")
    return "post_update", post.pk, f"/admin/blog?mode=edit&id={post.pk}", {"title": "Five pianos"}


def program_form(fan):
    fan.is_admin = True
    fan.save()
    return "program_import", "", "/admin/program-import", {"text": "Ballade No. 1", "do": "read"}


MEMBER_FORMS = [post_form, comment_form, rating_form, session_comment_form, report_form]
ADMIN_FORMS = [article_form, article_edit_form, program_form]


def is_empty() -> bool:
    written = [Post.objects.filter(content__startswith="Who"), BlogPost.objects.filter(title="Five pianos")]
    others = [PostComment.objects, SessionComment.objects, PerformanceRating.objects, Report.objects]
    return not any(rows.exists() for rows in written + others)


@pytest.mark.parametrize("end", [sessions_expire, sign_out_everywhere])
def test_kept_form_is_filled_in_after_the_sign_in(end):
    def check(form):
        fan = UserFactory()
        command, argument, path, values = form(fan)
        client = browser_of(fan)
        page = PlainPage.at(client, path)
        end()
        target = next_of(form_post(page, command, argument, **values))
        assert is_empty()
        restored = PlainPage.at(browser_of(fan, client), target)
        assert KEPT in restored.text
        fields = restored.fields(command, argument)
        assert {name: fields[name] for name in values if name != "do"} == {
            name: [value] for name, value in values.items() if name != "do"
        }

    check_each([*MEMBER_FORMS, *ADMIN_FORMS], check)


def test_kept_form_is_sent_after_the_sign_in(fan):
    session = busy_session_with(1).session
    browser = PlainBrowser()
    client = browser_of(fan, browser.client)
    page = PlainPage.at(client, f"/sessions/{session.pk}")
    sign_out_everywhere()
    answer = browser.sign_in(fan.email, PASSWORD, form_post(page, "comment_add", session.pk, content="Bravo"))
    assert answer.status == 302
    again = PlainPage.at(client, answer.to)
    assert again.fields("comment_add", session.pk)["content"] == ["Bravo"]
    done = again.send("comment_add", session.pk)
    assert "Comment added successfully" in done.text
    assert SessionComment.objects.get().content == "Bravo"


def test_kept_form_is_shown_only_to_its_author():
    fan, other = UserFactory(), UserFactory()
    client = browser_of(fan)
    page = PlainPage.at(client, "/community")
    sign_out_everywhere()
    target = next_of(form_post(page, "post_add", content="Only mine"))
    html = seen(browser_of(other, client), target)
    assert "Only mine" not in html
    assert KEPT not in html
    del client.cookies[settings.CSRF_COOKIE_NAME]  # as a sign-in does
    seen(client, "/community")
    answer = client.post(address("post_add"), page.fields("post_add") | {"content": ["Mine too"]})
    assert answer.status_code == 403
    assert not Post.objects.exists()
    assert "Mine too" not in seen(client, "/community")


def post_as_another(client: Client, page: PlainPage, path: str, fields: dict) -> PlainPage:
    """Return the answer to a post from a page that was opened by the previously signed-in account."""
    del client.cookies[settings.CSRF_COOKIE_NAME]  # as a sign-in does
    seen(client, "/community")
    answer = client.post(path, fields)
    assert answer.status_code == 403
    return PlainPage(client, answer.content.decode())


def test_form_posted_under_another_account_is_kept_for_its_author(fan):
    browser = PlainBrowser()
    client = browser_of(fan, browser.client)
    page = PlainPage.at(client, "/community")
    sign_out_everywhere()
    browser_of(UserFactory(), client)
    refused = post_as_another(client, page, address("post_add"), page.fields("post_add") | {"content": ["Mine too"]})
    assert "Another account is signed in" in refused.text
    assert "Nothing was sent or changed. What was typed is kept for the account that typed it" in refused.text
    assert not {text for text in ("Mine too", "fan_of_g", "fan@example.org") if text in refused.html}
    (form,) = [form for form in refused.all(action="/sign-out") if "Sign out and sign in" in readable(form)]
    onward_path = next(node["attributes"]["value"] for node in walk(form) if node["attributes"].get("name") == "next")
    out = client.post("/sign-out", {"next": onward_path}, headers={"Origin": public_origin()})
    assert (out.status_code, urlsplit(out["Location"]).path) == (302, "/login")
    target = browser.sign_in(fan.email, PASSWORD, out["Location"]).to
    again = PlainPage.at(client, target)
    assert again.fields("post_add")["content"] == ["Mine too"]
    again.send("post_add")
    assert (Post.objects.get().content, Post.objects.get().user_id) == ("Mine too", fan.pk)


def test_settings_posted_under_another_account_are_refused():
    client = browser_of(UserFactory())
    page = PlainPage.at(client, "/profile")
    hidden = hidden_of(page)
    browser_of(UserFactory(), client)
    refused = post_as_another(client, page, "/profile/settings", {**hidden, "username": "fan_of_f", "avatar_url": ""})
    assert "Another account is signed in" in refused.text
    assert "fan_of_f" not in refused.html


def test_sign_out_redirects_to_no_other_site():
    for target in ("", "https://example.org/", "//example.org", "/\\example.org"):
        answer = browser_of(UserFactory()).post("/sign-out", {"next": target}, headers={"Origin": public_origin()})
        assert (answer.status_code, answer["Location"]) == (302, "/"), target


def test_form_of_a_page_older_than_the_sign_in_is_kept():
    fan = UserFactory()
    client = browser_of(fan)
    page = PlainPage.at(client, "/community")
    del client.cookies[settings.CSRF_COOKIE_NAME]  # another window has signed in again
    seen(client, "/community")
    target = form_post(page, "post_add", content="Who played the étude?")
    assert urlsplit(target).path == "/community"
    again = PlainPage.at(client, target)
    assert not Post.objects.exists()
    assert again.fields("post_add")["content"] == ["Who played the étude?"]
    again.send("post_add")
    assert Post.objects.get().content == "Who played the étude?"


def test_form_without_a_valid_signature_is_not_kept():
    for typed_by in ("", "5", "5:forged", "x" * 200):
        page = PlainPage.at(browser_of(UserFactory()), "/community")
        sign_out_everywhere()
        assert next_of(form_post(page, "post_add", content="Who?", typed_by=typed_by)) == "/community"
        assert not FormAnswer.objects.exists()


def test_form_of_a_closed_account_is_not_kept():
    fan = UserFactory()
    page = PlainPage.at(browser_of(fan), "/community")
    sign_out_everywhere()
    User.objects.update(is_active=False)
    assert next_of(form_post(page, "post_add", content="Who?")) == "/community"


def test_passwords_and_confirmations_are_not_kept():
    page = PlainPage.at(browser_of(UserFactory()), "/community")
    sign_out_everywhere()
    form_post(page, "post_add", content="Who?", password="secret", password1="secret", sure="1", confirmed="1")
    values = FormAnswer.objects.get().data["values"]
    assert values["content"] == "Who?"
    assert {"password", "password1", "sure", "confirmed"} & values.keys() == set()


def test_button_is_not_kept():
    session = busy_session_with(1).session
    page = PlainPage.at(browser_of(UserFactory()), f"/sessions/{session.pk}")
    sign_out_everywhere()
    fields = page.button("reaction_add", f"{session.pk}:heart")
    assert next_of(page.client.post(address("reaction_add", f"{session.pk}:heart"), fields)["Location"]) == (
        f"/sessions/{session.pk}"
    )
    assert not FormAnswer.objects.exists()


def test_newest_answers_of_an_account_are_kept_for_a_day():
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
    inputs = [node["attributes"] for node in page.one(action="/profile/settings")["children"] if "attributes" in node]
    return {own["name"]: own["value"] for own in inputs if own.get("type") == "hidden"}


@pytest.mark.parametrize("end", [sessions_expire, sign_out_everywhere])
def test_settings_are_kept_without_the_password(end):
    fan = UserFactory(username="fan_of_g")
    client = browser_of(fan)
    page = PlainPage.at(client, "/profile")
    hidden = hidden_of(page)
    form = {"username": "fan_of_f", "avatar_url": "https://example.org/me.png", "password1": "secret-7", "version": ""}
    end()
    answer = client.post("/profile/settings", {**hidden, **form})
    target = next_of(answer["Location"])
    assert "secret-7" not in str(FormAnswer.objects.get().data)
    again = PlainPage.at(browser_of(fan, client), target)
    assert KEPT in again.text
    assert again.one(name="username")["attributes"]["value"] == "fan_of_f"
    assert again.one(name="avatar_url")["attributes"]["value"] == "https://example.org/me.png"
    fan.refresh_from_db()
    assert fan.username == "fan_of_g"


def test_settings_of_a_page_older_than_the_sign_in_are_kept():
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
