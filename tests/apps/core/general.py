"""What the general tests use of the app core: its selectors' calls on a large database."""

from collections.abc import Mapping

from apps.core import audit
from apps.core import selectors as core
from apps.core.enums import Severity
from tests.apps.busy_session import newest
from tests.apps.reads import EXPORT, SEARCH, Read

READS: Mapping[str, list[Read]] = {
    "audit.audit_is_newest": [
        Read(lambda: audit.audit_is_newest(entry_id=newest("audit_entries") - 10, actions=("session.live",)))
    ],
    "audit.audit_list": [Read(audit.audit_list)],
    "audit.audit_own": [Read(lambda: audit.audit_own(user_id=2), 100, EXPORT)],
    "error_list": [
        Read(core.error_list),
        Read(lambda: core.error_list(filters=core.ErrorFilter(severity=Severity.CRITICAL))),
        Read(lambda: core.error_list(filters=core.ErrorFilter(text="error 4711")), 100_000, SEARCH),
        Read(lambda: core.error_list(before_id=newest("error_logs") - 10_000)),
    ],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {"audit.audit_prune", "audit.audit_record", "audit.audit_records", "audit.changed_details", "details_cut"}
