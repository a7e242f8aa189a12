"""The digest of upstream code changes with its behaviour, not with its formatting, comments or annotations."""

import textwrap

import pytest

from tests.upstream import digest_of_text

READ = '''
async def wait(self, seconds: float) -> None:
    """Wait."""
    while self.state == "open" and seconds > 0:
        seconds -= await self.step(1)
'''


FORMATTED = """
async def wait(self, seconds):
    'Another sentence.'
    while (
        self.state == 'open' and seconds > 0
    ):

        seconds -= (await self.step(1))  # a remark
"""


def test_what_is_only_written_differently_is_the_same() -> None:
    assert digest_of_text(FORMATTED) == digest_of_text(textwrap.indent(FORMATTED, "    ")) == digest_of_text(READ)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("seconds > 0", "seconds >= 0"),
        ('"open"', '"opened"'),
        ("await self.step(1)", "self.step(1)"),
        ("self, seconds: float", "self, seconds: float = 1"),
        ("async def", "@once\nasync def"),
        ("-=", "+="),
    ],
)
def test_what_does_something_else_is_another(before: str, after: str) -> None:
    assert READ.count(before) == 1 or before == "seconds > 0"
    assert digest_of_text(READ.replace(before, after)) != digest_of_text(READ)
