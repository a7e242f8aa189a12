"""Events of one viewer: acknowledged after their handler, without memory between events."""

import asyncio
from typing import Any


class NothingLeft(Exception):
    """No event for this target is waiting."""


class AckAfterHandler:
    """Acknowledges an edit when its handler has finished, and keeps a queue and its task only while there are events.

    Upstream acknowledges before the handler runs. A render in between then acknowledges an edit that it does not
    contain, and the browser overwrites the typed text. Upstream also keeps 6 KiB for each handler that was ever used.
    """

    _event_handlers: dict[str, Any]
    _event_queues: dict[str, Any]
    _event_processing_tasks: dict[str, asyncio.Task[None]]
    _last_event_seq_by_target: dict[str, int]
    _is_left: bool

    async def _process_event_queue(self, target: str, queue: Any) -> None:
        waiting = _EventsWithoutNumber(queue, self._last_event_seq_by_target, target)
        try:
            await super()._process_event_queue(target, waiting)  # type: ignore[misc]
        except NothingLeft:
            if self._is_left:
                return
            del self._event_queues[target], self._event_processing_tasks[target]
            self._forget_numbers()

    async def _create_layout_update(self, old_state: Any) -> Any:
        update = await super()._create_layout_update(old_state)  # type: ignore[misc]
        self._forget_numbers()
        return update

    def _forget_numbers(self) -> None:
        """Drop the sequence numbers of targets without a handler."""
        for target in self._last_event_seq_by_target.keys() - self._event_handlers.keys():
            if target not in self._event_queues:
                del self._last_event_seq_by_target[target]


class _EventsWithoutNumber:
    """Passes events on without their sequence number, and records the number when the next event is requested."""

    def __init__(self, queue: Any, last_numbers: dict[str, int], target: str) -> None:
        self.queue, self.last_numbers, self.target = queue, last_numbers, target
        self.number_in_work: int | None = None
        self.has_begun = False

    async def get(self) -> dict[str, Any]:
        """Return the next event. Raises NothingLeft when the queue is empty after at least one event."""
        if self.number_in_work is not None:
            self.last_numbers[self.target] = max(self.number_in_work, self.last_numbers.get(self.target, -1))
            self.number_in_work = None
        if self.has_begun and self.queue.empty():
            await asyncio.sleep(0)  # a producer that waited for room in the queue adds its event
            if self.queue.empty():
                raise NothingLeft
        self.has_begun = True
        event = await self.queue.get()
        number = event.get("seq")
        self.number_in_work = number if isinstance(number, int) else None
        return {name: value for name, value in event.items() if name != "seq"}
