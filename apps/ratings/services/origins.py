"""Origins of ratings: which ones were submitted from one address block, without storing addresses.

`origin_store` keeps HMAC-SHA-256 of the /24 of an IPv4 address or the /48 of an IPv6 address, with a key of the stage.
With the key, the digest of every possible block can be computed and compared. So the key exists only while the stage's
ranking is open: the closing deletes it, and the digests in the same transaction. A reopened ranking has another key.
The ranking reads the digests (`stage_blocks`); a member's download of personal data has the member's own.
"""

import hmac
import os
from ipaddress import ip_network

from django.db import connection, transaction

from apps.core.observability import is_venue
from apps.ratings.limits import BLOCK_BITS, STAGE_KEY
from apps.ratings.models import RatingOrigin, StageKey

_KEY = """
SELECT of_stage.stage_id, of_stage.key
FROM session_participants AS appearance JOIN stage_keys AS of_stage ON of_stage.stage_id = appearance.stage_id
WHERE appearance.id = %s
"""
# Does not insert a row when the key was deleted since it was read, also when another one was made.
_STORE = """
INSERT INTO rating_origins (user_id, session_participant_id, stage_id, digest)
SELECT %(user)s, %(appearance)s, stage_id, %(digest)s FROM stage_keys
WHERE stage_id = %(stage)s AND key = %(key)s FOR KEY SHARE
ON CONFLICT (user_id, session_participant_id) DO UPDATE SET stage_id = EXCLUDED.stage_id, digest = EXCLUDED.digest
"""


def address_block(client: str) -> str:
    """Return the block of an address, such as "192.0.2.0/24" or "2001:db8:1::/48".

    `client` is an address as `address_key` returns it. Returns an empty string for an unknown client, and for a venue:
    its audience shares one block.
    """
    if not client or is_venue(client):
        return ""
    network = ip_network(client)
    return str(network.supernet(new_prefix=BLOCK_BITS[network.version]))


def origin_store(*, user_id: int, appearance_id: int, client: str) -> None:
    """Replace the digest of a rating's address block by that of the client's. Without a block there is none.

    Does not store a digest while the stage has no key. The caller has locked the rating and written its marks, and
    calls this last: a closing waits until the transaction ends.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEY, [appearance_id])
        found = cursor.fetchone()
        if found is None:
            return
        stage_id, key = found[0], bytes(found[1])
        if not (block := address_block(client)):
            RatingOrigin.objects.filter(user_id=user_id, appearance_id=appearance_id).delete()
            return
        digest = hmac.digest(key, block.encode(), "sha256").hex()
        rating = {"user": user_id, "appearance": appearance_id}
        cursor.execute(_STORE, rating | {"stage": stage_id, "key": key, "digest": digest})


def stage_key_make(*, stage_id: int) -> None:
    """Make the key of a stage if it is missing. The caller holds the stage's ranking open."""
    StageKey.objects.bulk_create([StageKey(stage_id=stage_id, key=os.urandom(STAGE_KEY))], ignore_conflicts=True)


@transaction.atomic
def stage_key_delete(*, stage_id: int) -> None:
    """Delete the key of a stage, and with it the digests.

    Lock the table first against a deadlock: transactions that delete ratings lock digests in another order. The digest
    of a rating that is submitted at the same time is deleted here, or not stored.
    """
    if not StageKey.objects.filter(stage_id=stage_id).exists():
        return
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE rating_origins IN SHARE ROW EXCLUSIVE MODE")
    StageKey.objects.filter(stage_id=stage_id).delete()
