"""Whether the field of a session's stage is drawn, in the session's form."""

from apps.competition.enums import FieldState
from apps.competition.selectors.admin import StageOption, stage_options
from apps.core.texts import texts
from components.hooks.live_query import use_live_query
from components.markup import Markup, component, html
from components.ui.controls.commands import command_button


@component
def stage_field(stage_id: int, initial: tuple[StageOption, ...], language: str) -> Markup:
    """The sentence and the button that changes it; kept current while the form is open."""
    t = texts(language)
    stages = use_live_query(stage_options, "stages", initial=initial)
    stage = next((each for each in stages if each.id == stage_id), None)
    if stage is None:
        return None
    if stage.is_field_drawn:
        now, words, to = t("The field of {stage} is drawn."), t("Open it again"), FieldState.OPEN
        then = t("Listeners can say again who should advance to it.")
    else:
        now, words, to = t("The field of {stage} is not drawn yet."), t("It is drawn"), FieldState.DRAWN
        then = t("Listeners no longer say who should advance to it, and see who has.")
    asked = command_button("stage_field_set", f"{stage.id}:{to}", confirm=f"{stage.name}: {words}?", words=then)
    return html.div(
        {"class": "row small", "data-answers": ""},
        html.span({"class": "muted"}, now.format(stage=stage.name)),
        html.button(asked | {"class": "button button--plain button--small"}, words),
        html.span({"data-answer": "", "role": "status"}),
    )
