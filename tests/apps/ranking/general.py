"""What the general tests use of the app ranking: its selectors' calls on a large database."""

from collections.abc import Mapping

from apps.ranking import selectors
from apps.ranking import selectors as effects
from tests.apps.busy_session import (
    APPEARANCE,
    LISTENER,
    PARTICIPANT,
)
from tests.apps.reads import OF_A_STAGE, Read

READS: Mapping[str, list[Read]] = {
    "stage_counting": [Read(lambda: selectors.stage_counting(stage_id=1), 101_000, OF_A_STAGE)],
    "marks_file": [Read(lambda: selectors.marks_file(stage_id=1))],
    "ranking_csv": [Read(lambda: selectors.ranking_csv(stage_id=1))],
    "ranking_json": [Read(lambda: selectors.ranking_json(stage_id=1))],
    "ranking_rows": [Read(lambda: selectors.ranking_rows(stage_id=1))],
    "quarantine_get": [Read(lambda: selectors.quarantine_get(stage_id=1), 101_000, OF_A_STAGE)],
    "places_of_participant": [Read(lambda: selectors.places_of_participant(participant_id=PARTICIPANT))],
    "ranking_get": [Read(lambda: selectors.ranking_get(stage_id=1))],
    "run_get": [Read(lambda: selectors.run_get(stage_id=1))],
    "releases_own": [Read(lambda: selectors.releases_own(user_id=LISTENER))],
    "program_effects": [Read(lambda: effects.program_effects(APPEARANCE, [1]), 10_000, "all marks of one performance")],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {
    "packed",
    "performer_labels",
    "written",
}
