"""The page with the form that reports a text: a post, a comment on a post or session, or a rating's comment."""

from dataclasses import dataclass

from apps.community.enums import ReportKind, ReportReason
from apps.community.limits import REASON_LENGTH
from apps.community.report_address import subject_read
from apps.community.selectors.reports import is_reported_by, reportable_text
from apps.core.hideable_texts import HideableText
from apps.core.texts import Texts, texts
from components.pages.public.not_found import not_found_page
from components.parts.covered_texts import Covered, covered_words, sees, sight_of, sight_topics
from components.parts.reporting import report_address
from components.runtime import Markup, Page, PageRequest, VdomDict, command_form, component, html
from components.ui.blocks import link
from components.ui.forms import area
from components.ui.frames import first_section, main
from components.ui.mark_input import choice


@dataclass(frozen=True, slots=True)
class Reporting:
    """The reported text, None if it is hidden by now; whether the viewer wrote or already reported it."""

    kind: ReportKind
    subject_id: int
    text: HideableText | None
    is_own: bool
    is_reported: bool
    is_covered: bool = False  # it is about a performance whose texts are covered for the viewer


def load(request: PageRequest) -> Page:
    """Return the form for the text in `?thing=`, such as "post:17".

    404 for a text that is not public, unless the viewer has reported it.
    """
    t, subject, user_id = request.t, subject_read(request.query.get("thing", "")), request.viewer.id or 0
    kind, subject_id = subject or (ReportKind.POST, 0)
    text = reportable_text(kind=kind, subject_id=subject_id)
    is_reported = is_reported_by(user_id=user_id, kind=kind, subject_id=subject_id)
    if text is None and not is_reported:
        return not_found_page(t("This is no longer there."), ("/community", t("Community")), "reports")
    is_covered = text is not None and not sees(sight_of(request.viewer), text.appearance_id, text.author_id)
    return Page(
        description=t("Tell the administrators what is wrong with a text."),
        component=report_page,
        data=Reporting(kind, subject_id, text, text is not None and text.author_id == user_id, is_reported, is_covered),
        topics=("reports", *sight_topics(request.viewer)),
        canonical=report_address(kind, subject_id),
    )


@component
def report_page(page: Page) -> VdomDict:
    """Render the text, and the form or the reason why the viewer cannot report it."""
    t = texts(page.language)
    reporting: Reporting = page.data
    text = reporting.text
    return main(
        html.div(
            {"data-answers": ""},
            first_section(
                page.title,
                _quotation(reporting, text, t) if text else None,
                html.p({"key": "answer", "data-answer": "", "role": "status"}),
                _form(reporting, t),
                html.p(link(text.path if text else "/community", t("Back"))),
            ),
        )
    )


def _quotation(reporting: Reporting, text: HideableText, t: Texts) -> VdomDict:
    if reporting.is_covered and text.appearance_id is not None:
        return covered_words(Covered(text.appearance_id, "", 1), t, has_name=False)
    caption = t("{kind} by {author}").format(
        kind=t(str(reporting.kind.label)), author=text.author or t("former member")
    )
    return html.figure(
        {"class": "reported"},
        html.figcaption({"class": "small muted"}, caption),
        html.blockquote({"class": "says__text"}, text.text),
    )


def _form(reporting: Reporting, t: Texts) -> Markup:
    if reporting.is_own or reporting.is_reported:
        own = t("You cannot report what you wrote yourself.")
        return html.p({"key": "why-not"}, own if reporting.is_own else t("You have reported this already."))
    argument = f"{reporting.kind}:{reporting.subject_id}"
    reasons = [(reason.value, t(str(reason.label))) for reason in ReportReason]
    return html.form(
        command_form("report_add", argument, draft=f"report:{argument}") | {"class": "stack report", "key": "form"},
        choice("reason", "reason", t("What is wrong with it?"), reasons),
        area(
            t("In your words"),
            "words",
            maxLength=REASON_LENGTH,
            rows=3,
            hint=t("Only administrators read this. It may stay empty, unless you chose “Something else”."),
        ),
        html.div(
            {"class": "row"},
            html.button({"class": "button", "type": "submit", "data-busy": t("Sending...")}, t("Report")),
        ),
    )
