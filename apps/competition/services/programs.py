"""Writes of programs: add, replace, select, link, remove and move pieces."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Count, Max

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.dependents import entry_dependents, entry_dependents_delete, program_effects
from apps.competition.enums import Category
from apps.competition.events import ProgramChanged
from apps.competition.limits import PROGRAM_MOST
from apps.competition.models import Appearance, Piece, PiecePart, ProgramEntry, ProgramPart
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.programs import link_fields, program_fields, program_version
from apps.competition.selectors.admin.works_typed import works_typed
from apps.competition.services.catalogue import set_add
from apps.competition.services.program_conflicts import last_edit, link_merge, program_conflict
from apps.competition.youtube import moment_link, video_id
from apps.core.edits import ConfirmationNeeded, EditConflict, FieldConflict, Saved, version_of
from apps.core.events import publish
from apps.core.permissions import require

FULL = "A program has at most %(most)d items."


class PiecesRated(ConfirmationNeeded):
    """Raised without confirmation when rated pieces would leave a program, or when it changes which marks count.

    `leaving` are names with the number of their ratings, `effects` the errors of other apps.
    """

    def __init__(self, leaving: Sequence[tuple[str, int]], effects: Sequence[ValidationError] = ()) -> None:
        sentence = "%(piece)s would leave the program, with its ratings: %(count)d."
        rated = [ValidationError(sentence, params={"piece": name, "count": n}) for name, n in leaving]
        super().__init__([*rated, *effects])
        self.leaving = tuple(leaving)


def program_change_begin(
    actor: Actor,
    appearance: Appearance,
    old: Sequence[ProgramEntry],
    piece_ids: Sequence[int],
    *,
    confirmed: bool,
) -> None:
    """Delete the ratings of the pieces that leave the locked program, which will have the pieces `piece_ids`.

    `old` are its entries with their pieces. Raises PiecesRated unless `confirmed`.
    """
    staying, ratings = frozenset(piece_ids), entry_dependents(appearance.pk)
    names = {entry.piece_id: entry.piece.name for entry in old if entry.piece_id not in staying}
    rated = [(name, ratings[piece_id]) for piece_id, name in names.items() if ratings.get(piece_id)]
    effects = program_effects(appearance.pk, staying)
    if (rated or effects) and not confirmed:
        raise PiecesRated(rated, effects)
    if rated:
        entry_dependents_delete(actor, appearance.pk, names)


def program_size_require(count: int) -> None:
    """Raise ValidationError for more items than a program has."""
    if count > PROGRAM_MOST:
        raise ValidationError(FULL, params={"most": PROGRAM_MOST})


_HOLD = """
SELECT session_participant_id, piece_id FROM session_participant_pieces
WHERE session_participant_id = ANY(%s) ORDER BY id FOR SHARE
"""


def programs_hold(*, appearance_ids: Collection[int]) -> frozenset[tuple[int, int]]:
    """Lock these programs against changes until the transaction ends, and return their pairs of appearance and piece.

    The lock is shared (FOR SHARE). Services that store marks of pieces take it before they lock ratings.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [list(appearance_ids)])
        return frozenset(cursor.fetchall())


def programs_lock(*, appearance_ids: Collection[int]) -> None:
    """Lock the entries of these programs until the transaction ends, before pieces are removed from them."""
    found = ProgramEntry.objects.select_for_update().filter(appearance_id__in=appearance_ids)
    list(found.order_by("pk").values_list("pk"))


