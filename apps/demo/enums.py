"""Enumerations of the demo."""

from enum import StrEnum


class DemoState(StrEnum):
    """Whether the demo of this site is alive."""

    ALIVE = "alive"
    STOPPED = "stopped"  # by an administrator, who may start it again
    OVER = "over"  # a real account has been made


class Act(StrEnum):
    """What one step of the living demo did."""

    NOTHING = "nothing"
    REFUSED = "refused"  # by a service, such as for a rate limit
    STOPPED = "stopped"  # the demo may not live now: a press, another data set, a switched off setting
    OVER = "over"  # the demo does not live again
    PERFORMER_CAME = "performer came"
    PERFORMER_LEFT = "performer left"
    SESSION_BEGAN = "session began"
    SESSION_ENDED = "session ended"
    MOMENT_SET = "moment set"
    MOMENTS_CLEARED = "moments cleared"
    REACTED = "reacted"
    MARKED = "marked"
    RECOMMENDED = "recommended"
    APPROVED = "approved"
    COMMENTED = "commented"
    COMMENT_DELETED = "comment deleted"
    POSTED = "posted"
    POST_DELETED = "post deleted"
    REPLIED = "replied"
    APPLAUDED = "applauded"
