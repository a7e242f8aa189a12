"""Rankings as version 1 computed, stored and closed them, row by row; the version before this one wrote such rows."""

import random

from django.utils import timezone

from apps.accounts.selectors.own_account import accounts_younger
from apps.ranking import method
from apps.ranking.enums import NotCounted
from apps.ranking.limits import NEW_FOR
from apps.ranking.models import RankingAccount, RankingRow, RankingRun
from apps.ranking.publication import packed, performer_labels, written
from apps.ranking.selectors import stage_counting


def closed_by_version_1(stage_id: int, *, has_accounts: bool = True) -> RankingRun:
    """Compute, store and close this stage's ranking with version 1, and return its run.

    Its file has a random number for each rater, and marks as Python writes them. An account that another rule keeps
    out has a row without marks.
    """
    counting = stage_counting(stage_id=stage_id)
    labels = performer_labels(counting.field)
    people = list({each.user_id for each in counting.marks})
    random.shuffle(people)
    numbers = {user_id: number for number, user_id in enumerate(people, start=1)}
    ordered = sorted((numbers[each.user_id], labels[each.appearance_id], each.mark) for each in counting.marks)
    made = method.ranking((str(rater), performer, mark) for rater, performer, mark in ordered)
    run = RankingRun.objects.create(
        stage_id=stage_id,
        method=method.VERSION,
        digest=made.digest,
        raters=made.raters,
        marks=made.marks,
        is_final=True,
        final_at=timezone.now(),
        has_accounts=has_accounts,
        file=packed(
            written(
                ("rater", "performer", "mark"),
                ((rater, name, repr(mark)) for rater, name, mark in ordered),
                has_bom=False,
            )
        ),
        **{each.value: 0 for each in NotCounted},
    )
    appearance_of = {name: pk for pk, name in labels.items()}
    for row in made.rows:
        columns = row._asdict()
        RankingRow.objects.create(run=run, appearance_id=appearance_of[columns.pop("performer")], **columns)
    if has_accounts:
        marks: dict[int, dict[str, float]] = {user_id: {} for user_id in accounts_younger(seconds=NEW_FOR)}
        for each in counting.marks:
            marks.setdefault(each.user_id, {})[str(each.appearance_id)] = each.mark
        RankingAccount.objects.bulk_create(
            RankingAccount(user_id=user_id, stage_id=stage_id, marks=given, is_in_burst=not given)
            for user_id, given in marks.items()
        )
    return run