@dataclass(frozen=True, slots=True)
class NewStart:
    """Where the part `number`, from 1, of an item begins; `timestamp` counts seconds into the recording."""

    number: int
    timestamp: int | None = None
    youtube_url: str = ""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A piece to be put into a program.

    `slot` is a category, by default the piece's own; `timestamp` counts seconds into the recording. `parts` of which
    the piece has none are left out.
    """

    piece_id: int
    slot: str = ""
    timestamp: int | None = None
    youtube_url: str = ""
    parts: tuple[NewStart, ...] = ()


@transaction.atomic
def program_add(*, actor: Actor, appearance_id: int, entries: Sequence[NewEntry]) -> tuple[ProgramEntry, ...]:
    """Append pieces, in their order, to an appearance's program and return the new entries.

    Raises PermissionDenied, Appearance.DoesNotExist, ValidationError; then no piece is added.
    """
    require(can_edit_competition(actor), "Only administrators edit programs.")
    appearance = Appearance.objects.select_for_update(no_key=True).get(pk=appearance_id)
    found = appearance.program.aggregate(last=Max("order_number", default=0), count=Count("pk"))
    program_size_require(found["count"] + len(entries))
    pieces = Piece.objects.in_bulk({entry.piece_id for entry in entries})
    rows = [
        entry_build(appearance, entry, pieces, number) for number, entry in enumerate(entries, start=found["last"] + 1)
    ]
    stored = ProgramEntry.objects.bulk_create(rows)
    after = {"pieces": [row.piece.name for row in stored]}
    change_note(
        actor=actor, action="program.add", subject_id=appearance.pk, name=appearance.participant.name, after=after
    )
    publish(ProgramChanged(appearance.session_id, appearance.participant_id, appearance.session.stage_id))
    return tuple(stored)


@transaction.atomic
def program_replace(
    *,
    actor: Actor,
    appearance_id: int,
    entries: Sequence[NewEntry],
    version: str | None = None,
    confirmed: bool = False,
) -> None:
    """Replace an appearance's program by these pieces, in their order.

    A piece that stays keeps its ratings, and its links and seconds unless the new entry has others. The ratings of a
    piece that leaves are deleted. `version` is that of the program which the editor read. Raises PermissionDenied,
    Appearance.DoesNotExist, ValidationError, EditConflict after a concurrent change, PiecesRated. An error
    rolls everything back.
    """
    require(can_edit_competition(actor), "Only administrators edit programs.")
    appearance = Appearance.objects.select_for_update(no_key=True).get(pk=appearance_id)
    programs_lock(appearance_ids=(appearance.pk,))
    old = list(appearance.program.select_related("piece").order_by("order_number"))
    before = program_fields(entry.piece.name for entry in old)
    if version is not None and version != version_of(before):
        change = FieldConflict("text", "The program", ", ".join(before["pieces"]))
        raise EditConflict((change,), version_of(before), last_edit(appearance.pk))
    program_size_require(len(entries))
    pieces = Piece.objects.in_bulk({entry.piece_id for entry in entries})
    rows = [entry_build(appearance, entry, pieces, number) for number, entry in enumerate(entries, start=1)]
    kept = _kept(old, rows)
    gone = [entry for entry in old if entry not in kept]
    program_change_begin(actor, appearance, old, [row.piece_id for row in rows], confirmed=confirmed)
    ProgramEntry.objects.filter(pk__in=[entry.pk for entry in gone]).delete()
    ProgramEntry.objects.bulk_update(kept, ["order_number", "slot", "timestamp", "youtube_url"])
    stored = {entry.order_number: entry for entry in kept}
    ProgramEntry.objects.bulk_create([row for row in rows if row.order_number not in stored])
    starts_store((stored.get(row.order_number, row), new) for row, new in zip(rows, entries, strict=True))
    _replaced_announce(actor, appearance, before, program_fields(row.piece.name for row in rows))


def starts_store(items: Iterable[tuple[ProgramEntry, NewEntry]]) -> None:
    """Store where the parts of these stored items begin. Two queries, none without a start. Raises ValidationError."""
    given = [(row, each) for row, new in items for each in new.parts]
    if not given:
        return
    parts: dict[int, list[PiecePart]] = defaultdict(list)
    of_items = PiecePart.objects.filter(piece__in={row.piece_id for row, _ in given})
    for part in of_items.order_by("piece_id", "order_number"):
        parts[part.piece_id].append(part)
    moments = [
        ProgramPart(
            entry=row,
            part=parts[row.piece_id][each.number - 1],
            timestamp=each.timestamp,
            youtube_url=_link(each.youtube_url),
        )
        for row, each in given
        if 0 < each.number <= len(parts[row.piece_id])
    ]
    for moment in moments:
        moment.clean_fields(exclude=["entry", "part"])  # both are known to exist
    fields = ["timestamp", "youtube_url"]
    ProgramPart.objects.bulk_create(
        moments, update_conflicts=True, unique_fields=["entry", "part"], update_fields=fields
    )


def _link(url: str) -> str:
    """Return the address of a video without blanks around it, or "". Raises ValidationError for any other."""
    link = url.strip()
    if link and (video_id(link) is None or not link.startswith("https://")):
        raise ValidationError("This is not the https:// address of a YouTube video.")
    return link


def _kept(old: Sequence[ProgramEntry], rows: Sequence[ProgramEntry]) -> list[ProgramEntry]:
    """Return the old entries with pieces that stay, updated to their new place."""
    left: dict[int, list[ProgramEntry]] = defaultdict(list)
    for entry in old:
        left[entry.piece_id].append(entry)
    kept = []
    for row in rows:
        if not left[row.piece_id]:
            continue
        entry = left[row.piece_id].pop(0)
        entry.order_number, entry.slot = row.order_number, row.slot
        if row.youtube_url or row.timestamp is not None:
            entry.youtube_url, entry.timestamp = row.youtube_url, row.timestamp
        kept.append(entry)
    return kept


def _replaced_announce(actor: Actor, appearance: Appearance, before: dict[str, Any], after: dict[str, Any]) -> None:
    change_note(
        actor=actor,
        action="program.replace",
        subject_id=appearance.pk,
        name=appearance.participant.name,
        before=before,
        after=after,
    )
    publish(ProgramChanged(appearance.session_id, appearance.participant_id, appearance.session.stage_id))


def entry_build(appearance: Appearance, new: NewEntry, pieces: dict[int, Piece], order_number: int) -> ProgramEntry:
    """Return the validated row of a new entry. Raises ValidationError."""
    piece = pieces.get(new.piece_id)
    if piece is None:
        raise ValidationError("This piece is not in the catalogue.")
    row = ProgramEntry(
        appearance=appearance,
        piece=piece,
        order_number=order_number,
        slot=new.slot or piece.category,
        timestamp=new.timestamp,
        youtube_url=_link(new.youtube_url),
    )
    row.clean_fields(exclude=["appearance", "piece"])  # both are known to exist
    return row


_NOT_ALLOWED = "Only administrators edit programs."
_STEPS = {"up": -1, "down": 1}


@transaction.atomic
def program_select(
    *, actor: Actor, appearance_id: int, piece_id: int, slot: str = "", confirmed: bool = False
) -> ProgramEntry:
    """Put a piece into a slot of an appearance's program, by default its category's, and return the entry.

    It replaces the slot's last piece; the link stays and the ratings are deleted. Raises PermissionDenied,
    Appearance.DoesNotExist, ValidationError, PiecesRated. An error rolls everything back.
    """
    appearance = _appearance(actor, appearance_id)
    piece = Piece.objects.select_for_update(no_key=True).filter(pk=piece_id).first()
    if piece is None:
        raise ValidationError("This piece is not in the catalogue.")
    wanted = slot or piece.category
    if wanted not in Category.values:
        raise ValidationError("There is no such category.")
    entries = _program(appearance)
    filling = [entry for entry in entries if entry.slot == wanted]
    if any(entry.piece_id == piece_id for entry in filling):
        return next(entry for entry in filling if entry.piece_id == piece_id)
    if not filling:
        program_size_require(len(entries) + 1)
        number = entries[-1].order_number + 1 if entries else 1
        filling = [ProgramEntry(appearance=appearance, order_number=number, slot=wanted)]
    entry = filling[-1]
    before = {"piece": entry.piece.name} if entry.pk else None
    staying = [each.piece_id for each in entries if each is not entry]
    program_change_begin(actor, appearance, entries, [*staying, piece_id], confirmed=confirmed)
    entry.piece = piece
    entry.save()
    _announce(actor, "program.select", appearance, before=before, after={"piece": piece.name, "slot": wanted})
    return entry


@transaction.atomic
def program_entry_add(
    *,
    actor: Actor,
    appearance_id: int,
    piece_id: int,
    order_number: int = PROGRAM_MOST,
    version: str = "",
    confirmed: bool = False,
) -> ProgramEntry:
    """Put a piece into an appearance's program at this place, by default at its end, and return the entry.

    `version` is that of the program which the editor read (`program_version`), empty for any. Raises PermissionDenied,
    Appearance.DoesNotExist, ValidationError for an unknown piece, one that the program has already, a full
    program and a concurrent change, PiecesRated.
    """
    appearance = _appearance(actor, appearance_id)
    piece = Piece.objects.select_for_update(no_key=True).filter(pk=piece_id).first()
    entries = _program(appearance, version)
    program_size_require(len(entries) + 1)
    if any(entry.piece_id == piece_id for entry in entries):
        raise ValidationError("This piece is in the program already.")
    pieces = {piece_id: piece} if piece else {}
    at = max(0, min(order_number - 1, len(entries)))
    entry = entry_build(appearance, NewEntry(piece_id), pieces, entries[-1].order_number + 1 if entries else 1)
    staying = [each.piece_id for each in entries]
    program_change_begin(actor, appearance, entries, [*staying, piece_id], confirmed=confirmed)
    entry.save()
    if at < len(entries):
        _renumber([*entries[:at], entry, *entries[at:]])
    _announce(actor, "program.add", appearance, after={"pieces": [entry.piece.name]})
    return entry


@transaction.atomic
def program_set_add(
    *, actor: Actor, appearance_id: int, typed: str, name: str = "", version: str = "", confirmed: bool = False
) -> ProgramEntry:
    """Put the set of the typed pieces at the end of a program and return the entry; a new set joins the catalogue.

    `name` is required for pieces that are not numbers of one opus. Raises what `works_typed`, `set_add` and
    `program_entry_add` raise.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    pieces = works_typed(typed, field="pieces", only_single=True).piece_ids
    made = set_add(actor=actor, piece_ids=pieces, name=name)
    return program_entry_add(
        actor=actor, appearance_id=appearance_id, piece_id=made.pk, version=version, confirmed=confirmed
    )


