"""Load the demo competition once, through the services."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors.site_contact import site_contact
from apps.accounts.services.site_contact import site_contact_set
from apps.competition.enums import SPECIFIED
from apps.competition.models import PerformingTime, Session, Stage, StageAdvancement
from apps.competition.selectors.public.sessions import session_ids
from apps.competition.services.advancements import advancements_publish
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.live import performer_set, session_set_live
from apps.competition.services.participants import participant_create
from apps.competition.services.pianos import piano_add, session_pianos_set
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.sessions import appearance_add, session_create
from apps.competition.services.slots import stage_preset
from apps.competition.services.stages import stage_archive, stage_create
from apps.demo.accounts import accounts_load
from apps.demo.jury import jury_load
from apps.demo.models import LoadedDemo
from apps.demo.moments import (
    moment,
    piece_second,
    planned_minutes,
    recorded_seconds,
    starts_at,
    streamed_seconds,
    title_of,
)
from apps.demo.programs import Pieces, pieces_by_work, program_load
from apps.demo.texts import (
    ParticipantText,
    SessionText,
    participant_texts,
    piano_names,
    playing_in,
    post_texts,
    session_texts,
    stage_names,
    stage_presets,
)
from apps.news.services import post_create

PICTURES = "/static/demo/"
CONTACT = {"name": "the Parterre demo", "email": "demo@example.org"}
_ON_STAGE = timedelta(minutes=25)
JUDGED = "Preliminary Round"  # the only stage that is over, and archived
_READ_OUT = (-14, "21:00")  # day and time at which those who go on were read out


@transaction.atomic
def competition_load(*, now: datetime | None = None) -> bool:
    """Load accounts, catalogue, participants, sessions and news and return True.

    Return False without a write if any session exists or another process is loading.
    """
    if not _first_to_load() or session_ids():
        return False
    today = now or timezone.now()
    account_ids = accounts_load()
    catalogue_load()
    participant_ids = {text.second_name: _participant(text) for text in _last_featured_first(participant_texts())}
    order = enumerate(stage_names(), start=1)
    stage_ids = {name: stage_create(actor=OPERATOR, name=name, order_number=number).pk for number, name in order}
    for name, preset in stage_presets().items():
        stage_preset(actor=OPERATOR, stage_id=stage_ids[name], preset=preset)
    pieces = pieces_by_work()
    pianos = [piano_add(actor=OPERATOR, maker=maker, model=model).pk for maker, model in piano_names()]
    for text in session_texts():
        _session(text, stage_ids[text.stage], participant_ids, pieces, pianos=pianos, now=today)
    jury_load(stage_id=stage_ids[JUDGED], stage=JUDGED)
    _judged(stage_ids[JUDGED], participant_ids, today)
    _news(account_ids, today)
    if not site_contact().is_complete:
        site_contact_set(actor=OPERATOR, **CONTACT)
    LoadedDemo.objects.update_or_create(pk=1, defaults={"present_at": today, "last_ids": {}})
    return True


def _first_to_load() -> bool:
    """Take the demo's advisory lock until the transaction ends; return False while another process holds it."""
    with connection.cursor() as cursor:
        # thousands of statements: may take longer than a page's timeout on a slow machine
        cursor.execute("SET LOCAL transaction_timeout = 0")
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('parterre demo'))")
        return bool(cursor.fetchone()[0])


def _last_featured_first(texts: tuple[ParticipantText, ...]) -> tuple[ParticipantText, ...]:
    """Return the participants in reverse order: lists of featured participants show the newest first."""
    return tuple(reversed(texts))


def _participant(text: ParticipantText) -> int:
    """Create one participant and return the id."""
    created = participant_create(
        actor=OPERATOR,
        first_name=text.first_name,
        second_name=text.second_name,
        name=text.name,
        country=text.country,
        birth_year=text.birth_year,
        biography="\n".join(text.biography),
        avatar_url=PICTURES + text.avatar if text.avatar else "",
        featured=text.featured,
    )
    return created.pk


