"""Treat a component with a model that cannot be encoded as failed, instead of failing the page or the window."""

import logging
from typing import Any

from reactpy.core._life_cycle_hook import HOOK_STACK

from components.runtime.rendering.encoding import LayoutUpdate, NotEncodable, encode

log = logging.getLogger(__name__)


class EncodedModels:
    """Encodes each update once, when its outermost component is rendered and no effect has begun.

    These bytes are sent unchanged. The failing component is only looked for when encoding fails.
    """

    _model_states_by_life_cycle_state_id: dict[Any, Any]
    _rendered: list[Any]  # EndedFailures'
    _body: bytes

    async def _create_layout_update(self, old_state: Any) -> Any:
        try:
            update = await super()._create_layout_update(old_state)  # type: ignore[misc]
            return LayoutUpdate(update, self._body)
        finally:
            self._body = b""

    async def _render_component(self, *arguments: Any) -> Any:
        state = await super()._render_component(*arguments)  # type: ignore[misc]
        if not HOOK_STACK.get():
            try:
                self._body = encode(state.model.current)
            except NotEncodable:
                await self._fail_components()
                self._body = encode(state.model.current)
        return state

    async def _fail_components(self) -> None:
        """Fail the components of this update with a model that cannot be encoded, inner components first."""
        for each in self._rendered:
            state = self._model_states_by_life_cycle_state_id.get(each)
            if state is None:
                continue
            try:
                encode(state.model.current)
            except NotEncodable:
                log.exception("Failed to render %s", state.life_cycle_state.component)
                await self._fail(state)

    async def _fail(self, state: Any) -> None:
        inside = list(state.children_by_key.values())
        state.children_by_key.clear()
        await self._unmount_model_states(inside)  # type: ignore[attr-defined]
        model = state.model.current  # change it in place: parents refer to the same object
        key = {"attributes": model["attributes"]} if _is_encodable(model.get("attributes")) else {}
        model.clear()
        model.update({"tagName": "", "error": ""} | key)


def _is_encodable(attributes: Any) -> bool:
    """Return whether a component has attributes (its key) that can be encoded."""
    try:
        return bool(attributes and encode(attributes))
    except NotEncodable:
        return False
