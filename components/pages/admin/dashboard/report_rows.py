"""Row of the list of reported texts."""

from apps.community.enums import ReportKind, ReportReason, ReportState, ReportVerdict
from apps.community.selectors.reports import ReportedText
from apps.community.services.report_moderation import REPORT_MODERATION
from apps.core.database.fields import venue_zone
from apps.core.moderation import tick_of
from apps.core.texts import Texts, texts
from components.pages.admin.dashboard.moderation_queue import PLAIN
from components.pages.admin.dashboard.queue_keys import Choice
from components.runtime import Markup, VdomDict, cached_markup, command_button, html
from components.ui.blocks import badge, link, visually_hidden
from components.ui.people import with_names
from components.ui.venue_time import ago

NAMED_BY = 40  # characters of a text in its label


def choices_of(state: ReportState, t: Texts) -> tuple[Choice, ...]:
    """Return the possible decisions about a text in this state; a decided text offers only the opposite decision."""
    all_hidden, all_dismissed = t("Hide all {n} that match"), t("Dismiss all {n} that match")
    hide = Choice(ReportVerdict.HIDE, t("Hide"), "h", all_hidden, t("Hide all {n} reported texts that match?"))
    match state:
        case ReportState.OPEN:
            question = t("Dismiss the reports of all {n} that match?")
            return hide, Choice(ReportVerdict.DISMISS, t("Dismiss"), "d", all_dismissed, question)
        case ReportState.HIDDEN:
            return (Choice(ReportVerdict.DISMISS, t("Restore"), "r"),)
        case _:
            return (hide,)


def kind_words(kind: ReportKind, t: Texts) -> str:
    """Return the label of a kind of text."""
    return t(str(kind.label))


def reason_words(reason: ReportReason, t: Texts) -> str:
    """Return the label of a reason."""
    return t(str(reason.label))


@cached_markup
def report_row(reported: ReportedText, language: str) -> VdomDict:
    """Return the row of a reported text: the number of reports, the reasons, the text, and the possible decisions."""
    t = texts(language)
    people = t.plural(" person", " people", reported.count)
    buttons = (_button(reported, choice, t) for choice in choices_of(reported.state, t))
    return html.li(
        {"key": f"{reported.kind.value}-{reported.id}"},
        _tick(reported, t),
        html.span({"class": "queue__mark"}, str(reported.count), visually_hidden(people)),
        html.div({"class": "queue__what"}, *_what(reported, language)),
        html.div({"class": "queue__acts"}, *buttons),
    )


def _name(reported: ReportedText, t: Texts) -> str:
    words = " ".join(reported.text.text.split())
    start = words if len(words) <= NAMED_BY else f"{words[: NAMED_BY - 1].rstrip()}…"
    author = reported.text.author or t("former member")
    return t("{kind} by {author}: “{text}”").format(kind=kind_words(reported.kind, t), author=author, text=start)


def _tick(reported: ReportedText, t: Texts) -> VdomDict:
    own = {"type": "checkbox", "class": "tick", "name": "report", "value": tick_of([reported])}
    return html.input(own | {"aria-label": t("Select: {name}").format(name=_name(reported, t))})


def _button(reported: ReportedText, choice: Choice, t: Texts) -> VdomDict:
    argument = REPORT_MODERATION.one_argument(ReportVerdict(choice.word), [reported])
    doing = command_button("report_decide", argument, busy=t("Processing..."))
    name = t("{decision}: {name}").format(decision=choice.label, name=_name(reported, t))
    return html.button({"class": PLAIN, "aria-label": name} | doing, choice.label)


def _what(reported: ReportedText, language: str) -> list[Markup]:
    t, text = texts(language), reported.text
    kind = kind_words(reported.kind, t)
    written = ago(text.created_at, zone=venue_zone(), language=language)
    return [
        html.p({"class": "queue__title"}, html.strong(_reasons(reported, t)), _state(reported, language)),
        html.p(
            {"class": "queue__by"},
            link(text.path, kind) if text.is_public else kind,
            *with_names(t(" by {author}, "), author=text.author or html.span(t("former member"))),
            written,
            html.span(", ", t("about"), " ", text.about) if text.about else None,
        ),
        html.blockquote({"class": "queue__words"}, text.text),
        _picture(text.image_url, t),
        *(html.p({"class": "queue__said"}, words) for words in reported.words),
        html.p({"class": "queue__where"}, _times(reported, language)) if reported.last_at else None,
    ]


def _picture(address: str, t: Texts) -> Markup:
    """Return a link to a post's picture, because a picture is loaded on request only; None without a picture."""
    if not address:
        return None
    to = {"class": "link", "href": address, "rel": "nofollow ugc noopener noreferrer", "target": "_blank"}
    return html.p({"class": "queue__where"}, t("Picture: "), html.a(to, address))


def _reasons(reported: ReportedText, t: Texts) -> str:
    """Return the reasons, most frequent first, each with its count if there are several."""
    named = [(reason_words(each.reason, t), each.count) for each in reported.reasons]
    if len(named) == 1:
        return named[0][0]
    return ", ".join(f"{words} {count}" for words, count in named) or t("Everybody who reported it has left")


def _state(reported: ReportedText, language: str) -> Markup:
    t = texts(language)
    if reported.is_hidden_by_audience:
        return badge(t("Hidden until you decide"), "quiet")
    if reported.is_shown_again:
        return badge(t("Shown again after a day without a decision"), "quiet")
    if reported.state == ReportState.OPEN or reported.decided_at is None:
        return None
    decision = t("Hidden") if reported.state == ReportState.HIDDEN else t("Dismissed")
    by = t(" by {name}, ").format(name=reported.decided_by or t("somebody who left"))
    when = ago(reported.decided_at, zone=venue_zone(), language=language)
    return html.span({"class": "small muted"}, decision, by, when)


def _times(reported: ReportedText, language: str) -> VdomDict:
    t = texts(language)
    last = ago(reported.last_at, zone=venue_zone(), language=language) if reported.last_at else None
    words = t.plural("; %(n)d earlier report was decided", "; %(n)d earlier reports were decided", reported.earlier)
    return html.span(t("reported "), last, words if reported.earlier else None)
