"""Writes of the demo's state."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.core.events import publish
from apps.core.permissions import require
from apps.demo.enums import DemoState
from apps.demo.events import DemoChanged
from apps.demo.models import LoadedDemo
from apps.demo.permissions import can_run_demo
from apps.demo.selectors import demo_state

STOPPED, STARTED = "The demo is stopped.", "The demo is alive again."
_NOT_ALLOWED = "Only administrators stop and start the demo."


@transaction.atomic
def demo_stop(*, actor: Actor) -> str:
    """Stop the demo until an administrator starts it, and return the sentence to show; a stopped one stays stopped.

    Raises PermissionDenied, and ValidationError where no demo is alive.
    """
    _demo_require(actor)
    if LoadedDemo.objects.filter(stopped_at=None).update(stopped_at=Now()):
        _note(actor, "demo.stop")
    return STOPPED


@transaction.atomic
def demo_start(*, actor: Actor) -> str:
    """Start a stopped demo again, and return the sentence to show; one that is alive stays so.

    Raises PermissionDenied, and ValidationError where no demo is alive.
    """
    _demo_require(actor)
    if LoadedDemo.objects.filter(stopped_at__isnull=False).update(stopped_at=None):
        _note(actor, "demo.start")
    return STARTED


@transaction.atomic
def demo_end() -> None:
    """Store that the demo's life is over, once, and publish it."""
    if LoadedDemo.objects.filter(over_at=None).update(over_at=Now()):
        publish(DemoChanged())


def demo_lived() -> None:
    """Store the present as the time of the demo's last act."""
    LoadedDemo.objects.update(lived_at=Now())


def _demo_require(actor: Actor) -> None:
    """Lock the demo's row. Raises PermissionDenied, and ValidationError unless the demo is alive or stopped."""
    require(can_run_demo(actor), _NOT_ALLOWED)
    list(LoadedDemo.objects.select_for_update().values_list("pk"))
    if demo_state() in {None, DemoState.OVER}:
        raise ValidationError("There is no demo here that could be stopped or started.")


def _note(actor: Actor, action: str) -> None:
    change_note(actor=actor, action=action, subject_id=None)
    publish(DemoChanged())
