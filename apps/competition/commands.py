"""Commands of the competition: each reads its arguments and calls one service."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition import piano_commands, prize_commands, program_commands  # noqa: F401 - registers them
from apps.competition.enums import OrderFill, StageState
from apps.competition.limits import (
    ADVANCING_MOST,
    COMPOSER_LENGTH,
    INTERVAL_MINUTES_MOST,
    INTERVALS_LENGTH,
    NEXT_PERFORMERS,
    ORDER_LENGTH,
    ORDER_TEXT_LENGTH,
    PARTICIPANT_TEXTS,
    PERFORMERS_MOST,
    PIECE_ABOUT,
    PIECE_LENGTH,
    PIECE_MINUTES_LENGTH,
    PIECE_PARTS,
    PIECE_TEXTS,
    SERIES_LENGTH,
    SESSION_TEXTS,
    SESSION_VERSION_LENGTH,
    STAGE_LENGTH,
    START_NUMBER_MOST,
    TITLE_LENGTH,
    WORKS_TYPED_LENGTH,
    YEAR_MOST,
)
from apps.competition.order_drafts import OrderDraft, pianos_read
from apps.competition.selectors.admin.order_lines import order_chosen, order_lines_read
from apps.competition.selectors.admin.sessions import session_start
from apps.competition.selectors.admin.works_typed import works_typed
from apps.competition.services import (
    advancements,
    live,
    participants,
    pieces,
    planned_times,
    repeated,
    session_series,
    sessions,
    stages,
    withdrawals,
)
from apps.competition.services.catalogue import set_add
from apps.competition.services.live import LiveStep, live_undo_read
from apps.competition.services.order_filling import EMPTY_LIST, order_of_others
from apps.competition.services.order_filling import advancing_fill as advancing_filled
from apps.competition.services.order_filling import order_fill as order_filled
from apps.competition.services.pianos import pianos_of_order
from apps.competition.services.planned_times import intervals_read
from apps.competition.services.session_series import Series
from apps.competition.services.sessions import venue_moment
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.edits import FieldErrors
from apps.core.limits import ID_DIGITS, MOMENT_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts


@command(Access.ADMINISTRATOR)
def session_set_live(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Set the session in the argument live."""
    confirmed = given.flag("confirmed")
    return _answer(live.session_set_live(actor=actor, session_id=given.id(), confirmed=confirmed), t)


