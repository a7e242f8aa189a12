"""Writes at and after the closing of a ranking: raters' numbers, performers' names, and sheets that are not published.

The caller holds the lock on the stage's runs.
"""

from django.db import connection

from apps.competition.selectors.public.stages import stage_field
from apps.ranking import method
from apps.ranking.models import RankingAccount, RankingMissingSheet, RankingRow, RankingRun
from apps.ranking.publication import old_labels, old_raters, performer_labels, raters_of, sheets_of

_RATERS = """
UPDATE ranking_accounts AS account SET rater = numbered.rater
FROM unnest(%s::bigint[], %s::int[]) AS numbered (user_id, rater)
WHERE account.stage_id = %s AND account.user_id = numbered.user_id
"""


def raters_store(stage_id: int, run_id: int) -> None:
    """Store each counted account's number in the file of the run that becomes final, before its secret is deleted.

    A run without a secret is of version 1, or was closed before: then the numbers are stored.
    """
    file, secret = RankingRun.objects.values_list("file", "secret").get(pk=run_id)
    if secret is None:
        return
    accounts = RankingAccount.objects.filter(stage_id=stage_id, quarters__gt=0).values_list("user_id", flat=True)
    raters = raters_of(bytes(file), bytes(secret), accounts)
    with connection.cursor() as cursor:
        cursor.execute(_RATERS, [list(raters), list(raters.values()), stage_id])


def labels_store(run: RankingRun) -> int:
    """Store the performers of a closed run as its file names them, if they are not stored. Return their number."""
    rows = list(run.rows.filter(label="", appearance__isnull=False))
    if not rows:
        return 0
    figures = {row.appearance_id or 0: (row.raters, row.mean) for row in rows}
    labels = old_labels(bytes(run.file), figures, performer_labels(stage_field(stage_id=run.stage_id)))
    for row in rows:
        row.label = labels[row.appearance_id or 0]
    return RankingRow.objects.bulk_update([row for row in rows if row.label], ["label"])


def sheets_remove(run: RankingRun) -> bool:
    """Replace the sheets of deleted accounts and of weight 0 in the file of a final run by their hashes.

    Return whether there were any. A run without accounts, of a version before, keeps its file.
    """
    if not run.has_accounts:
        return False
    accounts = RankingAccount.objects.filter(stage_id=run.stage_id)
    is_old = run.method == method.VERSION
    with_sheets = accounts.exclude(marks={}) if is_old else accounts.filter(rater__isnull=False, quarters__gt=0)
    if with_sheets.count() + run.missing_sheets.count() == (run.raters if is_old else run.sheets):
        return False
    file = bytes(run.file)  # read here, because most computations need no file
    if is_old:
        labels = {row.appearance_id or 0: row.label for row in run.rows.filter(appearance__isnull=False)}
        raters = old_raters(file, with_sheets.values_list("marks", flat=True), labels)
    else:
        raters = {rater for rater in with_sheets.values_list("rater", flat=True) if rater is not None}
    run.file, hidden = sheets_of(file, raters)
    if not hidden:
        return False
    run.save(update_fields=["file"])
    RankingMissingSheet.objects.bulk_create(RankingMissingSheet(run=run, **sheet._asdict()) for sheet in hidden)
    accounts.filter(quarters=0).update(rater=None)
    return True
