"""The page of the ranking method, version 1: the docstring of the method's code, and the rules of the quarantine.

The docstring of `apps/ranking/method.py` is the only description of the computation. Its paragraphs and steps are
gettext sources, with single spaces in place of line breaks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import cleandoc

from apps.core.limits import HOUR, MINUTE
from apps.core.texts import Texts, texts
from apps.ranking import method
from apps.ranking.limits import (
    BURST_ABOVE,
    BURST_WITHIN,
    EVENING_LASTS,
    NEW_FOR,
    OUTER_FIFTHS,
    TRIED_FROM,
    UNIFORM_FROM,
)
from apps.ranking.method import LEAST_PERFORMANCES
from components.parts.ranking import blind_differences
from components.runtime import Markup, Page, PageRequest, Ref, VdomDict, cached_markup, component, html, shared_part
from components.ui.frames import HARD, first_section, main, section

FIRST = "1. "  # start of the paragraph with steps
# sources of gettext
DECIDED = (
    "Marks that wait for approval do not count yet, nor does a performance of which less than half of the program is "
    "marked. Beyond that rules alone keep marks out, the same for everybody; nobody can add anyone by hand. Whoever is "
    "kept out sees their own marks as ever, and they count as soon as no rule holds any more:"
)
REPEATED = (
    "When a participant plays twice in a stage, one performance counts. The other one is repeated: it is rated and "
    "shown, but not ranked."
)
RULES = (
    "accounts younger than {new} hours;",
    "whoever gave the same mark to {uniform} performances or more, and no other mark;",
    (
        "bursts: more than {burst} accounts that within {minutes} minutes give one performance a mark of {low} or "
        "less, or of {high} or more. Marks of the evening itself are none: those given while the session is live, or "
        "within {evening} hours of its beginning. Whoever has marked {tried} performances of the stage is in no burst;"
    ),
    "whoever has marked fewer than {least} performances of the stage.",
)
LET_OUT = (
    "An administrator may let single accounts out, with a reason, which is kept. The page says how many marks do not "
    "count for each reason, never whose they are."
)
OWN_EARS = (
    "Members hear with their own ears first: the audience’s averages, distributions, single marks, scores and ranks of "
    "a performance are covered for them until they have marked it, unless they ask for them. Their ranking counts "
    "ranks among the performances that they see. Their profile has a choice to see everything at once."
)
BLIND = (
    "A rating is called blind when these figures were covered for its member as each of its marks was first struck. "
    "The server notes that by itself, so nothing that a browser sends can change it. Of marks that were made signed "
    "out it is unknown, and they are not called blind."
)
NOT_BLIND = (
    "It says what this site has shown to an account, not what a listener has seen: visitors who are not signed in see "
    "all figures until they begin to mark, the files of a ranking are the same for everybody, and a second, "
    "signed-out window can always be opened. No file says which rating was blind."
)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of the docstring on one line, a command to type (`is_code`), or several steps."""

    words: tuple[str, ...]
    is_code: bool = False
    is_steps: bool = False


def load(request: PageRequest) -> Page:
    """Return the page of the ranking method."""
    words = request.t("How the audience’s ranking of a stage is counted, step by step, with its sources.")
    parts = {"differences": blind_differences(language=request.language)}
    return Page(description=words, component=method_page, parts=parts)


def blocks_of(docstring: str) -> tuple[Block, ...]:
    """Return the paragraphs of a docstring; one that starts with "1. " contains steps, an indented one is code."""
    return tuple(_block(each) for each in cleandoc(docstring).split("\n\n"))


def _block(paragraph: str) -> Block:
    if paragraph.startswith(" "):
        return Block((paragraph.strip(),), is_code=True)
    if not paragraph.startswith(FIRST):
        return Block((" ".join(paragraph.split()),))
    steps: list[str] = []
    for line in paragraph.splitlines():
        if line.startswith(" "):
            steps[-1] += f" {line.strip()}"
        else:
            steps.append(line.partition(" ")[2])
    return Block(tuple(steps), is_steps=True)


@component
def method_page(page: Page) -> VdomDict:
    """Render the docstring's paragraphs and steps, then the rules of the quarantine."""
    return _method(page.title, page.parts["differences"], page.language)


@cached_markup
def _method(heading: str, differences: Ref, language: str) -> VdomDict:
    t = texts(language)
    lead, *blocks = blocks_of(method.__doc__ or "")
    steps_at = next(n for n, each in enumerate(blocks) if each.is_steps)
    rules = html.ul({"class": "method__rules"}, *(html.li({"key": str(n)}, words) for n, words in enumerate(_rules(t))))
    return main(
        first_section(heading, html.p({"class": "lead"}, *_words(lead.words[0], t))),
        section(t("Step by step"), _prose(blocks[steps_at:], t)),
        section(t("To check it yourself"), _prose(blocks[:steps_at], t)),
        section(
            t("What does not count yet"),
            html.div(
                {"class": "body prose method"},
                html.p(t(DECIDED)),
                rules,
                *(html.p(t(words)) for words in (LET_OUT, REPEATED)),
            ),
        ),
        section(
            t("Own ears first"),
            html.div(
                {"class": "body prose method"},
                *(html.p(t(words)) for words in (OWN_EARS, BLIND, NOT_BLIND)),
                shared_part(differences),
            ),
            name="blind",
        ),
    )


def _prose(blocks: Sequence[Block], t: Texts) -> VdomDict:
    return html.div({"class": "body prose method"}, *(_shown(each, t) for each in blocks))


def _shown(block: Block, t: Texts) -> VdomDict:
    if block.is_code:
        return html.pre(html.code(block.words[0]))
    if block.is_steps:
        steps = (html.li({"key": str(n)}, *_words(each, t)) for n, each in enumerate(block.words, start=1))
        return html.ol({"class": "method__steps"}, *steps)
    return html.p(*_words(block.words[0], t))


def _words(source: str, t: Texts) -> list[Markup]:
    """Return the text in this language, with text between backticks as code."""
    pieces = _set(t(source)).split("`")
    return [html.code(piece) if n % 2 else piece for n, piece in enumerate(pieces) if piece]


def _set(words: str) -> str:
    """Return the text with typographic apostrophes and hard spaces, so that a formula stays on one line."""
    return words.replace("'", "’").replace(" / ", f"{HARD}/{HARD}").replace(" + ", f"{HARD}+{HARD}")


def _rules(t: Texts) -> list[str]:
    low, high = OUTER_FIFTHS
    numbers = {
        "new": NEW_FOR // HOUR,
        "uniform": UNIFORM_FROM,
        "burst": BURST_ABOVE,
        "minutes": BURST_WITHIN // MINUTE,
        "low": low,
        "high": high,
        "evening": EVENING_LASTS // HOUR,
        "tried": TRIED_FROM,
        "least": LEAST_PERFORMANCES,
    }
    return [t(words).format(**numbers) for words in RULES]