@transaction.atomic
def program_part_link(
    *, actor: Actor, entry_id: int, part_id: int, url: str, version: str | None = None
) -> Saved[ProgramEntry]:
    """Store the video and second at which a part of an item begins, or clear them for an empty `url`.

    Return the item. `version` is the one that the editor read. Raises PermissionDenied, ProgramEntry.DoesNotExist,
    PiecePart.DoesNotExist, EditConflict, ValidationError at `url`.
    """
    appearance, entries = _entries(actor, entry_id)
    entry = _entry_get(entries, entry_id)
    part = PiecePart.objects.get(pk=part_id, piece=entry.piece_id)
    moment = ProgramPart.objects.filter(entry=entry, part=part).first() or ProgramPart(entry=entry, part=part)
    before, given = link_fields(moment.youtube_url), link_fields(moment_link(url)[0])
    after, kept_fields = link_merge(appearance, version, before, given)
    moment.youtube_url, moment.timestamp = moment_link(after["url"])
    moment.clean_fields(exclude=["entry", "part"])
    if moment.youtube_url:
        moment.save()
    elif moment.pk:
        moment.delete()
    _announce(actor, "program.link", appearance, before=before, after=after)
    return Saved(entry, kept_fields)


@transaction.atomic
def program_entry_link(*, actor: Actor, entry_id: int, url: str, version: str | None = None) -> Saved[ProgramEntry]:
    """Store the video and second at which a piece begins, or clear them for an empty `url`, and return the entry.

    `version` is the one that the editor read. Raises PermissionDenied, ProgramEntry.DoesNotExist, EditConflict,
    ValidationError at `url`.
    """
    appearance, entries = _entries(actor, entry_id)
    entry = _entry_get(entries, entry_id)
    before, given = link_fields(entry.youtube_url), link_fields(moment_link(url)[0])
    after, kept_fields = link_merge(appearance, version, before, given)
    entry.youtube_url, entry.timestamp = moment_link(after["url"])
    entry.clean_fields(exclude=["appearance", "piece"])
    entry.save(update_fields=["youtube_url", "timestamp"])
    _announce(actor, "program.link", appearance, before=before, after=after)
    return Saved(entry, kept_fields)


