"""The sign-in page states its reason, which depends on the address that led to it."""

from components.pages.account import sign_in
from components.pages.account.sign_in import reason_of
from components.pages.public.session.page import BAR
from tests.components.pages.account.screens import look
from tests.components.seen import text
from tests.offenders import check_each

RATE = "Sign in to rate. Your marks are kept."


REACT = "Sign in to react. A reaction that you pressed is kept for 15 minutes"
REASONS = {
    "/participants/3#rating-7": RATE,
    "/participants/3?session=2#rating-7": RATE,
    "/sessions/4#rating-7": RATE,
    "/sessions/4?open=7#appearance-7": RATE,
    "/participants/3#advance-7": "Sign in to recommend. Your marks are kept.",
    "/sessions/4#comments": "Sign in to comment. Your words are kept.",
    f"/sessions/4#{BAR}": REACT,
    "/community?before=1#react-17": REACT,
    "/community": "Sign in to post, react and comment.",
    "/community?post=5#comments-5": "Sign in to comment. Your words are kept.",
}
UNKNOWN = (
    *("", "/profile", "/participants/3", "/participants/3#rating-7-you-have-won", "/participants/x#rating-7"),
    *("/news#rating-7", "/sessions/4#comments-and-more", "/community#pay-here", "/community#react-to-this"),
    *("/participants/3#rating-7\n", "/participants/3#rating-٣"),
)


def page_text(path: str, *, is_kept: bool = True) -> str:
    """Return the text of the sign-in page for a visitor from this path."""
    hidden = {"next": path} if path else {}
    return text(look(sign_in.login, hidden=hidden, extra={"is_kept": is_kept}).main)


def test_sign_in_page_states_the_reason_of_each_path():
    check_each(REASONS, lambda path: REASONS[path] in page_text(path))


def test_text_of_an_unknown_path_is_not_shown():
    check_each(UNKNOWN, lambda path: (reason_of(path), "Sign in to" in page_text(path)) == ("", False))


def test_kept_marks_are_not_mentioned_in_another_browser():
    page = page_text("/participants/3#rating-7", is_kept=False)
    assert "Sign in to rate." in page
    assert "kept" not in page
