"""Log lines and rows of the error log stay short, take little time, and contain no secret."""

import json
import logging

from apps.core.observability import DETAILS_LENGTH, RequestContext, error_columns, request_context
from project.limits.rates import LOG_DETAILS, LOG_MESSAGE, LOG_ROUTE
from project.observability import logs
from tests.offenders import check_each
from tests.project.security.bounded_work import LENGTH, SECONDS, work_bounded
from tests.project.security.test_patterns import PATTERNS

# the worst inputs of the patterns that read log lines
REPEATS = sorted(
    {
        repeat
        for place, known in PATTERNS.items()
        for _, repeats in known
        for repeat in repeats
        if place.startswith(("project/observability/", "apps/core/text_rules.py:"))
    }
)
LONGER = 6  # the text for a secret ("[address 01234567]") may be this many times as long as the secret ("a@b")
ATTACK = "/" + "token" * 560  # a GET of 2.8 KB that once stopped every process for 90 s


def test_log_lines_and_error_rows_of_long_texts_are_fast_and_short() -> None:
    def check(repeat: str) -> None:
        text = (repeat * LENGTH)[: 1 << 20]
        record = logging.getLogger("some").makeRecord("some", logging.ERROR, "", 1, "%s", (text,), None)
        record.stack_info = text
        with request_context(RequestContext(page_url=f"/{text}", user_agent=text)), work_bounded(4 * SECONDS):
            line = json.loads(logs.Json().format(record))
            columns = error_columns(text, {"trace": text}, "error")
        assert len(line["route"]) <= LONGER * LOG_ROUTE
        assert len(line["message"]) <= LONGER * LOG_MESSAGE
        assert len(line["stacks"]) <= LONGER * LOG_DETAILS
        assert len(columns["error_details"]) <= DETAILS_LENGTH
        json.loads(columns["error_details"])

    check_each(REPEATS, check)


def test_long_address_is_logged_in_a_short_line() -> None:
    with request_context(RequestContext(page_url=ATTACK)), work_bounded(4 * SECONDS):
        line = logs.Text().format(logging.getLogger("some").makeRecord("some", logging.INFO, "", 1, "GET", (), None))
    assert len(line) < LOG_ROUTE + 100


# Texts with a secret, and the part that must not be logged. The test cuts them after each character in turn.
SECRETS = [
    ("someone@example.org", "someone"),
    (f"s3cr{'s3cr' * 60}@example.org", "s3cr"),
    ("token=s3cr3ts3cr3t", "s3cr"),
    ("/list?q=s3cr3ts3cr3t", "s3cr"),
    ("Cookie: a=s3cr3ts3cr3t", "s3cr"),
    ("/reset-password/s3cr3ts3cr3t", "s3cr"),
    ("/login?s3cr3ts3cr3t", "s3cr"),
    ("Failing row contains (1, s3cr3ts3cr3t, 2).", "s3cr"),
]


def test_cut_texts_contain_no_secret() -> None:
    def check(case: tuple[str, str]) -> None:
        text, secret = case
        whole = f"{'word ' * 60}{text}"
        for longest in range(len(whole) - len(text), len(whole) + 1):
            assert secret[:3] not in logs.discreet(whole, longest)

    check_each(SECRETS, check)
