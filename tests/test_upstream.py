"""The digest of upstream code changes with its behaviour, not with its formatting, comments or annotations."""

import textwrap

from tests.offenders import check_each
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


OTHERS = {
    "seconds > 0": "seconds >= 0",
    '"open"': '"opened"',
    "await self.step(1)": "self.step(1)",
    "self, seconds: float": "self, seconds: float = 1",
    "async def": "@once\nasync def",
    "-=": "+=",
}


def test_what_does_something_else_is_another() -> None:
    def check(before: str) -> None:
        assert READ.count(before) == 1
        assert digest_of_text(READ.replace(before, OTHERS[before])) != digest_of_text(READ)

    check_each(OTHERS, check)
