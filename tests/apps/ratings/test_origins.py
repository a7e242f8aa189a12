"""Test the digests of address blocks: which blocks, what is stored with a rating, and when it is deleted again."""

import datetime as dt
import hashlib
import hmac
import json
from ipaddress import IPv4Address, IPv6Address, ip_network

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import example, given
from hypothesis import strategies as st
from psycopg import sql

from apps.accounts.data_rights import account_data
from apps.accounts.models import User
from apps.core.database.fields import database_now
from apps.core.observability import address_key
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating, RatingDraft, RatingOrigin, StageKey
from apps.ratings.selectors.counts import stage_blocks
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.moderation import mark_delete, mark_reject, rating_delete
from apps.ratings.services.origins import address_block, stage_key_delete, stage_key_make
from apps.ratings.services.removal import piece_ratings_delete
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from tests.factories import AdminFactory, PieceRatingFactory, ProgramEntryFactory, UserFactory, viewer_of

HOME, NEIGHBOR, OTHER = "192.0.2.7", "192.0.2.250", "192.0.3.7"


@pytest.fixture
def entries(db):
    """Return the two entries of a performance's program; its stage has a key."""
    first = ProgramEntryFactory()
    stage_key_make(stage_id=first.session_participant.session.stage_id)
    return first, ProgramEntryFactory(session_participant=first.session_participant)


@pytest.fixture
def fan(db):
    return viewer_of(UserFactory())


def submit(fan, entries, client, *, score=4):
    """Submit marks of both pieces and of the performance from this address, as `address_key` returns it."""
    marks = {entry.piece_id: 12 for entry in entries}
    given = {"pieces": marks, "score": score, "comment": "Clear."}
    ratings_submit(actor=fan, session_participant_id=entries[0].session_participant_id, client=client, **given)


def stored():
    """Return the digests by account."""
    return dict(RatingOrigin.objects.values_list("user_id", "digest"))


def digest(block):
    """Return the digest of a block with the only key, by the definition of HMAC (RFC 2104)."""
    key = bytes(StageKey.objects.get().key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(each ^ 0x36 for each in key) + block.encode()).digest()
    return hashlib.sha256(bytes(each ^ 0x5C for each in key) + inner).hexdigest()


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("192.0.2.255", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("::ffff:c000:207", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("unix", ""),
        ("", ""),
    ],
)
def test_a_block_is_the_24_or_the_48_bits_before_an_address(address, block):
    assert address_block(address_key((address, 4000))) == block


@given(st.ip_addresses(v=4))
@example(IPv4Address(0))
@example(IPv4Address(2**32 - 1))
def test_a_block_of_ipv4_is_named_by_three_numbers_mapped_or_not(address):
    block = address_block(address_key((str(address), 4000)))
    assert block == ".".join([*str(address).split(".")[:3], "0/24"])
    assert address_block(address_key((f"::ffff:{address}", 4000))) == block


@given(st.ip_addresses(v=6), st.integers(0, 2**80 - 1))
def test_a_block_of_ipv6_is_named_by_48_bits(address, host):
    if address.ipv4_mapped:
        return
    block = address_block(address_key((str(address), 4000)))
    assert ip_network(block).prefixlen == 48
    assert address in ip_network(block)
    other = IPv6Address(int(address) >> 80 << 80 | host)
    assert other.ipv4_mapped or address_block(address_key((str(other), 4000))) == block


@pytest.mark.parametrize("client", ["192.0.2.7", "2001:db8:1:2::/64", "2001:db8:9:9::/64"])
def test_a_venue_has_no_block(settings, client):
    assert address_block(client)
    venues = ("192.0.2.0/28", "2001:db8:1::/48", "2001:db8:9:9::7")  # the last one is counted by its /64
    settings.VENUE_ADDRESSES = tuple(map(ip_network, venues))
    assert address_block(client) == ""
    assert address_block("192.0.2.16") == "192.0.2.0/24"
    assert address_block("2001:db8:2:2::/64") == "2001:db8:2::/48"


def test_a_submitted_rating_has_the_digest_of_its_block(fan, entries):
    submit(fan, entries, HOME)
    assert stored() == {fan.id: digest("192.0.2.0/24")}
    key = bytes(StageKey.objects.get().key)
    assert stored()[fan.id] == hmac.new(key, b"192.0.2.0/24", hashlib.sha256).hexdigest()
    (origin,) = RatingOrigin.objects.all()
    stage_id = entries[0].session_participant.session.stage_id
    assert (origin.session_participant_id, origin.stage_id) == (entries[0].session_participant_id, stage_id)


def test_no_address_is_stored_in_any_table(fan, entries):
    submit(fan, entries, HOME)
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        for (table,) in cursor.fetchall():
            rows = sql.SQL("SELECT row_to_json(each)::text FROM {} AS each").format(sql.Identifier(table))
            assert not any("192.0.2" in row for (row,) in cursor.execute(rows)), table


def test_equal_blocks_have_equal_digests_in_one_stage_only(fan, entries):
    neighbor, other = (viewer_of(UserFactory()) for _ in range(2))
    submit(fan, entries, HOME)
    submit(neighbor, entries, NEIGHBOR)
    submit(other, entries, OTHER)
    found = stored()
    assert found[fan.id] == found[neighbor.id] != found[other.id]
    entry = ProgramEntryFactory()
    stage_key_make(stage_id=entry.session_participant.session.stage_id)
    RatingOrigin.objects.all().delete()
    submit(fan, [entry], HOME)
    assert stored()[fan.id] != found[fan.id]


@pytest.mark.parametrize("unchanged", [True, False])
def test_the_newest_submit_decides(fan, entries, unchanged, settings):
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


