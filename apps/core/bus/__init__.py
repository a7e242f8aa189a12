"""The live bus: topics are published inside transactions and delivered to every process.

A topic names what changed (`session.1`) and never contains data. PostgreSQL sends it at commit (`topics.py`). Each
process listens on its own connection (`postgresql.py`). With BUS_URL only one process, the relay, listens
(`apps/core/scale/relay.py`). It forwards topics to all processes through Valkey (`apps/core/scale/valkey.py`). After a
possible loss of messages every listener reloads.
"""

from apps.core.bus.listeners import Bus
from apps.core.bus.topics import CHANNEL, publish_topics

__all__ = ["CHANNEL", "Bus", "publish_topics"]
