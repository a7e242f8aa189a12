"""Test that every selector is called on a large database by its app's `general.py`.

test_rows_read.py checks the rows that these calls read, by PostgreSQL's query plans.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from apps.core import audit
from tests.apps.reads import Read
from tests.general import app_names, generals

# A competition has about a hundred participants, tens of sessions and one catalogue: queries may read them as a whole.
BOUNDED = {
    *("participants", "performances", "stages", "sessions", "session_participants", "session_participant_pieces"),
    "calendar_entries",  # of the sessions and their appearances
    *("prize_lists", "prizes", "prize_recipients"),  # at most PRIZES_MOST of a stage, in three states
    # of each stage the two newest runs are kept, and those of the newest INTERVALS_KEPT intervals of an open ranking
    *("performing_times", "ranking_runs", "ranking_rows", "ranking_intervals"),
    *("pieces", "piece_rating_counts", "piece_mark_counts", "performance_rating_counts", "rating_submission_counts"),
    *("advance_recommendation_counts", "session_comment_counts", "report_case_counts", "follow_counts"),
}
READS: Mapping[str, list[Read]] = {
    f"{app}.{name}": reads
    for app, general in generals().items()
    for name, reads in getattr(general, "READS", {}).items()
}
HELPERS = {f"{app}.{name}" for app, general in generals().items() for name in getattr(general, "HELPERS", ())}
ROWS = "".join(getattr(general, "ROWS", "") for general in generals().values())


def public_selectors() -> dict[str, Callable[..., object]]:
    """Return every public function of every selectors module, and of the audit, by its short name."""
    modules = [audit]
    for name in [f"apps.{app}.selectors" for app in app_names() if find_spec(f"apps.{app}.selectors")]:
        package = importlib.import_module(name)
        modules.append(package)
        modules_below = pkgutil.walk_packages(getattr(package, "__path__", []), f"{package.__name__}.")
        modules += [importlib.import_module(module.name) for module in modules_below]
    return {
        f"{module.__name__.removeprefix('apps.').replace('.selectors', '')}.{name}": function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
    }


def test_every_selector_is_listed_in_general_py():
    selectors = public_selectors().keys()
    assert len(selectors) >= 90
    assert selectors - READS.keys() - HELPERS == set(), "call them in READS of tests/apps/<app>/general.py"
    assert (READS.keys() | HELPERS) - selectors == set(), "there is no such selector any more"
    assert READS.keys() & HELPERS == set()
