"""Names of attributes and styles: those of React's own tables, none left out."""

from components.rendering import html_names
from tests.components.rendering import react_tables


def test_every_alias_of_react_is_spelled_as_it_does() -> None:
    known = react_tables.aliases()
    assert len(known) == 88
    assert {name: html_names.html_name(name) for name in known} == known
    ours = html_names.DASHED | html_names.SPACED.keys() | html_names.RENAMED.keys()
    assert ours - known.keys() == {"className"}  # which has a case of its own


def test_numbers_of_the_same_styles_have_no_unit() -> None:
    assert len(html_names.UNITLESS) > 60
    assert react_tables.unitless() == html_names.UNITLESS


def test_the_same_attributes_are_there_or_not() -> None:
    assert len(react_tables.booleans()) > 20
    own = {"checked", "selected"}  # of fields, which React writes elsewhere
    assert {name.lower() for name in react_tables.booleans()} | own == html_names.BOOLEAN


def test_the_same_attributes_say_true_and_false() -> None:
    assert {name.lower() for name in react_tables.enumerated()} == html_names.ENUMERATED


def test_sizes_and_numbers_are_those_of_react() -> None:
    assert react_tables.cases("cols", "span") == html_names.POSITIVE
    assert {name.lower() for name in react_tables.cases("rowSpan", "start")} | html_names.POSITIVE == html_names.NUMERIC
