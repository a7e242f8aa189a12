"""The sign-in page states its reason, which depends on the address that led to it."""

import pytest

from components.pages.account import sign_in
from components.pages.account.sign_in import reason_of
from components.pages.public.session.page import BAR
from tests.components.pages.account.screens import look
from tests.components.seen import text

RATE = "Sign in to rate. Your marks are kept."


def said(path: str, *, is_kept: bool = True) -> str:
    """Return the text of the sign-in page for a visitor from this path."""
    hidden = {"next": path} if path else {}
    return text(look(sign_in.login, hidden=hidden, extra={"is_kept": is_kept}).main)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/participants/3#rating-7", RATE),
        ("/participants/3?session=2#rating-7", RATE),
        ("/sessions/4#rating-7", RATE),
        ("/sessions/4?open=7#appearance-7", RATE),
        ("/participants/3#advance-7", "Sign in to recommend. Your marks are kept."),
        ("/sessions/4#comments", "Sign in to comment. Your words are kept."),
        (f"/sessions/4#{BAR}", "Sign in to react. A reaction that you pressed is kept for 15 minutes"),
        ("/community?before=1#react-17", "Sign in to react. A reaction that you pressed is kept for 15 minutes"),
        ("/community", "Sign in to post, react and comment."),
        ("/community?post=5#comments-5", "Sign in to comment. Your words are kept."),
    ],
)
def test_each_way_here_has_its_sentence(path, words):
    assert words in said(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/profile",
        "/participants/3",
        "/participants/3#rating-7-you-have-won",
        "/participants/x#rating-7",
        "/news#rating-7",
        "/sessions/4#comments-and-more",
        "/community#pay-here",
        "/community#react-to-this",
        "/participants/3#rating-7\n",
        "/participants/3#rating-٣",
    ],
)
def test_words_of_an_address_are_never_said(path):
    assert reason_of(path) == ""
    assert "Sign in to" not in said(path)


def test_where_an_address_was_confirmed_elsewhere_nothing_is_said_of_what_is_kept():
    assert "Sign in to rate." in said("/participants/3#rating-7", is_kept=False)
    assert "kept" not in said("/participants/3#rating-7", is_kept=False)
