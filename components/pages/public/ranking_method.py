"""The page of the ranking method, version 3: the docstring of the method's code, the rules of marks, the jury's rules.

The docstring of `apps/ranking/method2.py` is the only description of the computation. Its paragraphs and steps are
gettext sources, with single spaces in place of line breaks.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import cleandoc

from apps.accounts.actors import Viewer
from apps.core.limits import HOUR
from apps.core.texts import Texts, texts
from apps.ranking import agreement, method2, suspicion
from apps.ranking.limits import EVENING_LASTS, NEW_FOR
from apps.ranking.method2 import LEAST_PERFORMANCES
from apps.ranking.selectors import own_standings
from components.parts.jury.rules import jury_rules
from components.parts.ratings.standing_words import standing_words
from components.parts.stages.rank_words import ADDED_MARKS, PUBLISHED
from components.parts.stages.ranking import blind_differences
from components.runtime import (
    Fills,
    Markup,
    Page,
    PageRequest,
    Ref,
    SlotQuery,
    VdomDict,
    cached_markup,
    component,
    fill,
    html,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import link
from components.ui.frames import HARD, first_section, main, section

BRACKETS = re.compile(r"\([^()]* - [^()]*\)|\((?:100 \()?[^()]*\u00a0\+[^()]*\)+")  # of a formula
FIRST = "1. "  # start of the paragraph with steps
OWN_MARKS = "own_marks"  # the slots' name
# sources of gettext
ITEMS = (
    "Each item of a program counts once, whatever its length. A sonata or a concerto is one item with one mark, and so "
    "is a set of pieces: a listener who gives 15 to a waltz and 21 to the three Mazurkas op. 59 as a set has given "
    "36 points for 2 pieces, a mean of 18.00."
)
DECIDED = (
    "Marks that wait for approval do not count yet, nor does a performance of which less than half of the program is "
    "marked. Beyond that these marks do not count:"
)
RULES = (
    "those of accounts younger than {new} hours, unless an administrator lets the account weigh fully;",
    "those of accounts that an administrator has left out, with a reason that the member reads;",
    "those of listeners who have marked fewer than {least} performances of the stage.",
)
LET_OUT = (
    "The page says how many marks do not count for each reason. A person who compares the public lists with the "
    "ranking can find out whose they are."
)
HASHES = (
    "Sheets of weight 0 do not enter the computation and are published as hashes in `ranking.json`, like those of "
    "deleted accounts, which leave the file within a day. The commitment is checked with the sheets and these hashes. "
    "The names in the files are those of the closing; a later name stands beside them on the page of the stage."
)
REPEATED = (
    "When a participant plays twice in a stage, one performance counts. The other one is repeated: it is rated and "
    "shown, but not ranked."
)
WEIGHTS = (
    (
        "An account weighs 1, 1/2 or 1/4. Unless its sheet agrees too well with others, it weighs less only if three "
        "things come together: its mark of a performance lies far from the others; more such marks lie on that side "
        "of the performance than chance explains; and the account has little else in common with the audience. Each "
        "is a number from 0 to 1. Their product is the score: from {half} on the weight is 1/2, from {quarter} on it "
        "is 1/4."
    ),
    (
        "A distance begins to be far at {near} times the scale s of step 3 and is entirely far at {far} times. Honest "
        "marks on the evenings of {days} days halve the score, and other days count half. A mark of the evening "
        "itself, made while the session is live or within {evening} hours of its beginning, has {share} of the score. "
        "But the whole score counts for an account without any mark of an evening, and for a newcomer: an account "
        "that marked one session only and was made within {newcomer} days before it or later. Marks within the same "
        "hour, marks from one address block and similar sheets raise a score, and never make one. The venue’s "
        "addresses and blocks of more than {crowded} listeners are no sign."
    ),
    (
        "Distances are measured from the scores that follow from marks of the evening by accounts of two days or "
        "more, where ten of them have marked the performance; else newcomers and late accounts count as 1/4 there. So "
        "a crowd cannot make itself the audience. Far marks on the other side of a performance explain a crowd only as "
        "much as they count in step 4: marks of 1 cancel little."
    ),
    (
        "Sheets that agree too well weigh 1/4, without any far mark: {sheet} performances and more given within an "
        "hour, as at least {others} other such sheets have them, closer to each other than any two listeners of the "
        "invented audiences. From {sheet} performances in common on, the mean difference is {closest} s at most; with "
        "more performances it may be larger, up to {widest} s."
    ),
    (
        "An administrator may let an account weigh fully, or leave it out. Either needs a reason, which is kept. Only "
        "this gives the weight 0. Members see whether their marks count, not how much they weigh; weights are in the "
        "file of marks, which is published when the ranking is closed."
    ),
)
FIRST_RANKING = (
    "Performances are ranked once ten listeners who marked three each have marked them. Until then the page says how "
    "many of the ten there are, and nothing else of their marks."
)
DETAILS = (
    "The plain mean of each performance is in its opened row, with the number of its ratings that arrived in its "
    "last hour: the hour up to its newest mark, without marks of the evening itself. Many of them show a crowd that "
    "arrived together. A mark that was changed arrived when it was changed."
)
CROWDS = (
    "Of {listeners} listeners of invented audiences with no crowd among them, none weighed less. A following is a "
    "crowd, too: of 30 listeners who mark their favourite four points higher in the night after it played, half weigh "
    "less. An administrator can decide about a crowd as a whole, with one reason."
)
REMAINING = (
    "What crowds can still do was measured with invented audiences of 120 to 300 listeners: how far a performance gets "
    "that is 18th without the crowd, on average."
)
LISTENERS = 18_300  # `python -m benchmarks.ranking_study --only registered` (ADR 40)
# `python -m benchmarks.ranking_study --only crowds,remaining` (ADR 40): the crowd, and the place that it reaches.
PLACES = (
    ("100 accounts of one week, six late marks each", 7),
    ("100 new accounts on one evening, five marks each", 7),
    ("60 new accounts on one evening, and 40 that mark the favourite 1", 14),
    ("20 sheets of 41 marks near the published scores, an hour each", 13),
    ("the same, each mark moved by up to two points", 9),
    ("the same near the scores, but over two days each", 8),
    ("100 new accounts on one evening, three points above the mean", 4),
    ("100 accounts made a week before, on one evening", 2),
    ("100 new accounts on two evenings, five marks each", 1),
    ("25 accounts made a week before, with marks of every evening", 7),
)
SMALL = (
    "Marks of a performance with fewer than ten listeners are not used at all, not even to see who marks high: the "
    "file of marks would have to publish them, and from a listener’s correction a single mark can be computed. So an "
    "audience of 20 to 40 loses about 0.01 of the agreement with the true order, which is 0.76 there (Kendall’s tau)."
)
LIMITS = (
    "No method can do everything. A majority of a performance’s raters is its audience. Marks that are honest but for "
    "four points more for a favourite look like taste. Accounts that mark honestly on the evenings of several days and "
    "lift one performance weigh fully: that is the price of such a lift."
)
BARS = (
    "The bar around a score says how well the audience’s score is known: it should hold the mean of many audiences of "
    "the same kind in 90 of 100 cases, and the interval of a rank the true rank. Another audience of the same size is "
    "as uncertain itself: it agrees within the bar three times in four (76 of 100). All of this was measured on "
    "invented audiences, whose scores and true order are known:"
)
# Measured by `python -m benchmarks.ranking_study --only coverage --audiences 40` (ADR 28): percent of the bars that
# hold the audience's score, and percent of the intervals that hold the true rank.
COVERAGE = (
    ("40 listeners of 20 performances", 92, 95),
    ("120 listeners of 20 performances", 89, 96),
    ("60 listeners of 40 performances", 91, 91),
    ("300 listeners of three to five of 40 performances", 90, 93),
    ("25 listeners of all of 12 performances", 95, 95),
    ("120 listeners, some very severe and some very mild", 87, 96),
    ("120 listeners, some with narrow and some with wide sheets", 90, 97),
    ("120 listeners who disagree much", 90, 94),
    ("120 listeners, some of an opinion far from all others", 90, 96),
    ("300 listeners of 40 performances of nearly equal quality", 89, 92),
    ("200 listeners, most of them of the same few performances", 89, 89),
    ("all of these: performances with 10 to 14 listeners", 91, 86),
    ("all of these: performances with 15 to 29 listeners", 92, 93),
    ("all of these: performances with 30 to 59 listeners", 89, 95),
    ("all of these: performances with 60 listeners and more", 89, 93),
)
VERSION_3 = (
    "Version 3 of the method differs from version 2 in this section only: newcomers of one session, accounts without "
    "an evening, marks that cancel a crowd, and sheets that agree. Rankings that were closed with version 2 keep its "
    "weights."
)
OLDER = (
    "Rankings that were closed with version 1 of the method keep its numbers. Their page offers the program of version "
    "1, and their file of marks has no weights."
)
OWN_EARS = (
    "Members hear with their own ears first: the audience’s averages, distributions, single marks, scores and ranks of "
    "a performance are covered for them until they have marked it, unless they ask for them. Their ranking counts "
    "ranks among the performances that they see. Their profile has a choice to see everything at once."
)
BLIND = (
    "A rating is called blind when these figures were covered for its member when each of its marks was first given. "
    "The server notes that by itself, so nothing that a browser sends can change it. For marks given while signed out "
    "this is not known, so they are not called blind."
)
NOT_BLIND = (
    "It says what this site has shown to an account, not what a listener has seen: visitors who are not signed in see "
    "all figures except those at the keys, and the others are folded only once they begin to mark; the files of a "
    "ranking are the same for everybody, and a second, signed-out window can always be opened. No file says which "
    "rating was blind; who watches the page of a stage while single ratings begin to count can tell."
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
    language = request.language
    parts = {"differences": blind_differences(language=language), "jury": jury_rules(language=language)}
    return Page(description=words, component=method_page, parts=parts, slots=(_own_marks_slots(language),))


def _own_marks_slots(language: str) -> SlotQuery:
    """Return the query for the sentence about the viewer's own marks."""
    return slot_query(own_marks_fills, topics=("account.<id>.ratings",), language=language)


