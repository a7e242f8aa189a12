"""Test the digests of address blocks: the blocks, the stored digests, and their deletion."""

import datetime as dt
import hashlib
import hmac
import json
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_network

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from hypothesis import example, given
from hypothesis import strategies as st
from psycopg import sql

from apps.accounts.data_rights import account_data
from apps.competition.models import Session
from apps.core.database.fields import database_now
from apps.core.observability import address_key
from apps.ratings.models import PieceRating, RatingDraft, RatingOrigin, StageKey
from apps.ratings.selectors.counts import stage_blocks
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.moderation import mark_delete, mark_reject, rating_delete
from apps.ratings.services.origins import address_block, stage_key_delete, stage_key_make
from apps.ratings.services.removal import piece_ratings_delete
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from apps.ratings.services.verdicts import TABLES
from tests.factories import PieceRatingFactory, ProgramEntryFactory, UserFactory, viewer_of

HOME, NEIGHBOR, OTHER = "192.0.2.7", "192.0.2.250", "192.0.3.7"


@pytest.fixture
def entries(db):
    """Return the two entries of a performance's program; its stage has a key."""
    first = ProgramEntryFactory()
    stage_key_make(stage_id=first.appearance.session.stage_id)
    return first, ProgramEntryFactory(appearance=first.appearance)


def submit(fan, entries, client, *, score=4):
    """Submit marks of both pieces and of the performance from this address, as `address_key` returns it."""
    marks = {entry.piece_id: 12 for entry in entries}
    form = {"pieces": marks, "score": score, "comment": "Clear."}
    ratings_submit(actor=fan, appearance_id=entries[0].appearance_id, client=client, **form)


def stored():
    """Return the digests by account."""
    return dict(RatingOrigin.objects.values_list("user_id", "digest"))


def digest(block):
    """Return the digest of a block with the only key, by the definition of HMAC (RFC 2104)."""
    key = bytes(StageKey.objects.get().key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + block.encode()).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest()


def test_block_has_the_first_24_or_48_bits_of_the_address():
    ipv4 = "192.0.2.7", "192.0.2.255", "::ffff:192.0.2.7", "::ffff:c000:207"
    blocks = dict.fromkeys(ipv4, "192.0.2.0/24")
    blocks |= dict.fromkeys(["2001:db8:1:2:3:4:5:6", "2001:db8:1:ffff::"], "2001:db8:1::/48")
    blocks |= {"fe80::1%eth0": "fe80::/48", "unix": "", "": ""}
    assert {address: address_block(address_key((address, 4000))) for address in blocks} == blocks


@given(st.ip_addresses(v=4))
@example(IPv4Address(0))
@example(IPv4Address(2**32 - 1))
def test_block_of_ipv4_has_three_numbers_also_if_mapped(address):
    block = address_block(address_key((str(address), 4000)))
    assert block == ".".join([*str(address).split(".")[:3], "0/24"])
    assert address_block(address_key((f"::ffff:{address}", 4000))) == block


@given(st.ip_addresses(v=6), st.integers(0, 2**80 - 1))
def test_block_of_ipv6_has_48_bits(address, host):
    if address.ipv4_mapped:
        return
    block = address_block(address_key((str(address), 4000)))
    assert ip_network(block).prefixlen == 48
    assert address in ip_network(block)
    other = IPv6Address(int(address) >> 80 << 80 | host)
    assert other.ipv4_mapped or address_block(address_key((str(other), 4000))) == block


def test_addresses_of_the_venue_have_no_block(settings):
    clients = "192.0.2.7", "2001:db8:1:2::/64", "2001:db8:9:9::/64"
    assert all(map(address_block, clients))
    venues = ("192.0.2.0/28", "2001:db8:1::/48", "2001:db8:9:9::7")  # the last one is counted by its /64
    settings.VENUE_ADDRESSES = tuple(map(ip_network, venues))
    assert list(map(address_block, clients)) == [""] * 3
    assert address_block("192.0.2.16") == "192.0.2.0/24"
    assert address_block("2001:db8:2:2::/64") == "2001:db8:2::/48"


def test_submitted_rating_has_the_digest_of_its_block(fan, entries):
    submit(fan, entries, HOME)
    assert stored() == {fan.id: digest("192.0.2.0/24")}
    key = bytes(StageKey.objects.get().key)
    assert stored()[fan.id] == hmac.new(key, b"192.0.2.0/24", hashlib.sha256).hexdigest()
    (origin,) = RatingOrigin.objects.all()
    stage_id = entries[0].appearance.session.stage_id
    assert (origin.appearance_id, origin.stage_id) == (entries[0].appearance_id, stage_id)


def test_addresses_are_not_stored(fan, entries):
    submit(fan, entries, HOME)
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        for (table,) in cursor.fetchall():
            rows = sql.SQL("SELECT row_to_json(each)::text FROM {} AS each").format(sql.Identifier(table))
            assert not any("192.0.2" in row for (row,) in cursor.execute(rows)), table


def test_digests_of_a_block_are_equal_only_within_a_stage(fan, entries):
    neighbor, other = (viewer_of(UserFactory()) for _ in range(2))
    submit(fan, entries, HOME)
    submit(neighbor, entries, NEIGHBOR)
    submit(other, entries, OTHER)
    digests = stored()
    assert digests[fan.id] == digests[neighbor.id] != digests[other.id]
    entry = ProgramEntryFactory()
    stage_key_make(stage_id=entry.appearance.session.stage_id)
    RatingOrigin.objects.all().delete()
    submit(fan, [entry], HOME)
    assert stored()[fan.id] != digests[fan.id]


