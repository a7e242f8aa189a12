"""The line about a demo that is alive, with the button that stops or starts it."""

from apps.core.texts import texts
from apps.demo.enums import DemoState
from apps.demo.selectors import demo_state
from components.runtime import Markup, command_button, component, html, use_live_query
from components.ui.frames import answer_line


@component
def demo_line(initial: DemoState | None, language: str) -> Markup:
    """Render whether the demo is alive, kept current; None without a demo that may be."""
    t, state = texts(language), use_live_query(demo_state, topics=("demo",), initial=initial)
    if state is None or state is DemoState.OVER:
        return None
    if state is DemoState.ALIVE:
        words = t("The demo is alive: its audience marks and writes, and its performers follow each other.")
        command, label = command_button("demo_stop"), t("Stop the demo")
    else:
        words = t("The demo is stopped.")
        command, label = command_button("demo_start"), t("Start the demo")
    return html.section(
        {"aria-label": t("Demo"), "data-answers": ""},
        html.div(
            {"class": "row row--apart"},
            html.p({"class": "small muted"}, words),
            html.button({"class": "button button--plain button--small"} | command, label),
        ),
        answer_line(),
    )
