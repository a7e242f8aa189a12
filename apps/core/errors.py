"""One error as a row: free of Django's models, since logging is set up before they exist."""

import json
from typing import Any

from .context import current_context
from .privacy import scrubbed
from .validators import ADDRESS_LENGTH

TABLE = "error_logs"
MESSAGE_LENGTH = 2000  # characters
DETAILS_LENGTH = 50_000
USER_AGENT_LENGTH = 500
UNRECORDED = "parterre.unrecorded"  # the logger of errors that could not be recorded; the error log leaves it alone


def error_columns(message: str, details: dict[str, Any] | None, severity: str) -> dict[str, Any]:
    """Return the columns of one error, with whom the present work is done for, shortened and without secrets."""
    context = current_context()
    text = None if details is None else scrubbed(json.dumps(details, default=str, ensure_ascii=False))
    return {
        "message": scrubbed(message)[:MESSAGE_LENGTH],
        "error_details": text if text is None or len(text) <= DETAILS_LENGTH else json.dumps({"cut": text[:20_000]}),
        "user_id": context.user_id,
        "page_url": scrubbed(context.page_url)[:ADDRESS_LENGTH],
        "user_agent": scrubbed(context.user_agent)[:USER_AGENT_LENGTH],
        "severity": severity,
    }
