"""The setup steps of a new installation: which are done, and a link to the next one."""

from collections.abc import Mapping

from apps.competition.selectors.admin.live import FirstSteps, first_steps_get
from apps.core.texts import Texts, texts
from components.pages.admin.contact import PATH as CONTACT
from components.pages.admin.entity_screen import create_at
from components.runtime import Markup, VdomDict, component, html, use_live_query
from components.ui.blocks import badge, button_link, link

TOPICS = ("site_contact", "stages", "featured_participants", "pieces", "sessions", "programs", "live")
Way = tuple[str, str, str]  # address, label of the step, description


@component
def first_steps(initial: FirstSteps, language: str) -> Markup:
    """Render the list of steps, kept current; None when all are done."""
    t, steps = texts(language), use_live_query(first_steps_get, topics=TOPICS, initial=initial)
    if not steps.next:
        return None
    links = _ways(t)
    return html.section(
        {"class": "first-steps", "aria-labelledby": "first-steps"},
        html.h2({"id": "first-steps"}, t("First steps")),
        html.p({"class": "muted"}, t("From an empty hall to a first evening. The list goes when all is done.")),
        html.ol(*(_step(name, links[name], steps.next, t, is_done=is_done) for name, is_done in steps.all)),
    )


def _ways(t: Texts) -> Mapping[str, Way]:
    return {
        "contact": (
            CONTACT,
            t("Say who runs the site"),
            t("Name and e-mail address, for the pages Contact and Privacy."),
        ),
        "stages": (create_at("/admin/stages"), t("Add the stages"), t("The parts of the competition in their order.")),
        "participants": (
            create_at("/admin/participants"),
            t("Add the participants"),
            t("One by one, or all at once from a file: Participants, Import."),
        ),
        "pieces": ("/admin/pieces", t("Add the pieces"), t("What may be played, each in its category.")),
        "session": (
            create_at("/admin/sessions"),
            t("Plan the first session"),
            t("When it is, and who plays in which order."),
        ),
        "program": ("/admin/programs", t("Choose a program"), t("What listeners rate, piece by piece.")),
        "live": ("/admin?tab=live", t("Go live"), t("Set the session live, then put the first performer on stage.")),
    }


def _step(name: str, way: Way, following: str, t: Texts, *, is_done: bool) -> VdomDict:
    to, words, about = way
    what = html.div(html.p({"class": "first-steps__what"}, link(to, words)), html.p({"class": "small muted"}, about))
    if is_done:
        return html.li({"key": name}, what, badge(t("Done"), "quiet"))
    if name != following:
        return html.li({"key": name}, what)
    what = html.div(html.p({"class": "first-steps__what"}, words), html.p({"class": "small muted"}, about))
    return html.li({"key": name, "aria-current": "step"}, what, button_link(to, t("Next: {step}").format(step=words)))
