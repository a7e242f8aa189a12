"""The pages that notifications open."""

from apps.notifications.enums import Kind


def page_of(*, kind: Kind, participant_id: int, session_id: int | None, stage_id: int | None) -> str:
    """Return the path of the page that a notification opens: the stage's video, the results, else the performer."""
    if kind == Kind.NOW and session_id is not None:
        return f"/sessions/{session_id}#stage-video"
    if kind == Kind.PRIZES and stage_id is not None:
        return f"/stages/{stage_id}#prizes"
    if kind == Kind.ADVANCED and stage_id is not None:
        return f"/stages/{stage_id}"
    return f"/participants/{participant_id}"