def own_marks_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return how many of the viewer's marked performances count, and what the others still need."""
    if viewer.id is None:
        return {}
    t, standings = texts(language), own_standings(user_id=viewer.id).values()
    counted = Counter(standing_words(each, language) for each in standings)
    states = "; ".join(t("{state} ({n})").format(state=words, n=n) for words, n in counted.most_common())
    marked = t("The performances that you marked: {states}.").format(states=states)
    words = marked if states else t("You have sent no mark yet.")
    return {f"{OWN_MARKS}:own": fill({"hidden": False}), f"{OWN_MARKS}:words": fill({}, words)}


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
    """Render what a mark must pass with the viewer's own state, then the algorithm and the jury's rules."""
    return _method(page.title, page.parts["differences"], page.parts["jury"], page.language)


@cached_markup
def _method(heading: str, differences: Ref, jury: Ref, language: str) -> VdomDict:
    t = texts(language)
    lead, *blocks = blocks_of(method2.__doc__ or "")
    steps_at = next(n for n, each in enumerate(blocks) if each.is_steps)
    rules = html.ul({"class": "method__rules"}, *(html.li({"key": str(n)}, words) for n, words in enumerate(_rules(t))))
    return main(
        first_section(heading, html.p({"class": "lead"}, *_words(lead.words[0], t))),
        section(
            t("What a mark must pass"),
            html.div(
                {"class": "body prose method"},
                html.p(
                    {"class": "message", "hidden": True} | slot(OWN_MARKS, "own"),
                    html.span(slot(OWN_MARKS, "words")),
                    " ",
                    link("/profile?tab=ratings", t("My Ratings")),
                ),
                html.p(t(DECIDED)),
                rules,
                *(html.p(t(words)) for words in (LET_OUT, REPEATED, FIRST_RANKING)),
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
        section(t("The algorithm"), _prose([*blocks[steps_at:], Block((ITEMS,))], t), name="algorithm"),
        section(
            t("To check it yourself"),
            _prose([*blocks[:steps_at], Block((PUBLISHED,)), Block((HASHES,)), Block((ADDED_MARKS,))], t),
        ),
        section(
            t("What weighs less"),
            html.div(
                {"class": "body prose method"},
                *(html.p({"key": str(n)}, words) for n, words in enumerate(_weights(t))),
                html.p(t(CROWDS).format(listeners=f"{LISTENERS:,}")),
                html.p(t(REMAINING)),
                _places(t),
                *(html.p(t(words)) for words in (LIMITS, SMALL, DETAILS, VERSION_3, OLDER)),
            ),
            name="weights",
        ),
        section(
            t("How sure the results are"),
            html.div({"class": "body prose method"}, html.p(t(BARS)), _coverage(t)),
            name="intervals",
        ),
        shared_part(jury),
    )


def _places(t: Texts) -> VdomDict:
    """Return the table of crowds with the places that they reach."""
    lines = (
        html.tr({"key": crowd}, html.th({"scope": "row"}, t(crowd)), html.td(str(place))) for crowd, place in PLACES
    )
    heads = (html.th({"scope": "col", "key": each}, each) for each in (t("Crowd"), t("Place")))
    return html.table(html.thead(html.tr(*heads)), html.tbody(*lines))


def _coverage(t: Texts) -> VdomDict:
    heads = (t("Invented audience"), t("Bar holds"), t("Rank holds"))
    lines = (
        html.tr(
            {"key": audience},
            html.th({"scope": "row"}, t(audience)),
            *(html.td(t("{n} %").format(n=percent).replace(" ", HARD)) for percent in percents),
        )
        for audience, *percents in COVERAGE
    )
    head = html.thead(html.tr(*(html.th({"scope": "col", "key": each}, each) for each in heads)))
    return html.table(head, html.tbody(*lines))


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
    words = words.replace("'", "’").replace(" / ", f"{HARD}/{HARD}").replace(" + ", f"{HARD}+{HARD}")
    return BRACKETS.sub(lambda formula: formula[0].replace(" ", HARD), words)


def _rules(t: Texts) -> list[str]:
    return [t(words).format(new=NEW_FOR // HOUR, least=LEAST_PERFORMANCES) for words in RULES]


def _weights(t: Texts) -> list[str]:
    numbers = {
        "half": suspicion.HALF_FROM,
        "quarter": suspicion.QUARTER_FROM,
        "near": suspicion.NEAR,
        "far": suspicion.FAR,
        "days": suspicion.DAYS,
        "evening": EVENING_LASTS // HOUR,
        "share": suspicion.ON_THE_EVENING,
        "crowded": suspicion.CROWDED,
        "newcomer": suspicion.NEWCOMER,
        "sheet": agreement.CLOSEST[0][0],
        "closest": agreement.CLOSEST[0][1],
        "widest": agreement.CLOSEST[-1][1],
        "others": agreement.OTHERS,
    }
    written = {name: f"{number:g}" for name, number in numbers.items()}
    return [t(words).format(**written) for words in WEIGHTS]