def test_without_a_key_nothing_is_stored(fan, entries):
    StageKey.objects.all().delete()
    submit(fan, entries, HOME)
    assert stored() == {}
    assert PieceRating.objects.count() == 2


def test_a_refused_submit_stores_nothing(fan, entries):
    entries[0].session_participant.session.__class__.objects.update(starts_at=database_now() + dt.timedelta(days=1))
    with pytest.raises(Exception, match=r"You can rate once it begins\."):
        submit(fan, entries, HOME)
    assert stored() == {}


def test_a_draft_has_no_origin(fan, entries):
    strikes = Strikes.of_submitted({entries[0].piece_id: 3}, 4, "Clear.", "", 0.0)
    rating_keep(actor=fan, session_participant_id=entries[0].session_participant_id, strikes=strikes)
    assert RatingDraft.objects.exists()
    assert stored() == {}


def test_a_key_is_made_once(entries):
    (key,) = StageKey.objects.all()
    stage_key_make(stage_id=key.stage_id)
    (same,) = StageKey.objects.all()
    assert bytes(same.key) == bytes(key.key)
    assert len(bytes(key.key)) == 32
    assert str(same) == str(key.stage_id)


def test_the_digests_go_with_their_key_and_those_of_other_stages_stay(fan, entries):
    entry = ProgramEntryFactory()
    stage_key_make(stage_id=entry.session_participant.session.stage_id)
    submit(fan, entries, HOME)
    submit(fan, [entry], HOME)
    stage_key_delete(stage_id=entries[0].session_participant.session.stage_id)
    (left,) = RatingOrigin.objects.all()
    assert str(left) == f"{fan.id}, {entry.session_participant_id}"
    assert StageKey.objects.get().stage_id == left.stage_id


REMOVALS = {
    "author": lambda fan, place, _: rating_delete(actor=fan, session_participant_id=place, user_id=fan.id),
    "moderator": lambda fan, place, admin: rating_delete(actor=admin, session_participant_id=place, user_id=fan.id),
    "all marks": lambda _fan, _place, admin: [
        mark_delete(actor=admin, kind=kind, mark_id=mark.pk)
        for kind, model in ((RatingKind.PIECE, PieceRating), (RatingKind.PERFORMANCE, PerformanceRating))
        for mark in model.objects.all()
    ],
    "all marks rejected": lambda _fan, _place, admin: [
        mark_reject(actor=admin, kind=kind, mark_id=mark.pk)
        for kind, model in ((RatingKind.PIECE, PieceRating), (RatingKind.PERFORMANCE, PerformanceRating))
        for mark in model.objects.all()
    ],
}


@pytest.mark.parametrize("removal", REMOVALS)
def test_the_digest_goes_with_the_rating_and_not_before(fan, entries, removal):
    admin = viewer_of(AdminFactory())
    other = viewer_of(UserFactory())
    place = entries[0].session_participant_id
    submit(fan, entries, HOME)
    piece_ratings_delete(actor=admin, session_participant_id=place, piece_ids=[entries[1].piece_id])
    assert stored().keys() == {fan.id}
    REMOVALS[removal](fan, place, admin)
    assert not PieceRating.objects.exists()
    assert stored() == {}
    submit(other, entries[:1], HOME)
    assert stored().keys() == {other.id}


@pytest.mark.django_db(transaction=True)
def test_the_digests_go_with_the_account_and_those_of_others_stay(entries):
    gone, other = UserFactory(), UserFactory()
    for user in (gone, other):
        submit(viewer_of(user), entries, HOME)
    with transaction.atomic():
        for each in account_data():
            each.on_deletion(gone.pk)
        User.objects.get(pk=gone.pk).delete()
    assert stored().keys() == {other.pk}


def test_a_member_takes_the_own_digests_along(fan, entries):
    submit(fan, entries, HOME)
    submit(viewer_of(UserFactory()), entries, OTHER)
    (data,) = [each for each in account_data() if "rating_origins.user_id" in each.columns]
    appearance = entries[0].session_participant
    row = {"session": appearance.session.title, "participant": appearance.participant.name}
    assert json.loads(json.dumps(data.export(fan.id))) == {"rating_origins": [row | {"digest": digest("192.0.2.0/24")}]}


def test_the_blocks_of_a_stage_are_those_of_several_accounts(entries):
    fans = [viewer_of(UserFactory()) for _ in range(3)]
    stage_id, place = entries[0].session_participant.session.stage_id, entries[0].session_participant_id
    for fan, client in zip(fans, (HOME, NEIGHBOR, OTHER), strict=True):
        submit(fan, entries, client)
    assert stage_blocks(stage_id=stage_id) == {(fan.id, place): digest("192.0.2.0/24") for fan in fans[:2]}
    assert stage_blocks(stage_id=stage_id + 1) == {}


@pytest.mark.parametrize(
    "change", [{"digest": "0" * 63}, {"digest": "G" * 64}, {"stage_id": 10**9}, {"session_participant_id": 10**9}]
)
def test_the_database_refuses_a_digest_without_a_key_or_a_rating(fan, entries, change):
    submit(fan, entries, HOME)
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingOrigin.objects.update(**change)


def test_the_database_refuses_a_second_digest_and_a_short_key(fan, entries):
    submit(fan, entries, HOME)
    (origin,) = RatingOrigin.objects.all()
    origin.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        origin.save(force_insert=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        StageKey.objects.update(key=b"short")


def test_marks_that_were_not_submitted_have_no_origin(entries):
    PieceRatingFactory(entry=entries[0])
    assert stored() == {}
