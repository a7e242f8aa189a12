"""Commands of the demo."""

from apps.accounts.actors import Viewer
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.demo import services


@command(Access.ADMINISTRATOR)
def demo_stop(actor: Viewer, _given: Arguments, t: Texts) -> Answer:
    """Stop the demo."""
    return Answer(t(services.demo_stop(actor=actor)))


@command(Access.ADMINISTRATOR)
def demo_start(actor: Viewer, _given: Arguments, t: Texts) -> Answer:
    """Start the demo again."""
    return Answer(t(services.demo_start(actor=actor)))