@command(Access.ADMINISTRATOR)
def session_end(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """End the session in the argument."""
    return _answer(live.session_end(actor=actor, session_id=given.id(), confirmed=given.flag("confirmed")), t)


@command(Access.ADMINISTRATOR)
def performer_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Put the appearance in the argument on stage."""
    confirmed = given.flag("confirmed")
    return _answer(live.performer_set(actor=actor, appearance_id=given.id(), confirmed=confirmed), t)


@command(Access.ADMINISTRATOR)
def performer_next(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Put the next performer on stage; the argument is session and shown performer, if any: "3:17", "3"."""
    after = given.id(1) if ":" in given.argument else None
    return _answer(live.performer_next(actor=actor, session_id=given.id(0), after=after), t)


@command(Access.ADMINISTRATOR)
def performer_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Clear the stage of the session in the argument."""
    return _answer(live.performer_clear(actor=actor, session_id=given.id()), t)


@command(Access.ADMINISTRATOR)
def call_take_back(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take a call back; the argument is the appearance and its time on stage: "17:203"."""
    call: dict[str, int] = {"appearance_id": given.id(0), "stay_id": given.id(1)}
    return _answer(live.call_take_back(actor=actor, **call, confirmed=given.flag("confirmed")), t)


@command(Access.ADMINISTRATOR)
def interval_take_back(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take an interval back; the argument is the session and its last time on stage: "3:203"."""
    return _answer(live.interval_take_back(actor=actor, session_id=given.id(0), stay_id=given.id(1)), t)


@command(Access.ADMINISTRATOR)
def live_restore(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Undo the step of live control in the argument."""
    return Answer(t(live.live_restore(actor=actor, **live_undo_read(given.argument)).sentence))


def _answer(step: LiveStep, t: Texts) -> Answer:
    return Answer(t(step.sentence), undo=("live_restore", step.undo) if step.undo else None)


PARTICIPANTS = "/admin/participants"
BIRTH_YEAR = "Please write the birth year in digits, such as 1999."


@command(Access.ADMINISTRATOR)
def participant_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create a participant."""
    errors = FieldErrors()
    fields = _participant(given, errors)
    name = f"{fields['second_name']} {fields['first_name']}" if given.flag("family_first") else ""
    confirmed = given.flag("confirmed")
    create = partial(participants.participant_create, actor=actor, name=name, confirmed=confirmed, **fields)
    errors.checked(create, None)
    errors.require_none()
    return Answer(t("Participant created successfully"), go=PARTICIPANTS)


@command(Access.ADMINISTRATOR)
def participant_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the participant in the argument."""
    more: dict[str, Any] = {
        "family_first": given.flag("family_first"),
        "version": given.text("version", VERSION_LENGTH),
    }
    errors = FieldErrors()
    fields = _participant(given, errors)
    if "start_number" not in given.fields:  # the form of a page that was opened before an update of the site
        fields["start_number"] = participants.START_NUMBER_KEPT
    if "name_local" not in given.fields:
        fields["name_local"] = None
    update = partial(participants.participant_update, actor=actor, participant_id=given.id(), **fields, **more)
    saved = errors.checked(update, None)
    errors.require_none()
    return Answer(
        t("Participant updated successfully"), go=PARTICIPANTS, kept_fields=saved.kept_fields if saved else ()
    )


@command(Access.ADMINISTRATOR, confirm="Delete this participant?")
def participant_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the participant in the argument."""
    participants.participant_delete(actor=actor, participant_id=given.id())
    return Answer(t("Participant deleted successfully"))


def _participant(given: Arguments, errors: FieldErrors) -> dict[str, Any]:
    return {
        **given.texts(PARTICIPANT_TEXTS),
        "birth_year": errors.checked(lambda: given.number("birth_year", 0, YEAR_MOST, BIRTH_YEAR), None),
        "start_number": errors.checked(lambda: _start_number(given), None),
        "featured": given.flag("featured"),
    }


def _start_number(given: Arguments) -> int | None:
    """Return the start number in the form. Raises ValidationError at the field."""
    return given.number("start_number", 1, START_NUMBER_MOST, participants.START_NUMBER)


PIECES = "/admin/pieces"


@command(Access.ADMINISTRATOR)
def piece_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add a piece to its category; with pieces in the field `members`, their set."""
    members = given.text("members", WORKS_TYPED_LENGTH)
    if members:
        ids = works_typed(members, field="members", only_single=True).piece_ids
        set_add(actor=actor, piece_ids=ids, name=given.text("name", PIECE_LENGTH))
        return Answer(t("Piece added successfully"), empty=True)
    pieces.piece_add(
        actor=actor,
        **given.texts(PIECE_TEXTS),
        composer=given.text("composer", COMPOSER_LENGTH),
        minutes=given.text("minutes", PIECE_MINUTES_LENGTH),
        parts=given.text("parts", WORKS_TYPED_LENGTH).splitlines(),
        confirmed=given.flag("confirmed"),
    )
    return Answer(t("Piece added successfully"), empty=True)


@command(Access.ADMINISTRATOR)
def piece_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the piece in the argument."""
    version = given.text("version", VERSION_LENGTH) or None
    about = {name: text for name, text in given.texts(PIECE_ABOUT).items() if name in given.fields}
    parts = {name: text.splitlines() for name, text in given.texts(PIECE_PARTS).items() if name in given.fields}
    piece: dict[str, Any] = given.texts(PIECE_TEXTS) | about | parts
    saved = pieces.piece_update(
        actor=actor, piece_id=given.id(), version=version, confirmed=given.flag("confirmed"), **piece
    )
    return Answer(t("Piece updated successfully"), go=PIECES, kept_fields=saved.kept_fields)


@command(Access.ADMINISTRATOR, confirm="Delete this piece?")
def piece_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the piece in the argument."""
    pieces.piece_delete(actor=actor, piece_id=given.id())
    return Answer(t("Piece deleted successfully"))


SESSIONS = "/admin/sessions"
STAGE_MOST = 2**31 - 1  # of its ids
ID_MOST = 2**63 - 1
NUMBER_MOST = 999  # in a running order
NEVER = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)  # placeholder for a missing time; never stored


@command(Access.ADMINISTRATOR)
def session_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create a session."""
    errors = FieldErrors()
    fields, participants = _session(given, errors), errors.checked(lambda: _participants(given), None)
    chosen: dict[str, Any] = {"participant_ids": participants or (), "confirmed": given.flag("confirmed")}
    errors.checked(partial(sessions.session_create, actor=actor, **fields, **chosen), None)
    errors.require_none()
    return Answer(t("Session created successfully"), go=SESSIONS)


@command(Access.ADMINISTRATOR)
def session_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the session in the argument; without a field of the running order, the order stays."""
    errors = FieldErrors()
    update = partial(
        sessions.session_update,
        actor=actor,
        session_id=given.id(),
        **_session(given, errors, starts_at=session_start(session_id=given.id())),
        participant_ids=errors.checked(lambda: _participants(given), None),
        version=given.text("version", SESSION_VERSION_LENGTH) or None,
        confirmed=given.flag("confirmed"),
    )
    saved = errors.checked(update, None)
    errors.require_none()
    undo = ("program_undo", saved.undo_id) if saved and saved.undo_id else None
    kept_fields = saved.kept_fields if saved else ()
    return Answer(t("Session updated successfully"), go=SESSIONS, undo=undo, kept_fields=kept_fields)


@command(Access.ADMINISTRATOR, confirm="Delete this session?")
def session_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the session in the argument."""
    sessions.session_delete(actor=actor, session_id=given.id(), confirmed=given.flag("confirmed"))
    return Answer(t("Session deleted successfully"))


@command(Access.ADMINISTRATOR)
def order_fill(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Fill the order of playing in the form of the session in the argument, empty for a new one; saves nothing."""
    session_id = given.id() if given.argument else 0
    fill = OrderFill(given.choice("fill", tuple(OrderFill)) or OrderFill.LINES)
    have = [word for word in given.text("have", ORDER_LENGTH).split(",") if word]
    playing = _ids(have, "have") if given.flag("have") else None
    read, version = partial(_filled, actor, given, fill), given.text("version", SESSION_VERSION_LENGTH)
    draft = order_filled(actor=actor, session_id=session_id, playing=playing, read=read, version=version)
    return Answer(_filled_words(draft, t), go=draft.address(session_id))


def _filled(actor: Viewer, given: Arguments, fill: OrderFill, playing: Sequence[int]) -> OrderDraft:
    if fill == OrderFill.LINES:
        text = given.text("lines", ORDER_TEXT_LENGTH)
        if not text:
            raise ValidationError({"lines": EMPTY_LIST})
        pianos = pianos_of_order(actor=actor, text=text, field="lines", confirmed=given.flag("confirmed"))
        return replace(order_lines_read(text, playing), pianos=tuple(pianos.items()))
    if fill == OrderFill.CHOSEN:
        pairs = [word.split("-") for word in given.several("chosen", PERFORMERS_MOST) if word]
        ids = [_ids(pair, "chosen") for pair in pairs if len(pair) == 2]  # noqa: PLR2004 - "17-21": 21 after 17
        return order_chosen(playing, [(after, pk) for after, pk in ids])
    return order_of_others(
        fill,
        playing,
        stage_id=given.number("of_stage", 1, STAGE_MOST),
        count=given.number("next", 1, PERFORMERS_MOST) or NEXT_PERFORMERS,
        session_id=given.number("copied", 1, STAGE_MOST),
    )


def _filled_words(draft: OrderDraft, t: Texts) -> str:
    added = t.plural("%(n)d performer added to the list.", "%(n)d performers added to the list.", draft.added)
    return f"{added} {t('Nothing is saved yet.')}"


@command(Access.ADMINISTRATOR)
def session_series_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Make several sessions at once; unconfirmed, the answer asks with all of them."""
    series = Series(
        lines=given.text("sessions", SERIES_LENGTH),
        **{name: given.text(name, SESSION_TEXTS[name]) for name in ("description", "orchestra", "conductor")},
        performers=given.text("performers", ORDER_TEXT_LENGTH),
        first_number=given.number("first_number", 1, START_NUMBER_MOST),
        minutes=given.number("minutes", 1, INTERVAL_MINUTES_MOST),
        intervals=intervals_read(given.text("intervals", INTERVALS_LENGTH)),
    )
    stage_id, confirmed = given.number("stage", 1, STAGE_MOST), given.flag("confirmed")
    made = session_series.session_series_create(actor=actor, stage_id=stage_id, series=series, confirmed=confirmed)
    words = t.plural("%(n)d session created.", "%(n)d sessions created.", len(made))
    return Answer(f"{words} {t('They can be taken back for ten minutes.')}", go=SESSIONS)


@command(Access.ADMINISTRATOR, confirm="Take back these sessions?")
def session_series_undo(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the sessions that were made together with the one in the argument."""
    count = session_series.session_series_undo(actor=actor, session_id=given.id())
    return Answer(t.plural("%(n)d session taken back.", "%(n)d sessions taken back.", count))


@command(Access.ADMINISTRATOR)
def appearance_withdraw(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Withdraw the chosen performer from the session in the argument."""
    undo_id = withdrawals.appearance_withdraw(
        actor=actor,
        session_id=given.id(),
        appearance_id=given.number("appearance", 1, ID_MOST) or 0,
        confirmed=given.flag("confirmed"),
    )
    return Answer(t(withdrawals.WITHDRAWN), undo=("program_undo", undo_id))


@command(Access.ADMINISTRATOR)
def planned_times_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Compute the planned times of the session in the argument, and store its intervals."""
    planned_times.planned_times_set(
        actor=actor,
        session_id=given.id(),
        minutes=given.number("minutes", 1, INTERVAL_MINUTES_MOST),
        intervals=intervals_read(given.text("intervals", INTERVALS_LENGTH)),
    )
    return Answer(t(planned_times.PLANNED))


@command(Access.ADMINISTRATOR, confirm="Clear the planned times of this session?")
def planned_times_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Clear the planned times of the session in the argument."""
    planned_times.planned_times_clear(actor=actor, session_id=given.id())
    return Answer(t(planned_times.CLEARED))


@command(Access.ADMINISTRATOR)
def planned_times_shift(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Shift the planned times of the session in the argument, from the chosen appearance on."""
    by = given.number("by", -INTERVAL_MINUTES_MOST, INTERVAL_MINUTES_MOST)
    if not by:
        raise ValidationError({"by": "By how many minutes? Negative ones are earlier."})
    appearance_id = given.number("appearance", 1, ID_MOST) or 0
    made = planned_times.planned_times_shift(
        actor=actor, session_id=given.id(), appearance_id=appearance_id, minutes=by
    )
    return Answer(t(planned_times.SHIFTED), undo=("planned_times_shift_back", made.undo))


@command(Access.ADMINISTRATOR)
def planned_times_shift_back(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take a shift back; the argument is session, appearance, minutes and version: "3:17:-10:1f"."""
    session_id, appearance_id, minutes, version = planned_times.shift_read(given.argument)
    planned_times.planned_times_shift(
        actor=actor, session_id=session_id, appearance_id=appearance_id, minutes=minutes, version=version
    )
    return Answer(t(planned_times.SHIFTED_BACK))


@command(Access.ADMINISTRATOR)
def appearance_count(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Make the repeated appearance in the argument the one that counts in its stage."""
    return Answer(t(repeated.appearance_count(actor=actor, appearance_id=given.id())))


def _session(given: Arguments, errors: FieldErrors, *, starts_at: datetime | None = None) -> dict[str, Any]:
    """Return the fields of a session; `starts_at` is the stored start of an edited one."""
    date, time = given.text("date", MOMENT_LENGTH), given.text("time", MOMENT_LENGTH)
    texts = given.texts(SESSION_TEXTS)
    unsent = {"orchestra", "conductor"} - given.fields.keys()  # by a page that was opened before an update of the site
    return {
        **{name: text for name, text in texts.items() if name not in unsent},
        "starts_at": errors.checked(partial(venue_moment, date=date, time=time, stored=starts_at), NEVER),
        "stage_id": given.number("stage", 1, STAGE_MOST),
        "pianos": dict(pianos_read(given.text("pianos", ORDER_LENGTH))),
    }


def _participants(given: Arguments) -> list[int] | None:
    """Return the chosen participant ids in their order, None if the form has no running order.

    `playing` is sent by forms without script, `participant_ids` by those with script.
    """
    if "playing" in given.fields:
        return _numbered(given)
    return _chosen(given) if "participant_ids" in given.fields else None


def _chosen(given: Arguments) -> list[int]:
    """Return the ids of one field. Raises ValidationError for a search text without a chosen participant."""
    id_texts = [word for word in given.text("participant_ids", ORDER_LENGTH).split(",") if word]
    if given.text("adding", TITLE_LENGTH):
        raise ValidationError({"adding": "Each participant row needs a selected participant."})
    return _ids(id_texts, "adding")


def _numbered(given: Arguments) -> list[int]:
    """Return the ids sorted by their numbers, then the ticked ones; ids without a number are left out.

    Of two ids with the same number, the moved one has precedence: before the other when it moved up, after it when it
    moved down.
    """
    playing = _ids([word for word in given.text("playing", ORDER_LENGTH).split(",") if word], "playing")
    order: list[tuple[int, int, int, int]] = []
    for before, pk in enumerate(playing, start=1):
        number = given.number(f"number-{pk}", 1, NUMBER_MOST)
        if number is not None:
            order.append((number, (number > before) - (number < before), before, pk))
    added = _ids(given.several("added", NUMBER_MOST), "added")
    return [pk for _number, _way, _before, pk in sorted(order)] + added


def _ids(id_texts: Sequence[str], field: str) -> list[int]:
    """Return these ids as ints. Raises ValidationError at the field for any other text."""
    if not all(word.isascii() and word.isdecimal() and len(word) <= ID_DIGITS for word in id_texts):
        raise ValidationError({field: "Selected participant not found"})
    return [int(word) for word in id_texts]


STAGES = "/admin/stages"


@command(Access.ADMINISTRATOR)
def stage_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create a stage after all others."""
    stages.stage_create(actor=actor, name=given.text("name", STAGE_LENGTH))
    return Answer(t("Stage created successfully"), go=STAGES)


@command(Access.ADMINISTRATOR)
def stage_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Rename the stage in the argument."""
    name, version = given.text("name", STAGE_LENGTH), given.text("version", VERSION_LENGTH) or None
    saved = stages.stage_update(actor=actor, stage_id=given.id(), name=name, version=version)
    return Answer(t("Stage updated successfully"), go=STAGES, kept_fields=saved.kept_fields)


@command(Access.ADMINISTRATOR)
def stage_move(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Swap a stage with its neighbour: "2:up"."""
    return Answer(t(stages.stage_move(actor=actor, stage_id=given.id(), direction=given.word(1, ("up", "down")))))


@command(Access.ADMINISTRATOR)
def stage_archive(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Archive or restore a stage: "2:archived", "2:offered"."""
    is_archived = given.word(1, tuple(StageState)) == StageState.ARCHIVED
    return Answer(t(stages.stage_archive(actor=actor, stage_id=given.id(), is_archived=is_archived)))


@command(Access.ADMINISTRATOR)
def advancing_fill(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Tick the performers of a pasted list in the form of the stage in the argument; saves nothing."""
    draft = advancing_filled(actor=actor, text=given.text("lines", ORDER_TEXT_LENGTH))
    read = t.plural("%(n)d performer read.", "%(n)d performers read.", len(draft.participant_ids))
    address = f"{STAGES}?mode=advance&id={given.id()}&{draft.query}"
    return Answer(f"{read} {t('Nothing is published yet.')}", go=address)


@command(Access.ADMINISTRATOR)
def advancements_publish(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Publish that the ticked participants advance from the stage in the argument."""
    published = advancements.advancements_publish(
        actor=actor,
        stage_id=given.id(),
        participant_ids=_ids(given.several("participant", ADVANCING_MOST), "participant"),
        version=given.text("version", VERSION_LENGTH) or None,
        confirmed=given.flag("confirmed"),
    )
    return Answer(t(published), go=STAGES)


@command(Access.ADMINISTRATOR, confirm="Withdraw who advances from this stage?")
def advancements_withdraw(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Withdraw who advances from the stage in the argument."""
    return Answer(t(advancements.advancements_withdraw(actor=actor, stage_id=given.id())))


@command(Access.ADMINISTRATOR, confirm="Delete this stage?")
def stage_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the stage in the argument."""
    stages.stage_delete(actor=actor, stage_id=given.id())
    return Answer(t("Stage deleted successfully"))
