"""The shared parts that components of an open page have opened, besides those that the page lists."""

import asyncio
from collections.abc import Callable
from functools import partial

from components.rendering.parts import Ref


class OpenedParts:
    """Keeps what is open, and has it followed soon after it has changed."""

    def __init__(self) -> None:
        self.opened_refs: tuple[Ref, ...] = ()  # as often as they were opened, whether the page lists them or not
        self.are_parts_outdated = False
        self.follow_task: asyncio.Task[None] | None = None

    @property
    def refs(self) -> tuple[Ref, ...]:
        """All that is to be followed: the page's parts and those that are open."""
        raise NotImplementedError

    async def follow_refs(self) -> None:
        """Follow what is to be followed now."""
        raise NotImplementedError

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part besides those of the page, until the returned function is called."""
        is_new = ref not in self.refs
        self.opened_refs += (ref,)
        if is_new:
            self._follow_soon()
        return partial(self._close_part, ref)

    def end_opening(self) -> None:
        """Follow nothing more."""
        if self.follow_task is not None:
            self.follow_task.cancel()
            self.follow_task = None  # cancelled before its first step, it would not do so itself

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
