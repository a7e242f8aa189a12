"""`manage.py evening`: play the live session within minutes, to see live updates."""

import signal
import threading
from argparse import ArgumentParser, ArgumentTypeError
from types import FrameType
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.competition.management.live_session import appearance_line, live_session_or_stop, sentence
from apps.competition.selectors.public.participants import Appearance
from apps.competition.selectors.public.sessions import session_appearances
from apps.competition.services.live import performer_clear, performer_set


def _seconds(text: str) -> float:
    """Return a duration in seconds. Raises ArgumentTypeError unless it is above zero and at most a day."""
    try:
        seconds = float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is not a number of seconds") from error
    if not 0 < seconds <= 24 * 60 * 60:
        raise ArgumentTypeError("a performer needs more than nothing and at most a day")
    return seconds


def _rounds(text: str) -> int:
    """Return the number of rounds. Raises ArgumentTypeError unless it is at least one."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("play at least one round")
    return int(text)


class Command(BaseCommand):
    """Play the live session: put one performer after the other on stage."""

    help = "Play an evening on the live session: its performers follow each other. Ctrl-C ends it, the stage empty."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stopped = threading.Event()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the time of each performance and the number of rounds."""
        parser.add_argument(
            "--seconds-per-performer", type=_seconds, default=20.0, metavar="SECONDS", help="how long each plays (20)"
        )
        parser.add_argument("--rounds", type=_rounds, default=1, metavar="N", help="how often all of them play (1)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play all rounds, and clear the stage also after an error or a signal."""
        session = live_session_or_stop()
        appearances = session_appearances(session_id=session.id)
        if not appearances:
            raise CommandError(f"Nobody has a place in {session.title}.")
        self._listen_to_signals()
        self.stdout.write(f"{session.title}: {len(appearances)} performers. Ctrl-C ends the evening.")
        try:
            for _ in range(options["rounds"]):
                self._round(appearances, options["seconds_per_performer"])
        except ValidationError as error:
            raise CommandError(f"Somebody ended the session. {sentence(error)}") from error
        finally:
            performer_clear(actor=OPERATOR, session_id=session.id)
        self.stdout.write("The stage is empty. The session is still live.")

    def _round(self, appearances: tuple[Appearance, ...], seconds: float) -> None:
        """Put each appearance on stage in turn."""
        for appearance in appearances:
            if self._stopped.is_set():
                return
            try:
                performer_set(actor=OPERATOR, session_participant_id=appearance.id)
            except ObjectDoesNotExist:  # removed from the order in between
                continue
            self.stdout.write(appearance_line(appearance).removesuffix("  << on stage"))
            self.stdout.flush()
            self._stopped.wait(seconds)

    def _listen_to_signals(self) -> None:
        """Stop after the current performer at SIGINT or SIGTERM; a second signal has Python's default effect."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._stop)
            signal.signal(signal.SIGTERM, self._stop)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        """Set the stop flag."""
        self._stopped.set()
        signal.signal(number, signal.SIG_DFL)