@transaction.atomic
def program_entry_remove(*, actor: Actor, entry_id: int, version: str = "", confirmed: bool = False) -> ProgramEntry:
    """Remove a piece from a program, with its ratings, and return the removed entry.

    `version` is that of the program which the editor read (`program_version`), empty for any. Raises PermissionDenied,
    ProgramEntry.DoesNotExist, ValidationError after a concurrent change, PiecesRated.
    """
    appearance, entries = _entries(actor, entry_id, version)
    entry = _entry_get(entries, entry_id)
    staying = [each for each in entries if each is not entry]
    program_change_begin(actor, appearance, entries, [each.piece_id for each in staying], confirmed=confirmed)
    entry.delete()
    _renumber(staying)
    _announce(actor, "program.remove", appearance, before={"piece": entry.piece.name, "slot": entry.slot})
    return entry


@transaction.atomic
def program_entry_move(*, actor: Actor, entry_id: int, direction: str, version: str = "") -> ProgramEntry:
    """Swap a piece with the one before ("up") or after it ("down") and return it; at the end it stays.

    `version` is that of the program which the editor read (`program_version`), empty for any. Raises PermissionDenied,
    ProgramEntry.DoesNotExist, ValidationError, also after a concurrent change.
    """
    if direction not in _STEPS:
        raise ValidationError("A piece moves up or down.")
    appearance, entries = _entries(actor, entry_id, version)
    entry = _entry_get(entries, entry_id)
    index, before = entries.index(entry), _names(entries)
    other = index + _STEPS[direction]
    if 0 <= other < len(entries):
        entries[index], entries[other] = entries[other], entry
        _renumber(entries)
        _announce(actor, "program.order", appearance, before=before, after=_names(entries))
    return entry


