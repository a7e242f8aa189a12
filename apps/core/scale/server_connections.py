"""Number of connections that a site's processes may open at once, compared with the server's max_connections."""

from dataclasses import dataclass
from typing import Any

import psycopg
from django.conf import settings

from apps.core.database import autocommit_pool

ERROR_LOG = OUTAGE = BUS = RANKING_LOCK = START_LOCK = 1
# Every listening process is one of this site; a role can see the application names of its own sessions.
ASKED = """\
SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - current_setting('reserved_connections')::integer,
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parterre bus')
"""
TOO_FEW = (
    "The database server takes {room} connections (max_connections less what it reserves); this site may need "
    "{needed}{where} with {processes} processes. Raise max_connections, or put a pooler before it "
    "(docs/operations.md, Connections)."
)


@dataclass(frozen=True, slots=True)
class Connections:
    """Maximum number of connections that are open at once: `pooled` by DATABASE_URL, `direct` past a pooler."""

    pooled: int
    direct: int


def connections_needed(processes: int) -> Connections:
    """Return the connections of `processes` processes while one more starts or migrates and a ranking is computed."""
    pooled = int(settings.POOL["max_size"]) + settings.PART_THREADS + autocommit_pool.CONNECTIONS + ERROR_LOG + OUTAGE
    migration = ranking = int(settings.POOL["min_size"])  # separate, short-lived processes
    return Connections(processes * pooled, processes * (BUS + RANKING_LOCK) + START_LOCK + migration + ranking)


def findings(direct_parameters: dict[str, Any]) -> list[str]:
    """Return a sentence if the server has too few connections for the running processes and this one.

    Behind a pooler only the direct connections count; those of the pooler are in the pooler's settings.
    """
    with psycopg.connect(**direct_parameters, autocommit=True) as server:
        room, running = server.execute(ASKED).fetchone() or (0, 0)
    known = connections_needed(running + 1)
    needed = known.direct if settings.POOLED else known.pooled + known.direct
    if needed <= room:
        return []
    where = ", besides those of the pooler" if settings.POOLED else ""
    return [TOO_FEW.format(room=room, processes=running + 1, needed=needed, where=where)]
