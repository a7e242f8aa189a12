"""The calls of the selectors that the general tests make on a large database."""

from collections.abc import Mapping

from apps.jury import selectors
from tests.apps.busy_session import LISTENER
from tests.apps.reads import EXPORT, Read

OF_A_SHEET = "the marks of one sheet, which the page shows in one table; a small table is read whole"
READS: Mapping[str, list[Read]] = {
    "jury_sheet": [Read(lambda: selectors.jury_sheet(stage_id=1), 7_000, OF_A_SHEET)],
    "jury_sheet_admin": [Read(lambda: selectors.jury_sheet_admin(sheet_id=1), 7_000, OF_A_SHEET)],
    "jury_sheet_newest": [Read(lambda: selectors.jury_sheet_newest(stage_id=1), 7_000, OF_A_SHEET)],
    "stage_orders_read": [Read(lambda: selectors.stage_orders_read(1), 1_000, OF_A_SHEET)],
    "sheet_counts": [Read(selectors.sheet_counts, 4, "a stage has two sheets at most")],
    "place_holder": [Read(lambda: selectors.place_holder(stage_id=1, place=2, participant_ids=(1, 2)))],
    "jurors_all": [Read(selectors.jurors_all)],
    "jurors_of": [
        Read(
            lambda: selectors.jurors_of(participant_ids=(1, 2)), 200, "each juror has marked each of them in each stage"
        )
    ],
    "rule_current": [Read(selectors.rule_current)],
    "rules_stored": [Read(selectors.rules_stored)],
    "rules_in_use": [Read(selectors.rules_in_use, 4, "a stage has one published sheet")],
    "sheets_existing": [Read(lambda: selectors.sheets_existing(ids=(1, 3, 10**9)))],
    "jury_stages": [Read(selectors.jury_stages)],
    "jury_scores": [Read(lambda: selectors.jury_scores(stage_ids=(1,)), 1_000, OF_A_SHEET)],
    "jury_marks": [Read(lambda: selectors.jury_marks(stage_id=1), 7_000, OF_A_SHEET)],
    "jury_marks_of": [Read(lambda: selectors.jury_marks_of(participant_ids=(1,)))],
    "sheets_admin": [Read(selectors.sheets_admin, 12_000, "the marks of all sheets are counted")],
    "jury_is_shown": [Read(lambda: selectors.jury_is_shown(user_id=LISTENER, stage_id=1))],
    "jury_shown_own": [Read(lambda: selectors.jury_shown_own(user_id=LISTENER), 4, EXPORT)],
    "jury_csv": [Read(lambda: selectors.jury_csv(stage_id=1), 7_000, OF_A_SHEET)],
    "content_of": [Read(lambda: selectors.content_of(1), 7_000, OF_A_SHEET)],
    "sheets_published_by": [Read(lambda: selectors.sheets_published_by(user_id=LISTENER), 4, EXPORT)],
}
# they take a row that a service or a selector has read, or compute only
HELPERS = {
    "rule_of",
    "rule_version",
    "scores_before",
    "scores_by_place",
    "sheet_state",
    "sheets_counting",
    "stages_depending",
}
# Each stage has a published sheet: 17 jurors mark a hundred participants.
ROWS = """
INSERT INTO jury_shown (user_id, stage_id)
SELECT listener, stage FROM generate_series(1, 5000) AS listener, generate_series(1, 4) AS stage;
INSERT INTO jury_rules (id, edition, version, lowest, highest, decimals, distances, weights)
VALUES (1, 'invented', 1, 1, 25, 2, '["3", "2", "2", "2"]',
    '[["1"], ["0.3", "0.7"], ["0.1", "0.2", "0.7"], ["0.1", "0.2", "0.35", "0.35"]]');
INSERT INTO jurors (id, name, name_folded) SELECT n, 'Juror ' || n, 'juror ' || n FROM generate_series(1, 17) AS n;
INSERT INTO jury_sheets (id, stage_id, rule_id, place, digest, file_name, published_at)
SELECT stage, stage, 1, stage, repeat('0', 64), '', now() FROM generate_series(1, 4) AS stage;
INSERT INTO jury_marks (sheet_id, juror_id, participant_id, score)
SELECT stage, juror, participant, 10 + (participant + juror) % 15
FROM generate_series(1, 4) AS stage, generate_series(1, 17) AS juror, generate_series(1, 100) AS participant;
INSERT INTO jury_results (sheet_id, participant_id, mean, score, corrected, rank, plain_rank)
SELECT stage, participant, 17, 17, 0, 1, 1
FROM generate_series(1, 4) AS stage, generate_series(1, 100) AS participant;
"""