def _appearance(actor: Actor, appearance_id: int) -> Appearance:
    """Return the appearance, locked, after a check of the permission."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    return Appearance.objects.select_for_update(no_key=True).get(pk=appearance_id)


def _entries(actor: Actor, entry_id: int, version: str = "") -> tuple[Appearance, list[ProgramEntry]]:
    """Return the appearance of an entry, locked, and the program in its order. Raises ProgramEntry.DoesNotExist."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    appearance_id = ProgramEntry.objects.values_list("appearance_id", flat=True).get(pk=entry_id)
    appearance = _appearance(actor, appearance_id)
    return appearance, _program(appearance, version)


def _program(appearance: Appearance, version: str = "") -> list[ProgramEntry]:
    """Lock the program of a locked appearance and return it in its order.

    Raises ValidationError if it has another `version`.
    """
    programs_lock(appearance_ids=(appearance.pk,))
    entries = list(appearance.program.select_related("piece").order_by("order_number"))
    names = [entry.piece.name for entry in entries]
    if version and version != program_version(names):
        raise program_conflict(appearance.pk, names)
    return entries


def _entry_get(entries: list[ProgramEntry], entry_id: int) -> ProgramEntry:
    """Return the entry with that id. Raises ProgramEntry.DoesNotExist after a concurrent deletion."""
    entry = next((each for each in entries if each.pk == entry_id), None)
    if entry is None:
        raise ProgramEntry.DoesNotExist
    return entry


def _renumber(entries: list[ProgramEntry]) -> None:
    """Number the entries of one program from 1, in one statement, because the constraint is checked at its end."""
    for number, entry in enumerate(entries, start=1):
        entry.order_number = number
    ProgramEntry.objects.bulk_update(entries, ["order_number"])


def _names(entries: list[ProgramEntry]) -> dict[str, Any]:
    return {"pieces": [entry.piece.name for entry in entries]}


def _announce(actor: Actor, action: str, appearance: Appearance, **change: dict[str, Any] | None) -> None:
    """Write the audit entry of a program change and publish it."""
    before, after = change.get("before"), change.get("after")
    change_note(
        actor=actor,
        action=action,
        subject_id=appearance.pk,
        name=appearance.participant.name,
        before=before,
        after=after,
    )
    publish(ProgramChanged(appearance.session_id, appearance.participant_id, appearance.session.stage_id))
