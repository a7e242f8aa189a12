"""Below a stage's ranking: what does not count yet, and the files with which anybody checks it."""

from apps.core.texts import Texts, texts
from apps.ranking.selectors.rankings import Run, run_get
from components.markup import Markup, VdomDict, html
from components.rendering.parts import public_part, read_once
from components.ui.frames.page_grid import section


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}",), outcome=True)
def stage_tally(stage_id: int, *, language: str) -> VdomDict:
    """How many marks do not count and why, never whose, and what can be downloaded; nothing before the first run."""
    t, run = texts(language), read_once(run_get, stage_id=stage_id)
    if run is None:
        return html.div({"hidden": True})
    return html.div(_not_counted(run, t), _files(stage_id, t))


def _not_counted(run: Run, t: Texts) -> VdomDict:
    lines = (
        html.div({"key": reason.value}, html.dt(t(str(reason.label))), html.dd(f"{count:,}"))
        for reason, count in run.not_counted.items()
    )
    return section(t("What does not count yet"), html.div({"class": "body"}, html.dl({"class": "tally"}, *lines)))


def _files(stage_id: int, t: Texts) -> VdomDict:
    to = f"/stages/{stage_id}"
    lines = (
        _line("marks", t("The marks"), t("without names"), _file(to, "marks.csv")),
        _line("ranking", t("The ranking"), "", _file(to, "ranking.csv"), _file(to, "ranking.json")),
        _line("method", t("The program that computes it"), "", _file(to, "ranking.py")),
    )
    run = html.p({"class": "small muted standing__run"}, html.code(f"python ranking.py marks-{stage_id}.csv"))
    return section(t("To check it yourself"), html.div({"class": "body"}, html.ul({"class": "lines"}, *lines), run))


def _file(to: str, name: str) -> VdomDict:
    return html.a({"class": "link", "href": f"{to}/{name}", "download": True}, name)


def _line(name: str, what: str, more: str, *ways: Markup) -> VdomDict:
    about = html.span({"class": "work__key"}, more) if more else None
    return html.li(
        {"key": name},
        html.span({"class": "work"}, html.b(what), " ", about),
        html.span({"class": "dots"}),
        html.span({"class": "row"}, *ways),
    )
