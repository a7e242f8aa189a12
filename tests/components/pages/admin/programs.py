"""An evening whose programs are edited."""

from types import SimpleNamespace

from tests.components.conftest import evening_with
from tests.factories import AdminFactory, PieceFactory

PROGRAMS = "/admin/programs"
SCHERZO = "Scherzo in B-flat minor, Op. 31"
SCHERZO_SET = "Scherzo in B♭ minor op. 31"
ETUDE_SET, ETUDE = "Étude in C♯ minor op. 10 no. 4", "Étude in C♯ minor, op. 10 no. 4"  # seen, and as a label says it
NOCTURNE_SET, NOCTURNE = "Nocturne in D♭ major op. 27 no. 2", "Nocturne in D♭ major, op. 27 no. 2"
VIDEO = "https://youtu.be/aqz-KE-bpKQ"


def session_with_programs(*, appearances: int = 1) -> SimpleNamespace:
    """An evening whose participants play an étude and a nocturne, a scherzo that nobody plays yet, an administrator."""
    evening = evening_with(appearances)
    evening.scherzo = PieceFactory(
        category="scherzo", name=SCHERZO, title="Scherzo", key="B-flat minor", opus="31", number=None
    )
    evening.appearance = evening.appearances[0]
    evening.etude, evening.nocturne = evening.appearance.program.order_by("order_number")
    evening.played = evening.etude.piece.name
    evening.halina = AdminFactory()
    evening.of = f"{PROGRAMS}?session={evening.session.pk}"
    evening.choice = f"{evening.of}&appearance={evening.appearance.pk}&slot=scherzo"
    return evening
