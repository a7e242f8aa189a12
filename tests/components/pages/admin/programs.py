"""A session for tests of the administrators' page of programs."""

from types import SimpleNamespace

from tests.components.conftest import busy_session_with
from tests.factories import AdminFactory, PieceFactory

PROGRAMS = "/admin/programs"
SCHERZO = "Scherzo in B-flat minor, Op. 31"
SCHERZO_SET = "Scherzo in B♭ minor op. 31"
ETUDE_SET, ETUDE = "Étude in C♯ minor op. 10 no. 4", "Étude in C♯ minor, op. 10 no. 4"  # as text, and as a label
NOCTURNE_SET, NOCTURNE = "Nocturne in D♭ major op. 27 no. 2", "Nocturne in D♭ major, op. 27 no. 2"
VIDEO = "https://youtu.be/aqz-KE-bpKQ"


def session_with_programs(*, appearances: int = 1) -> SimpleNamespace:
    """Return a session of an étude and a nocturne each, a scherzo in no program, and an administrator."""
    busy_session = busy_session_with(appearances)
    busy_session.scherzo = PieceFactory(
        category="scherzo", name=SCHERZO, title="Scherzo", key="B-flat minor", opus="31", number=None
    )
    busy_session.appearance = busy_session.appearances[0]
    busy_session.etude, busy_session.nocturne = busy_session.appearance.program.order_by("order_number")
    busy_session.played = busy_session.etude.piece.name
    busy_session.admin = AdminFactory()
    busy_session.address = f"{PROGRAMS}?session={busy_session.session.pk}"
    busy_session.choice = f"{busy_session.address}&appearance={busy_session.appearance.pk}&slot=scherzo"
    return busy_session
