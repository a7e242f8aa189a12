"""The link from a text to its report form, for signed-in viewers other than its author."""

from urllib.parse import urlencode

from apps.community.enums import ReportKind
from apps.core.texts import Texts
from components.parts.people import readers_alone
from components.runtime import VdomDict, html
from components.ui.blocks import visually_hidden

PATH = "/community/report"


def report_address(kind: ReportKind, subject_id: int) -> str:
    """Return the address of the form that reports this text."""
    return f"{PATH}?{urlencode({'thing': f'{kind}:{subject_id}'})}"


def report_link(kind: ReportKind, subject_id: int, *, author_id: int | None, named: str, t: Texts) -> VdomDict:
    """Return the link; `named` identifies the text in its label."""
    to = {"class": "link", "rel": "nofollow", "href": report_address(kind, subject_id)}
    return html.a(to | readers_alone(author_id or 0), t("Report"), visually_hidden(f" {named}"))
