"""The tables of attribute names equal React's own, in Python and in the client."""

import json
import re
from pathlib import Path

from components.runtime.rendering import html_names
from components.runtime.rendering.refusals import ELEMENTS, OUTSIDE_SVG
from tests.components.runtime.rendering import react_tables
from tests.components.runtime.rendering.conftest import CLIENT

PROPS = (Path(CLIENT) / "src/rendering/props.js").read_text(encoding="utf-8")


def test_aliases_are_those_of_react() -> None:
    known = react_tables.aliases()
    assert len(known) == 88
    assert {name: html_names.html_name(name) for name in known} == known
    site_names = html_names.DASHED | html_names.RENAMED.keys()
    assert site_names - known.keys() == {"className", "tabIndex", "autoFocus"}  # React handles these separately


def test_kinds_of_attributes_are_those_of_react() -> None:
    assert len(react_tables.booleans()) > 20
    assert react_tables.booleans() == html_names.BOOLEAN
    assert react_tables.enumerated() == html_names.ENUMERATED
    assert react_tables.cases("cols", "span") == html_names.POSITIVE
    assert react_tables.cases("rowSpan", "start") | html_names.POSITIVE == html_names.NUMERIC


def test_letters_of_names_are_those_of_react() -> None:
    literal = re.search(r'VALID_ATTRIBUTE_NAME_REGEX = RegExp\(\s+"(.*)"', react_tables.source())
    assert literal is not None
    pattern = re.compile(json.loads(f'"{literal[1]}"').replace("$", r"\Z"))
    for number in range(0x10000):
        for name in (chr(number), f"a{chr(number)}"):
            assert bool(html_names.ATTRIBUTE.match(name)) == bool(pattern.match(name)), hex(number)


def test_tables_of_the_client_are_the_same() -> None:
    names = re.search(r'\(\s+\("(.*?)"\)\s+\.split', PROPS, re.DOTALL)
    assert names is not None
    spelled = re.findall(r"\w+", names[1])
    assert {name.lower(): name for name in spelled} | {"class": "className", "for": "htmlFor"} == html_names.REACT_NAMES
    tables = {name: json.loads(text) for name, text in re.findall(r"const (\w+) = new Set\((\[.*?\])\)", PROPS)}
    assert tables["REFUSED"] == [*ELEMENTS]
    assert tables["OUTSIDE_SVG"] == [*OUTSIDE_SVG]
    assert frozenset(tables["ADDRESSES"]) == html_names.ADDRESSES
