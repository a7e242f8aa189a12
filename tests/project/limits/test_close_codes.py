"""The client has the same close codes as the server, and a sentence for each code that stops it."""

import re
from pathlib import Path

from components.runtime.page import Page
from components.runtime.rendering.document import Document
from project.http.middleware import PROTOCOL
from project.limits import rates
from project.observability.metrics import CLOSE_CODES

ROOT = Path(__file__).parents[3]
CLIENT, TESTS = ROOT / "components" / "client" / "src" / "connection.js", ROOT / "tests" / "client"
NAMES = ("FAILED", "RESTART", "BUSY", "NEW_VERSION", "FLOOD", "CROWDED", "STOP", "BAD_FRAME", "SIGNED_OUT", "TOO_MANY")
NUMBERS = {name: getattr(rates, name) for name in NAMES}


def test_all_close_codes_are_counted() -> None:
    assert set(NUMBERS.values()) == rates.OURS
    assert rates.OURS < CLOSE_CODES


def test_client_has_the_same_close_codes() -> None:
    lines = [line.split(" // ")[0].removeprefix("export ") for line in CLIENT.read_text().splitlines()]
    for name in ("NEW_VERSION", "CROWDED", "SIGNED_OUT", "STOP"):
        assert f"const {name} = {NUMBERS[name]};" in lines
    assert f'const PROTOCOL = "{PROTOCOL}";' in lines


def test_busy_labels_are_tested_with_every_close_code() -> None:
    [codes] = re.findall(r"const CODES = \[(.+)\];", (TESTS / "busy-labels.test.js").read_text())
    assert set(map(int, codes.split(", "))) >= rates.OURS


def test_every_stopping_code_has_a_sentence() -> None:
    page = Page(title="A", description="B", component=lambda _: None)  # type: ignore[arg-type, return-value]
    html = Document(page, {"tagName": "main"}).html([]).decode()
    stopping = {f"data-stopped-{code}=" for code in rates.OURS if code >= rates.STOP}
    assert {name for name in stopping if name in html} == stopping
    for code in (rates.NEW_VERSION, rates.FLOOD):
        assert f"data-waiting-{code}=" in html
    assert html.count("data-stopped-") == len(stopping)
    assert html.count("data-waiting-") == 2
