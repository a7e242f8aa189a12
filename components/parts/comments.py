"""Comments of a session: the newest, their number, and rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from apps.accounts.selectors.own_account import default_avatars
from apps.community.enums import ReportKind
from apps.core.database.fields import venue_zone
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.live import selectors
from apps.live.reaction_batch import TICK
from apps.live.selectors import Comment, Comments
from components.parts.covered_texts import EVERYTHING, Covered, lines_or_rows, sighted, texts_part
from components.parts.failures import read_or_nothing
from components.parts.people import authors_alone
from components.parts.reporting import report_link
from components.runtime import VdomDict, cached_markup, command_button, html, page_event, public_part, read_once
from components.ui.blocks import button, linked, visually_hidden
from components.ui.people import disc
from components.ui.venue_time import ago

NAMED_BY = 40  # characters of a comment in the labels of its buttons
EVERY = TICK  # seconds between two reads


def _topics(session_id: int) -> tuple[str, ...]:
    return (f"session.{session_id}.comments", "profiles")


def comments_read(session_id: int) -> Comments:
    """Return the newest comments of a session with the number of all; none after a failed read, which is logged."""
    read = partial(read_once, selectors.session_comments, session_id=session_id)
    return read_or_nothing(read, Comments((), 0), record="Error fetching comments")


def with_default_picture(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    """Return these comments with the default picture for authors without one. One query."""
    default = read_once(default_avatars).user_avatar_url
    return tuple(comment if comment.avatar_url else replace(comment, avatar_url=default) for comment in comments)


@public_part(topics=_topics, every=EVERY)
def comment_count(session_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - every part has a language
    """The number of comments."""
    return html.span({"class": "count"}, str(comments_read(session_id).total))


@texts_part(_topics, every=EVERY)
def session_comments(session_id: int, sight: str, *, language: str) -> VdomDict:
    """The newest comments, with a button for older ones if there are any."""
    t, found = texts(language), comments_read(session_id)
    if not found.newest:
        return html.div({"class": "comments"}, html.p({"class": "muted"}, t("Nobody has said anything yet.")))
    rows = comment_rows(comments_listed(found.newest, sight), language)
    words = {"data-arrivals": "", "data-one": t("1 new comment"), "data-many": t("{n} new comments")}
    comes = html.section(
        {"class": "comments__newest", "aria-label": t("The newest comments")} | words,
        html.div({"class": "feed__line", "role": "status"}),
        rows,
    )
    return html.div({"class": "comments"}, comes, more_comments(t) if found.total > len(found.newest) else None)


@dataclass(frozen=True, slots=True)
class ListedComments:
    """Comments with what decides which of them a viewer sees."""

    comments: tuple[Comment, ...] = ()
    sight: str = EVERYTHING
    subjects: Mapping[int, tuple[int, str]] = field(default_factory=dict)

    @property
    def rows(self) -> Sequence[Comment | Covered]:
        """The comments as the viewer sees them."""
        return sighted(self.comments, self.sight, lambda each: self.subjects.get(each.id), lambda each: each.author_id)


def comments_listed(comments: Iterable[Comment], sight: str) -> ListedComments:
    """Return these comments for viewers with this sight. Two queries, one with EVERYTHING."""
    found = with_default_picture(comments)
    if sight == EVERYTHING:
        return ListedComments(found)
    return ListedComments(found, sight, selectors.comment_subjects(ids=[each.id for each in found]))


def comment_rows(listed: ListedComments, language: str) -> VdomDict:
    """Return the list of these comments."""
    rows = lines_or_rows(listed.rows, lambda comment: _row(comment, language), texts(language))
    return html.ol({"class": "comments__list"}, *rows)


def more_comments(t: Texts) -> VdomDict:
    """Return the button that asks the page for older comments."""
    older = button(t("Show older comments"), "plain small", **page_event("comments_older", ""))
    return html.p({"class": "comments__more scripted"}, older)


@cached_markup
def _row(comment: Comment, language: str) -> VdomDict:
    by = html.p(
        {"class": "says__by"},
        html.strong({"translate": "no"}, comment.author),
        " ",
        ago(comment.created_at, zone=venue_zone(), language=language),
        _acts(comment, texts(language)),
    )
    return html.li(
        {"class": "says", "key": f"comment-{comment.id}"},
        disc(comment.author, initials(comment.author), comment.avatar_url),
        html.div(by, html.p({"class": "says__text"}, *linked(comment.content))),
    )


def _acts(comment: Comment, t: Texts) -> VdomDict:
    text = " ".join(comment.content.split())
    named = text if len(text) <= NAMED_BY else f"{text[: NAMED_BY - 1].rstrip()}…"
    kind = ReportKind.SESSION_COMMENT
    report = report_link(kind, comment.id, author_id=comment.author_id, named=f"“{named}”", t=t)
    return html.span({"class": "quiet-acts"}, report, _delete(comment, named, t))


def _delete(comment: Comment, named: str, t: Texts) -> VdomDict:
    """Return the delete button, which the author and administrators see."""
    asking = command_button(
        "comment_delete",
        comment.id,
        busy=t("Deleting..."),
        confirm=t("Delete the comment “{text}”?").format(text=named),
        words=t("It will be gone for everybody."),
        yes=t("Delete"),
    )
    attributes = {"class": "link says__delete"} | authors_alone(comment.author_id)
    return html.button(attributes | asking, t("Delete"), visually_hidden(f" “{named}”"))
