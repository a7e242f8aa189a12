"""Reason for signing in, derived from the pattern of the `next` path, never from text in it."""

import re
from collections.abc import Sequence

from apps.core.texts import Texts
from components.runtime import Markup, html

RATE, RECOMMEND, COMMENT, REACT, POST = "rate", "recommend", "comment", "react", "post"
PAGES = r"/(?:participants|sessions)/[0-9]+(?:\?[^#]*)?"
REASONS: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(PAGES + r"#rating-[0-9]+"), RATE),
    (re.compile(r"/sessions/[0-9]+\?open=[0-9]+#appearance-[0-9]+"), RATE),
    (re.compile(PAGES + r"#advance-[0-9]+"), RECOMMEND),
    (re.compile(r"/sessions/[0-9]+(?:\?[^#]*)?#comments"), COMMENT),
    (re.compile(r"/sessions/[0-9]+(?:\?[^#]*)?#reactions"), REACT),
    (re.compile(r"/community(?:\?[^#]*)?#react-[0-9]+"), REACT),
    (re.compile(r"/community(?:\?[^#]*)?#comments-[0-9]+"), COMMENT),
    (re.compile(r"/community(?:\?[^#]*)?"), POST),
)


def reason_of(path: str) -> str:
    """Return the reason for signing in from this path, empty if no pattern matches."""
    return next((reason for pattern, reason in REASONS if pattern.fullmatch(path)), "")


def reason(path: str, *, is_kept: bool, t: Texts) -> list[Markup]:
    """Return the sentence for a visitor from this path; `is_kept` adds that the browser keeps the typed values."""
    why, kept = {
        RATE: (t("Sign in to rate."), t("Your marks are kept.")),
        RECOMMEND: (t("Sign in to recommend."), t("Your marks are kept.")),
        COMMENT: (t("Sign in to comment."), t("Your words are kept.")),
        REACT: (
            t("Sign in to react."),
            t("A reaction that you pressed is kept for 15 minutes, and given once you are in."),
        ),
        POST: (t("Sign in to post, react and comment."), ""),
    }.get(reason_of(path), ("", ""))
    words = html.span({"class": "scripted"}, " ", kept) if kept and is_kept else None
    return [html.p({"class": "lead"}, why, words)] if why else []