@pytest.mark.parametrize("unchanged", [True, False])
def test_newest_submit_replaces_the_digest(fan, entries, unchanged, settings):
    score = 4 if unchanged else 5
    submit(fan, entries, HOME)
    submit(fan, entries, OTHER, score=score)
    assert stored() == {fan.id: digest("192.0.3.0/24")}
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.0/24"),)
    submit(fan, entries, "198.51.100.1", score=score)
    assert stored() == {}
    submit(fan, entries, HOME, score=score)
    submit(fan, entries, "", score=score)
    assert stored() == {}


def test_submit_without_a_stage_key_stores_no_digest(fan, entries):
    StageKey.objects.all().delete()
    submit(fan, entries, HOME)
    assert stored() == {}
    assert PieceRating.objects.count() == 2


def test_refused_submits_drafts_and_other_marks_have_no_digest(fan, entries):
    PieceRatingFactory(entry=entries[0])
    strikes = Strikes.of_submitted({entries[0].piece_id: 3}, 4, "Clear.", "", 0.0)
    rating_keep(actor=fan, appearance_id=entries[0].appearance_id, strikes=strikes)
    assert RatingDraft.objects.exists()
    Session.objects.update(starts_at=database_now() + dt.timedelta(days=1))
    with pytest.raises(ValidationError, match=r"You can rate once it begins\."):
        submit(fan, entries, HOME)
    assert stored() == {}


def test_stage_key_is_made_once(entries):
    (key,) = StageKey.objects.all()
    stage_key_make(stage_id=key.stage_id)
    (same,) = StageKey.objects.all()
    assert bytes(same.key) == bytes(key.key)
    assert len(bytes(key.key)) == 32
    assert str(same) == str(key.stage_id)


def test_deleted_stage_key_deletes_only_the_digests_of_its_stage(fan, entries):
    entry = ProgramEntryFactory()
    stage_key_make(stage_id=entry.appearance.session.stage_id)
    submit(fan, entries, HOME)
    submit(fan, [entry], HOME)
    stage_key_delete(stage_id=entries[0].appearance.session.stage_id)
    (left,) = RatingOrigin.objects.all()
    assert str(left) == f"{fan.id}, {entry.appearance_id}"
    assert StageKey.objects.get().stage_id == left.stage_id


def test_digest_is_deleted_with_the_last_mark(fan, entries, admin):
    def all_marks(remove):
        for kind, table in TABLES.items():
            for mark in table.objects.all():
                remove(actor=admin, kind=kind, mark_id=mark.pk)

    place = entries[0].appearance_id
    delete = partial(rating_delete, appearance_id=place, user_id=fan.id)
    for remove in (
        partial(delete, actor=fan),
        partial(delete, actor=admin),
        partial(all_marks, mark_delete),
        partial(all_marks, mark_reject),
    ):
        submit(fan, entries, HOME)
        piece_ratings_delete(actor=admin, appearance_id=place, piece_ids=[entries[1].piece_id])
        assert stored().keys() == {fan.id}
        remove()
        assert not PieceRating.objects.exists()
        assert stored() == {}


def test_account_deletion_deletes_only_its_digests(entries):
    deleted, other = UserFactory(), UserFactory()
    for user in (deleted, other):
        submit(viewer_of(user), entries, HOME)
    for data in account_data():
        data.on_deletion(deleted.pk)
    deleted.delete()
    assert stored().keys() == {other.pk}


def test_digests_are_exported(fan, entries):
    submit(fan, entries, HOME)
    submit(viewer_of(UserFactory()), entries, OTHER)
    (data,) = [data for data in account_data() if "rating_origins.user_id" in data.columns]
    appearance = entries[0].appearance
    row = {"session": appearance.session.title, "participant": appearance.participant.name}
    assert json.loads(json.dumps(data.export(fan.id))) == {"rating_origins": [row | {"digest": digest("192.0.2.0/24")}]}


def test_stage_blocks_returns_blocks_of_several_accounts(entries):
    fans = [viewer_of(UserFactory()) for _ in range(3)]
    stage_id, place = entries[0].appearance.session.stage_id, entries[0].appearance_id
    for fan, client in zip(fans, (HOME, NEIGHBOR, OTHER), strict=True):
        submit(fan, entries, client)
    assert stage_blocks(stage_id=stage_id) == {(fan.id, place): digest("192.0.2.0/24") for fan in fans[:2]}
    assert stage_blocks(stage_id=stage_id + 1) == {}


def test_database_refuses_invalid_digests_and_keys(fan, entries):
    submit(fan, entries, HOME)
    (origin,) = RatingOrigin.objects.all()
    origin.pk = None
    for write in (
        partial(RatingOrigin.objects.update, digest="0" * 63),
        partial(RatingOrigin.objects.update, digest="G" * 64),
        partial(RatingOrigin.objects.update, stage_id=10**9),
        partial(RatingOrigin.objects.update, appearance_id=10**9),
        partial(origin.save, force_insert=True),
        partial(StageKey.objects.update, key=b"short"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            write()
