"""The state of the page of a stage's program in its address."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from apps.core.limits import SEARCH_LENGTH
from components.runtime import Query, number_of
from components.ui.areas import STAGE_PROGRAM

NEW = -1  # in place of a slot: the form of a new one


@dataclass(frozen=True, slots=True)
class Where:
    """State in the address: stage, appearance with the shown program, the slot with the open form. 0 means none."""

    stage: int = 0
    appearance: int = 0
    slot: int = 0
    find: str = ""  # the search text for works

    @property
    def fields(self) -> dict[str, str]:
        """Return the address fields, without the search of works and the form of a slot."""
        values = {"stage": self.stage, "appearance": self.appearance}
        return {name: str(value) for name, value in values.items() if value}

    def at(self, **changed: Any) -> str:
        """Return the address of this state with changed fields."""
        new = replace(self, **changed)
        slot = {"slot": "new" if new.slot == NEW else str(new.slot)} if new.slot else {}
        find = {"find": new.find} if new.find else {}
        return f"{STAGE_PROGRAM}?{urlencode({**new.fields, **slot, **find})}"


def where_of(query: Query) -> Where:
    """Return the state in the address; invalid fields are empty."""
    return Where(
        stage=number_of(query, "stage", 0),
        appearance=number_of(query, "appearance", 0),
        slot=NEW if query.get("slot") == "new" else number_of(query, "slot", 0),
        find=query.get("find", "").strip()[:SEARCH_LENGTH],
    )


def stage_program_at(stage_id: int, appearance_id: int = 0) -> str:
    """Return the address of a stage's program, and in it of the program of an appearance."""
    return Where(stage_id, appearance_id).at()
