"""How shown figures are rounded."""

import re
from decimal import Decimal
from fractions import Fraction

from apps.core.rounding import rounded
from components.ui.numbers import number_text
from project.config import ROOT

ROUNDS = re.compile(r"(?<![\w.])round\(|\.quantize\(|\bROUND_|:,?\.\d[f%g]")
NO_FIGURES = {  # modules that round what no page shows as a figure
    "published programs, and weights as they are stored": "method method2 agreement suspicion weighing",
    "lengths and places in drawings": "marks reaction_curve reactions session_picture typeface jury/audience",
    "invented marks": "opinions ranked_stage demo/jury",
    "whether a number has more than two decimals": "rules contents",
    "times, logs and limits": "postgresql logs watchdog cpu_limits limits/connections http/pictures http/files",
    "moments in workbooks": "workbook_program",
    "the function itself, and a mean of quotients that it gets": "core/rounding selectors/own",
}


def test_halves_are_rounded_away_from_zero_and_floats_as_they_are_written():
    values = (13.95, 13.949999999999999, 0.25, Decimal("14.25"), -0.05, 7, Fraction(279, 20), Fraction(-1, 20))
    assert [str(rounded(value)) for value in values] == ["14.0", "14.0", "0.3", "14.3", "-0.1", "7.0", "14.0", "-0.1"]
    assert str(rounded(Decimal("2.5"), 0)) == "3"
    assert [number_text(value, 2) for value in (0.005, -0.125, -0.001)] == ["0.01", "−0.13", "0.00"]


def test_no_other_function_rounds_a_shown_figure():
    allowed = tuple(f"/{name}.py" for names in NO_FIGURES.values() for name in names.split())
    modules = [path for folder in ("apps", "components", "project") for path in (ROOT / folder).rglob("*.py")]
    assert len(modules) > 500
    rounding = [str(path.relative_to(ROOT)) for path in modules if ROUNDS.search(path.read_text())]
    assert [path for path in rounding if not path.endswith(allowed)] == []
