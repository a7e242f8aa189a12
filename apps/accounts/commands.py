"""The commands of accounts: default pictures."""

from apps.accounts import services
from apps.accounts.actors import Viewer
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import ADDRESS_LENGTH
from apps.core.texts import Texts

AVATARS = "/admin?tab=avatars"


@command()
def default_avatars_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Choose the default pictures."""
    pictures = {name: given.text(name, ADDRESS_LENGTH) for name in ("user_avatar_url", "participant_avatar_url")}
    saved = services.default_avatars_set(actor=actor, version=given.text("version", ADDRESS_LENGTH), **pictures)
    return Answer(t(saved.row), go=AVATARS, kept_fields=saved.kept_fields)
