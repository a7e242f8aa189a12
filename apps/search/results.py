"""What a search returns."""

from dataclasses import dataclass

from apps.search.enums import Kind

Marks = tuple[tuple[int, int], ...]  # [start, end) of the matches in a text


@dataclass(frozen=True, slots=True)
class Hit:
    """One object that was found; `detail` is its second line, which may be empty."""

    kind: Kind
    object_id: int
    title: str
    detail: str
    address: str
    title_marks: Marks
    detail_marks: Marks
    is_public: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The hits of one kind; `total` counts at most TOTAL_MOST."""

    kind: Kind
    hits: tuple[Hit, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search.

    `words` is what was searched for, after cutting. `corrected` are the words that were searched for instead because
    nothing was found, or an empty text. The group with the most certain hit is the first.
    """

    words: str
    corrected: str
    groups: tuple[Group, ...]
