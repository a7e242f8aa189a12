"""The columns of one error, without Django's models, since logging is set up before they exist."""

import json
from typing import Any

from apps.core.limits import ADDRESS_LENGTH, USER_AGENT_LENGTH
from apps.core.observability.request_context import current_context
from apps.core.text_rules.privacy import cut, scrub

TABLE = "error_logs"
MESSAGE_LENGTH = 2000  # characters
DETAILS_LENGTH = 50_000
UNRECORDED = "parterre.unrecorded"  # the logger of errors that could not be recorded; the error log leaves it alone


def error_columns(message: str, details: dict[str, Any] | None, severity: str) -> dict[str, Any]:
    """Return the columns of one error with the current request, shortened and without secrets."""
    context = current_context()
    text = None if details is None else json.dumps(_mask(details), ensure_ascii=False)
    return {
        "message": _column(message, MESSAGE_LENGTH),
        "error_details": text if text is None or len(text) <= DETAILS_LENGTH else _cut_json(text),
        "user_id": context.user_id,
        "page_url": _column(context.page_url, ADDRESS_LENGTH),
        "user_agent": _column(context.user_agent, USER_AGENT_LENGTH),
        "severity": severity,
    }


def _column(text: str, longest: int) -> str:
    """Return a text masked and cut to its column; cut again, since a mask may be longer than what it masks."""
    return scrub(cut(text, longest))[:longest]


def _mask(value: Any) -> Any:
    """Return `value` as JSON, every text in it cut and masked."""
    if isinstance(value, dict):
        return {_mask(str(name)): _mask(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_mask(each) for each in value]
    if value is None or isinstance(value, int | float):
        return value
    return scrub(cut(str(value), DETAILS_LENGTH))


def _cut_json(text: str) -> str:
    """Return the beginning of a JSON text as one that is not too long: its quotes may double its length."""
    return json.dumps({"cut": text[:20_000]}, ensure_ascii=False)
