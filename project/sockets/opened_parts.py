"""The shared parts that components of an open page have opened, besides those that the page lists."""

import asyncio
from collections.abc import Callable
from functools import partial

from components.runtime.rendering.parts import Ref


class OpenedParts:
    """Tracks open parts, and follows them in a task after each change."""

    def __init__(self) -> None:
        self.opened_refs: tuple[Ref, ...] = ()  # one entry for each opening, even for parts of the page
        self.are_parts_outdated = False
        self.follow_task: asyncio.Task[None] | None = None

    @property
    def refs(self) -> tuple[Ref, ...]:
        """All parts to follow: those of the page and the open ones."""
        raise NotImplementedError

    async def follow_refs(self) -> None:
        """Follow the current parts."""
        raise NotImplementedError

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part in addition to those of the page. Returns a function that closes it."""
        is_new = ref not in self.refs
        self.opened_refs += (ref,)
        if is_new:
            self._follow_soon()
        return partial(self._close_part, ref)

    def end_opening(self) -> None:
        """Stop following changes of the open parts."""
        if self.follow_task is not None:
            self.follow_task.cancel()
            self.follow_task = None  # a task cancelled before its first step does not clear itself

    def _close_part(self, ref: Ref) -> None:
        opened_refs = list(self.opened_refs)
        opened_refs.remove(ref)
        self.opened_refs = tuple(opened_refs)
        if ref not in self.refs:
            self._follow_soon()

    def _follow_soon(self) -> None:
        self.are_parts_outdated = True
        if self.follow_task is None:
            self.follow_task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        try:
            while self.are_parts_outdated:
                self.are_parts_outdated = False
                await self.follow_refs()
        finally:
            self.follow_task = None
