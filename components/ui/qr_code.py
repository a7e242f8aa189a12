"""QR codes."""

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from components.markup import VdomDict, html

QUIET = 4  # modules of margin, as the format asks


def qr(text: str, label: str) -> VdomDict:
    """Return the drawing of `text`; `label` is for screen readers."""
    code = QRCode(border=QUIET, error_correction=ERROR_CORRECT_M)
    code.add_data(text)
    rows = code.get_matrix()
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return html.svg(
        {"class": "qr", "viewBox": f"0 0 {len(rows)} {len(rows)}", "role": "img", "aria-label": label},
        html.path({"d": dark}),
    )