def _session(
    text: SessionText,
    stage_id: int,
    participant_ids: dict[str, int],
    pieces: Pieces,
    *,
    pianos: Sequence[int],
    now: datetime,
) -> None:
    """Create one session with its appearances, programs and pianos, and set it live if the text requires it."""
    begins = starts_at(text, now)
    session = session_create(
        actor=OPERATOR,
        stage_id=stage_id,
        title=title_of(text, begins),
        starts_at=begins,
        description=text.description,
        youtube_id=text.video,
        orchestra=text.orchestra,
        conductor=text.conductor,
    )
    appearances = [
        appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=participant_ids[name]).pk
        for name in text.appearances
    ]
    chosen = (pianos[len(name) % len(pianos)] for name in text.appearances)  # by name, so that it stays the same
    session_pianos_set(actor=OPERATOR, session_id=session.pk, pianos=dict(zip(appearances, chosen, strict=True)))
    programs = {each.second_name: each.programs for each in participant_texts()}
    slots = () if text.stage in stage_presets() else SPECIFIED
    for order_number, (name, appearance_id) in enumerate(zip(text.appearances, appearances, strict=True), start=1):
        works = programs[name][text.program]
        seconds = _seconds(text, order_number, begins, now)
        program_load(appearance_id, order_number, works, pieces, slots=slots, seconds=seconds, is_live=text.live)
    _plan(session.pk, text, now - begins)
    if text.live:
        session_set_live(actor=OPERATOR, session_id=session.pk)
        performer_set(actor=OPERATOR, appearance_id=appearances[text.performing - 1])
        _played(appearances[: text.performing], begins, now)
    elif begins < now:
        _recorded(session.pk, appearances, begins)


def _plan(session_id: int, text: SessionText, age: timedelta) -> None:
    """Store planned times and the planned interval of a session, if anybody plays in it."""
    intervals = dict([text.interval]) if text.interval and text.interval[0] < len(text.appearances) else {}
    if text.appearances:
        minutes = planned_minutes(text, age)
        planned_times_set(actor=OPERATOR, session_id=session_id, minutes=minutes, intervals=intervals)


def _judged(stage_id: int, participant_ids: dict[str, int], now: datetime) -> None:
    """Publish who advances from the stage that is over, those who play in a later one, and archive it."""
    texts, at = session_texts(), moment(now, *_READ_OUT)
    judged = playing_in(text for text in texts if text.stage == JUDGED)
    advancing = judged & playing_in(text for text in texts if text.stage != JUDGED)
    ids = [participant_ids[name] for name in advancing]
    advancements_publish(actor=OPERATOR, stage_id=stage_id, participant_ids=ids)
    StageAdvancement.objects.filter(stage=stage_id).update(at=at)
    stage_archive(actor=OPERATOR, stage_id=stage_id, is_archived=True)
    Stage.objects.filter(pk=stage_id).update(archived_at=at)


def _recorded(session_id: int, appearance_ids: list[int], begins: datetime) -> None:
    """Store the times on stage, one after the other, as the recording shows them, and the end of the session."""
    came = [begins + timedelta(seconds=piece_second(number, 1)) for number in range(1, len(appearance_ids) + 1)]
    PerformingTime.objects.bulk_create(
        PerformingTime(appearance_id=pk, began_at=began_at, ended_at=began_at + _ON_STAGE)
        for pk, began_at in zip(appearance_ids, came, strict=True)
    )
    Session.objects.filter(pk=session_id).update(ended_at=came[-1] + _ON_STAGE)


def _played(appearance_ids: list[int], begins: datetime, now: datetime) -> None:
    """Store times on stage, one after the other from `begins` to `now`; the last appearance is still on stage."""
    each = (now - begins) / len(appearance_ids)
    PerformingTime.objects.filter(appearance__in=appearance_ids).delete()
    came = [begins + each * number for number in range(len(appearance_ids))]
    PerformingTime.objects.bulk_create(
        PerformingTime(appearance_id=pk, began_at=began_at, ended_at=ended_at)
        for pk, began_at, ended_at in zip(appearance_ids, came, [*came[1:], None], strict=True)
    )


def _seconds(text: SessionText, order_number: int, begins: datetime, now: datetime) -> tuple[int, ...]:
    """Return the seconds of the video at which a participant's pieces begin; none before the performance."""
    if text.live and order_number <= text.performing:
        return streamed_seconds(order_number, performers=text.performing, age=now - begins)
    return recorded_seconds(order_number) if begins < now and not text.live else ()


def _news(account_ids: dict[str, int], now: datetime) -> None:
    """Create the articles, the oldest first, so that lists of an author show the newest first."""
    for text in sorted(post_texts(), key=lambda text: moment(now, text.day, text.time)):
        post_create(
            actor=OPERATOR,
            author_id=account_ids[text.author],
            title=text.title,
            excerpt=text.excerpt,
            content="\n".join(text.content),
            image_url=PICTURES + text.image if text.image else "",
            is_published=text.is_published,
            published_at=moment(now, text.day, text.time),
        )
