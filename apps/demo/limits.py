"""The numbers of the living demo: its pace, and how much it may add."""

from datetime import timedelta

PACE = (1.0, 6.0)  # seconds between two acts of the whole audience, drawn evenly

PLAYS = (timedelta(minutes=3), timedelta(minutes=6))  # a performance
INTERVAL = (timedelta(seconds=60), timedelta(seconds=120))  # between two performances
PAUSE = (timedelta(minutes=3), timedelta(minutes=5))  # between two sessions
ARRIVAL = timedelta(seconds=45)  # after a window was opened, in which the stage stays as it is
HANDS_OFF = timedelta(minutes=10)  # after a person's act, for which the demo leaves live control, or the queue, alone
AFTER_FAILURE = timedelta(minutes=1)  # for which the demo leaves live control alone after an error of its own

HEARD = 1  # pieces of the performer on stage that a listener has heard before marking
ON_STAGE_FIRST = 0.75  # share of the audience's marks that are for the performer on stage
PLANNED = 6  # minutes planned for a performance
RATERS_MOST = 45  # of the demo, for one performance
RECENT = 2  # performances that the audience still talks about and marks
AUDIENCE_WAITS = timedelta(seconds=20)  # until the moderator reads a mark of the demo's audience
PERSON_WAITS = timedelta(minutes=2)  # until the moderator reads a person's mark, which an administrator may decide
APPROVED_AT_ONCE = 3  # ratings
TAPS_MOST = 4  # of one listener in one act

COMMENTS_MOST = 300  # of the demo's audience on sessions; above, its oldest one is deleted before it writes another
POSTS_MOST = 100  # of the demo's audience; above, its oldest one without a person's comment is deleted
REPLIES_MOST = 5  # of the demo's audience to one post
POSTS_READ = 8  # newest posts that the audience replies to and applauds
LINES_READ = 60  # newest texts that the audience does not repeat
