"""Words about performances: the newest comments and posts on the page of a participant or stage, and a post's subject.

They are texts, not figures: they are shown to members who cover figures, and covered for those who cover texts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from apps.accounts.selectors.own_account import default_avatars
from apps.community.selectors import words as selectors
from apps.competition.selectors.public.stage_overviews import stage_overviews
from apps.competition.selectors.public.subjects import Subject, subjects_get
from apps.core.database.fields import venue_zone
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.live.reaction_batch import TICK
from apps.live.selectors import Word
from components.parts.covered_texts import lines_or_rows, sighted, texts_part
from components.runtime import Markup, VdomDict, html, public_part, read_once, read_together
from components.ui.blocks import button_link, link, visually_hidden
from components.ui.frames import section
from components.ui.people import disc, person_name
from components.ui.venue_time import ago

PATH = "/community"
NAMED_BY = 40  # characters of a text in the name of its link
EVERY = TICK  # seconds between two reads, as for comments
Named = Callable[[Word], str]  # returns the name of a word's performance


def about_path(appearance_id: int) -> str:
    """Return the address of the composer with this performance chosen."""
    return f"{PATH}?about={appearance_id}"


def write_link(appearance_id: int, t: Texts) -> VdomDict:
    """Return the link to the composer with this performance chosen; it looks like a button."""
    return button_link(about_path(appearance_id), t("Write about this performance"), "plain")


def short(text: str) -> str:
    """Return the beginning of a text, on one line."""
    words = " ".join(text.split())
    return words if len(words) <= NAMED_BY else f"{words[: NAMED_BY - 1].rstrip()}…"


def subjects_read(ids: tuple[int, ...]) -> Mapping[int, Subject]:
    """Return these performances by id. One query for any number of posts."""
    return subjects_get(ids=ids)


@public_part(topics=lambda _, participant_id: (f"participant.{participant_id}",), together=subjects_read)
def text_subject(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - names the topic
    """What a post is about, as a link to the performance; the sentence of `subject_deleted` for a deleted one."""
    t, subject = texts(language), read_together(subjects_read, appearance_id)
    if subject is None:
        return subject_deleted(t)
    to = html.a({"href": subject.path}, person_name(subject.name), f", {subject.session_title}")
    return html.span({"class": "small muted"}, t("About"), " ", to)


def subject_deleted(t: Texts) -> VdomDict:
    """Return the sentence of a post that was about a performance which is deleted."""
    return html.span({"class": "small muted"}, t("About a performance that was taken out of the program"))


@texts_part(lambda stage_id: (f"stage.{stage_id}.words", "sessions", "profiles"), every=EVERY)
def stage_words(stage_id: int, sight: str, *, language: str) -> VdomDict:
    """The section "Words" of a stage: the newest comments and posts about its performances; hidden without any."""
    t, found = texts(language), selectors.stage_words(stage_id=stage_id)
    if not found and not _has_performances(stage_id):
        return html.section({"hidden": True})
    subjects = {word.subject.id: word.subject for word in found}.values()
    performers = Counter(subject.participant_id for subject in subjects)

    def performer(word: Word) -> str:
        """Return the name; with the session if the participant has two performances here."""
        subject = word.subject
        is_one = performers[subject.participant_id] == 1
        return subject.name if is_one else f"{subject.name}, {subject.session_title}"

    write = html.p(link(PATH, t("Write about a performance")))
    nothing = t("Nothing has been written about the performances of this stage yet.")
    return _words(found, sight, performer, write, nothing, language)


def _has_performances(stage_id: int) -> bool:
    return any(stage.id == stage_id and stage.performers for stage in read_once(stage_overviews))


@texts_part(
    lambda participant_id: (f"participant.{participant_id}.words", f"participant.{participant_id}", "profiles"),
    every=EVERY,
)
def participant_words(participant_id: int, sight: str, *, language: str) -> VdomDict:
    """The section "Words" of a participant: the newest comments and posts about the performances."""
    t, found = texts(language), selectors.participant_words(participant_id=participant_id)
    nothing = t("Nothing has been written about these performances yet.")
    return _words(found, sight, lambda word: word.subject.session_title, None, nothing, language)


def _words(  # noqa: PLR0917
    found: tuple[Word, ...],
    sight: str,
    named: Named,
    aside: Markup,
    nothing: str,
    language: str,
) -> VdomDict:
    t = texts(language)
    if not found and aside is None:
        return html.div({"class": "sheet", "id": "words"}, html.p({"class": "body muted small"}, nothing))
    if not found:
        body = html.p({"class": "body muted"}, nothing)
    else:
        body = html.section(
            {
                "class": "body",
                "aria-label": t("The newest words"),
                "data-arrivals": "",
                "data-held": "",  # new ones wait behind the line, so that nothing in view moves
                "data-one": t("1 new text"),
                "data-many": t("{n} new texts"),
            },
            html.div({"class": "feed__line", "role": "status"}),
            html.ol({"class": "letters"}, *_rows(found, sight, named, language)),
        )
    return section(t("Words"), body, aside=aside, name="words")


def _rows(found: tuple[Word, ...], sight: str, named: Named, language: str) -> Iterable[VdomDict]:
    default = read_once(default_avatars).user_avatar_url
    shown = sighted(found, sight, lambda word: (word.subject.id, word.subject.name), lambda word: word.author_id)
    return lines_or_rows(
        shown, lambda word: _row(word, word.avatar_url or default, named(word), language), texts(language)
    )


def _row(word: Word, picture: str, performance: str, language: str) -> VdomDict:
    t = texts(language)
    author = word.author or t("former member")
    when = ago(word.created_at, zone=venue_zone(), language=language)
    to = html.a({"class": "says__when", "href": word.path}, when, visually_hidden(f" “{short(word.text)}”"))
    about = html.a({"href": word.subject.path, "translate": "no"}, performance)
    during = html.span({"class": "small muted"}, t("during") if word.is_comment else t("about"), " ", about)
    by = html.p(
        {"class": "says__by"}, html.strong({"translate": "no"} if word.author else {}, author), " ", to, " ", during
    )
    text = html.p({"class": "says__text"}, word.text, None if word.is_whole else "…")
    kind = "comment" if word.is_comment else "post"
    return html.li(
        {"class": "says", "key": f"{kind}-{word.id}"}, disc(author, initials(author), picture), html.div(by, text)
    )
