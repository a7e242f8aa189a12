"""Who acts: a viewer of the site, or somebody at this machine's terminal."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks at a page, as known when the page was asked for; services read the account again."""

    id: int | None
    username: str = ""
    is_admin: bool = False
    avatar_url: str = ""
    session: str = field(default="", compare=False)  # the name of the session in which this viewer looks
    lacks_factor: bool = False  # an administrator who may do nothing as one before there is a second factor

    @property
    def is_signed_in(self) -> bool:
        """Whether an account stands behind this viewer."""
        return self.id is not None


@dataclass(frozen=True, slots=True)
class Operator:
    """Somebody at this machine's terminal: whoever can run `manage.py` may do everything."""


Actor = Viewer | Operator


def account_of(actor: Actor) -> int | None:
    """Return the account that acts, None for the terminal and for strangers: whose an entry of the audit is."""
    return actor.id if isinstance(actor, Viewer) else None


ANONYMOUS = Viewer(id=None)
OPERATOR = Operator()
