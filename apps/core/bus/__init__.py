"""The live bus: topics published inside transactions, heard by every process.

A topic names what changed (`session.1`), never the data. PostgreSQL announces it with the commit (`topics.py`). Each
process listens by itself (`postgresql.py`); with BUS_URL one of them listens (`relay.py`) and hands on through Valkey
what it hears (`valkey.py`). After whatever may have been lost every listener is told to reload.
"""

from apps.core.bus.listeners import Bus
from apps.core.bus.topics import CHANNEL, publish_topics

__all__ = ["CHANNEL", "Bus", "publish_topics"]
