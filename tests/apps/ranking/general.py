"""The calls of the selectors that the general tests make on a large database."""

from collections.abc import Mapping

from apps.ranking import selectors
from apps.ranking import selectors as effects
from apps.ranking.selectors import figures, files, intervals, session_standing, stages
from tests.apps.busy_session import APPEARANCE, LISTENER, PARTICIPANT, SESSION
from tests.apps.reads import EXPORT, OF_A_STAGE, Read

HELPERS = {"figures.audience_figure"}
RATED = "all marks of pieces that one account has given; it rates each performance once"
HELPERS = {"figures.audience_figure"}
READS: Mapping[str, list[Read]] = {
    "own_standings": [
        Read(lambda: selectors.own_standings(user_id=LISTENER), 168 * 5, RATED),
        Read(lambda: selectors.own_standings(user_id=LISTENER, stage_ids=[1]), 168 * 5, RATED),
    ],
    "accounts_own": [Read(lambda: selectors.accounts_own(user_id=LISTENER), 4, EXPORT)],
    "stage_counting": [Read(lambda: selectors.stage_counting(stage_id=1), 101_000, OF_A_STAGE)],
    "figures.audience_figures": [Read(lambda: figures.audience_figures(appearance_ids=[APPEARANCE, 2]))],
    "files.marks_file": [Read(lambda: files.marks_file(stage_id=1))],
    "files.program_file": [Read(lambda: files.program_file(stage_id=1))],
    "files.ranking_csv": [Read(lambda: files.ranking_csv(stage_id=1))],
    "files.ranking_json": [Read(lambda: files.ranking_json(stage_id=1))],
    "intervals.interval_scores": [Read(lambda: intervals.interval_scores(session_id=SESSION))],
    "stages.ranking_sizes": [Read(lambda: stages.ranking_sizes(stage_ids=[1, 2, 3]))],
    "stages.ranking_stage": [Read(stages.ranking_stage)],
    "session_standing.session_standing": [Read(lambda: session_standing.session_standing(session_id=1))],
    "session_standing.session_leaders": [Read(lambda: session_standing.session_leaders(session_id=1))],
    "session_standing.session_marks": [
        Read(lambda: session_standing.session_marks(stage_id=1, appearance_ids=[1, 2, 3]), 30_000, OF_A_STAGE)
    ],
    "unusual_count": [Read(lambda: selectors.unusual_count(stage_id=1), 101_000, OF_A_STAGE)],
    "unusual_get": [Read(lambda: selectors.unusual_get(stage_id=1), 101_000, OF_A_STAGE)],
    "places_of_participant": [Read(lambda: selectors.places_of_participant(participant_id=PARTICIPANT))],
    "ranking_get": [Read(lambda: selectors.ranking_get(stage_id=1))],
    "blind_comparisons": [Read(selectors.blind_comparisons)],
    "places_of_run": [Read(lambda: selectors.places_of_run(1))],
    "run_get": [Read(lambda: selectors.run_get(stage_id=1))],
    "decisions_own": [Read(lambda: selectors.decisions_own(user_id=LISTENER))],
    "crowd_accounts": [
        Read(lambda: selectors.crowd_accounts(stage_id=1, appearance_id=1, is_above=True), 5_000, OF_A_STAGE)
    ],
    "is_weighed_less": [Read(lambda: selectors.is_weighed_less(stage_id=1, user_id=LISTENER))],
    "program_effects": [Read(lambda: effects.program_effects(APPEARANCE, [1]), 10_000, "all marks of one performance")],
}
# Each stage's newest run counts three marks of every account, and each session had fifty intervals.
ROWS = """
INSERT INTO ranking_accounts (user_id, stage_id, marks, is_in_burst)
SELECT listener, stage, '{"1": 17.5, "2": 9.0, "3": 21.25}', listener % 100 = 0
FROM generate_series(1, 5000) AS listener, generate_series(1, 4) AS stage;
INSERT INTO ranking_intervals (stage_id, session_id, run_id)
SELECT session.stage_id, session.id, (SELECT max(id) FROM ranking_runs WHERE stage_id = session.stage_id)
FROM sessions AS session, generate_series(1, 50);
"""
