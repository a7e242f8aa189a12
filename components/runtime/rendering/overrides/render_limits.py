"""Limits on renders: a component that renders itself without end, in time or in depth, is stopped and logged."""

import asyncio
import inspect
import logging
from typing import Any

from reactpy.core._life_cycle_hook import HOOK_STACK
from reactpy.types import Component

from components.runtime.rendering.overrides.effects import is_effect_beginning
from components.runtime.rendering.tree import CachedMarkup

log = logging.getLogger(__name__)
MOST_REPEATS = 50  # renders without an external cause; React has the same limit
MOST_NESTED = 25  # components inside each other; the deepest page has about ten, Python's limit is about fifty
# The browser shows the same sentence as for a component that raises.
FAILED = CachedMarkup({"tagName": "", "error": ""})


class RenderStopped(Component):
    """Replaces a component that rendered itself without end, which no longer runs."""

    __slots__ = ()

    def __init__(self, component: Component) -> None:
        self.key, self.type = component.key, component.type

    def render(self) -> Any:
        """Return the model of a component that failed."""
        return FAILED

    def __repr__(self) -> str:
        return f"Stopped({self.type.__name__})"


def failed_render() -> Any:
    """Return the model that replaces a component that is not rendered."""
    return FAILED


class NestedRenders:
    """Stops a component that contains itself: once nested too deep, its type is no longer rendered in this update.

    Python's recursion limit ends the tree of a component that contains itself once. The tree of a component that
    contains itself twice doubles with each level and would not end.
    """

    _too_deep: frozenset[Any] = frozenset()  # the types of such components

    async def _create_layout_update(self, old_state: Any) -> Any:
        self._too_deep = frozenset()
        return await super()._create_layout_update(old_state)  # type: ignore[misc]

    async def _render_component(self, *arguments: Any) -> Any:
        *others, component = arguments
        if len(HOOK_STACK.get()) > MOST_NESTED and component.type not in self._too_deep:
            self._too_deep |= {component.type}
            log.error("%s holds itself without end and was stopped", component.type.__name__)
        if component.type in self._too_deep:
            component = Component(failed_render, component.key, (), {}, inspect.Signature())
        return await super()._render_component(*others, component)  # type: ignore[misc]


class EndlessRenders:
    """Counts renders that are caused by renders and their effects, and stops a component with too many of them.

    An external cause (an event, a topic, an awaited result) resets the counts of all components. A stopped component
    stays stopped until the page is left, because each retry would fail again.
    """

    _rendering: asyncio.Task[None] | None
    _model_states_by_life_cycle_state_id: dict[Any, Any]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._repeats: dict[Any, int] = {}  # by the id of the component's state

    def _is_stopped(self, state_id: Any) -> bool:
        return self._repeats.get(state_id, 0) > MOST_REPEATS

    def _count_render(self, state_id: Any) -> None:
        """Count one requested render of this component, unless it has an external cause."""
        is_own = self._rendering is not None and asyncio.current_task() is self._rendering
        if not is_own and not is_effect_beginning():
            if self._repeats:
                self._repeats = {each: times for each, times in self._repeats.items() if self._is_stopped(each)}
            return
        self._repeats[state_id] = self._repeats.get(state_id, 0) + 1
        if self._is_stopped(state_id):
            component = self._model_states_by_life_cycle_state_id[state_id].life_cycle_state.component
            log.error("%s renders itself without end and was stopped", component.type.__name__)

    async def _render_component(self, *arguments: Any) -> Any:
        *others, component = arguments
        old_state = others[1]
        if self._repeats and old_state is not None and old_state.is_component_state:
            before = old_state.life_cycle_state
            if self._is_stopped(before.id) and before.component.type == component.type:
                component = RenderStopped(component)
        return await super()._render_component(*others, component)  # type: ignore[misc]
