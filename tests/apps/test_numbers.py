"""Test that copies of numbers equal the original in the `limits.py` of their app."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from apps.accounts import limits as accounts
from apps.accounts.sign_in import passwords
from apps.community import limits as community
from apps.community.services import posts
from apps.core import limits as core
from apps.live import limits as live
from apps.live import services as live_services
from apps.ranking import enums as ranking_enums
from apps.ranking import limits as ranking
from apps.ranking import method, method2
from apps.ranking import services as ranking_services
from apps.ratings import limits as ratings
from apps.ratings.services import submission
from components.parts.stages import ranking_table as table
from components.ui import marks
from project.limits import rates
from tests.general import app_names

ROOT = Path(__file__).parents[2]
LIMITS = tuple(
    import_module(f"apps.{app}.limits") for app in app_names() if (ROOT / "apps" / app / "limits.py").exists()
)
TYPED = re.compile(r'(?:max_?[lL]ength"?\s*[=:]\s*|asked\.text\([^)]*, )(\d{2,}|[\d_]{3,})')
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ASSIGNMENTS = re.compile(r"^([A-Z][A-Z_]+(?:, [A-Z_]+)*) = .*\d", re.MULTILINE)


def script_constant(path: str, name: str) -> int:
    """Return the number with this name in a script."""
    source = (ROOT / "components" / path).read_text(encoding="utf-8")
    match = re.search(rf"^const {name} = (\d+);", source, re.MULTILINE)
    assert match, f"{path} has no {name}"
    return int(match[1])


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in (ROOT / folder).rglob("*.py") if path.name != "limits.py"]


def test_components_contain_no_length():
    assert not [path for path in sources("components") if TYPED.search(path.read_text(encoding="utf-8"))]
    assert TYPED.findall('html.input({"maxLength": 500}), asked.text("title", 200), field(maxLength=100_000)')


def numbers_of(*modules: Any) -> set[str]:
    """Return the names of the numbers in these modules."""
    return {
        name for module in modules for name, value in vars(module).items() if name.isupper() and isinstance(value, int)
    }


def test_limits_are_not_defined_again():
    folders = {"components": numbers_of(*LIMITS)}
    for module in LIMITS:
        folders[module.__name__.replace(".", "/").removesuffix("/limits")] = numbers_of(core, module)
    assert all({"ADDRESS_LENGTH", "SEARCH_LENGTH", "MINUTE"} <= numbers for numbers in folders.values())
    assert len(LIMITS) >= 8
    paths = [(path, numbers) for folder, numbers in folders.items() for path in sources(folder)]
    offenders = [
        path
        for path, numbers in paths
        if "migrations" not in path.parts
        for names in ASSIGNMENTS.findall(path.read_text(encoding="utf-8"))
        if numbers & {*names.split(", ")}
    ]
    assert not offenders


def test_keyboard_has_a_key_for_every_mark():
    assert (marks.KEYS, marks.FIVE) == (ratings.PIECE_HIGHEST, ratings.PERFORMANCE_HIGHEST)


LEAST = NUMBERS[method.LEAST_PERFORMANCES]
SENTENCES = {
    live_services: [f"at most {live.COMMENT_LENGTH} characters"],
    posts: [
        *(f"at most {length:,} characters" for length in (community.POST_LENGTH, community.COMMENT_LENGTH)),
        f"can write {NUMBERS[community.NEW_LINKS]} links",
    ],
    community: [
        *(f"{limit.amount} posts a day" for limit in (community.POST_DAY, community.NEW_POST_DAY)),
        f"{community.NEW_COMMENT_DAY.amount} comments a day",
        f"one post in {community.POST_PACE.seconds} seconds",
        f"one comment in {community.COMMENT_PACE.seconds} seconds",
    ],
    ranking_services: [f"at most {ranking.REASON_LENGTH} characters"],
    ranking_enums: [
        f"younger than {['', 'a day', 'two days'][ranking.NEW_FOR // core.DAY]}",
        f"for {NUMBERS[ranking.UNIFORM_FROM]} performances or more",
        f"fewer than {LEAST} performances",
    ],
    table: [f"{NUMBERS[method2.LEAST_RATERS]} listeners who marked {NUMBERS[method2.LEAST_PERFORMANCES]} each"],
    method: [
        f"counts after marking {LEAST} performances",
        *(f"n / (n + {number})" for number in (method.OFFSET_SHRINKAGE, method.SPREAD_SHRINKAGE)),
        f"from {NUMBERS[method.SPREAD_FROM]} performances on a factor",
        f"between {method.NARROWEST} and {method.WIDEST:g}",
        f"{NUMBERS[method.ADDED].capitalize()} marks of the stage's average",
        f"Whoever has {NUMBERS[method.LEAST_RATERS]} raters is ranked",
        f"{method.DRAWS:,} times",
    ],
    passwords: [f"at least {accounts.PASSWORD_SHORTEST} characters"],
    submission: [
        *(f"from 1 to {highest}" for highest in (ratings.PIECE_HIGHEST, ratings.PERFORMANCE_HIGHEST)),
        f"at most {ratings.COMMENT_LENGTH:,} characters",
    ],
}


def test_sentences_contain_the_enforced_numbers():
    sentences = [(module, sentence) for module, texts in SENTENCES.items() for sentence in texts]
    assert not [pair for pair in sentences if pair[1] not in inspect.getsource(pair[0])]


def test_browser_limits_are_below_the_sockets():
    assert script_constant("client/src/connection.js", "BURST") < rates.FRAMES.burst
    assert script_constant("client/src/connection.js", "PER_SECOND") <= rates.FRAMES.per_second
    assert script_constant("client/src/commands.js", "LONGEST") < rates.FRAME_BYTES
    assert script_constant("client/src/connection.js", "LONGEST") < rates.FRAME_BYTES
    assert script_constant("static/modules/reactions.js", "PER_SECOND") <= rates.TAPS.per_second
