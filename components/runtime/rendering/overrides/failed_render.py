"""Unmount the content of a component that failed."""

from typing import Any


class EndedFailures:
    """Unmounts all components inside a component that failed.

    Upstream leaves them running: their effects continue, and their updates have paths that the browser no longer has,
    so that it requests the whole page again.
    """

    _event_handlers: dict[str, Any]
    _model_states_by_life_cycle_state_id: dict[Any, Any]
    _rendered: list[Any]  # the ids of this update's components, inner components first

    async def _create_layout_update(self, old_state: Any) -> Any:
        self._rendered = []
        try:
            return await super()._create_layout_update(old_state)  # type: ignore[misc]
        finally:
            del self._rendered

    async def _render_component(self, *arguments: Any) -> Any:
        old_state, begun = arguments[1], len(self._rendered)
        state = await super()._render_component(*arguments)  # type: ignore[misc]
        if "error" in state.model.current:
            known = self._model_states_by_life_cycle_state_id
            inside = [known[each] for each in self._rendered[begun:] if each in known]
            before = old_state.children_by_key.values() if old_state is not None else ()
            await self._unmount_model_states([*inside, *before])
        self._rendered.append(state.life_cycle_state.id)
        return state

    async def _unmount_model_states(self, old_states: list[Any]) -> None:
        """Unmount these states and all inside them. Unlike upstream's, it accepts partly replaced and ended states."""
        waiting = old_states[::-1]
        while waiting:
            state = waiting.pop()
            for target in state.targets_by_event.values():
                self._event_handlers.pop(target, None)
            if state.is_component_state:
                life = state.life_cycle_state
                if self._model_states_by_life_cycle_state_id.pop(life.id, None) is not None:
                    await life.hook.affect_component_will_unmount()
            waiting.extend(state.children_by_key.values())
