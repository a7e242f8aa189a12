"""The locks of programs: taken before the marks of their pieces, so that no two transactions wait for each other."""

from collections.abc import Collection

from django.db import connection

from apps.competition.models import ProgramEntry

_HOLD = """
SELECT session_participant_id, piece_id FROM session_participant_pieces
WHERE session_participant_id = ANY(%s) ORDER BY id FOR SHARE
"""


def programs_hold(*, appearance_ids: Collection[int]) -> frozenset[tuple[int, int]]:
    """Keep these programs as they are until the transaction ends, and return their pairs of appearance and piece.

    Whoever stores marks of pieces calls it before ratings are locked; others may hold the same programs.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [list(appearance_ids)])
        return frozenset(cursor.fetchall())


def programs_lock(*, appearance_ids: Collection[int]) -> None:
    """Lock the entries of these programs until the transaction ends, for who takes pieces out of them."""
    found = ProgramEntry.objects.select_for_update().filter(session_participant_id__in=appearance_ids)
    list(found.order_by("pk").values_list("pk"))
