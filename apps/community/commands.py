"""Commands of the community: posts, comments, reactions, reports and the moderation of reports."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import leave_to_database, no_rows, register
from apps.community.enums import REACTION_WISHES, PostReaction, ReportKind, ReportReason
from apps.community.limits import COMMENT_LENGTH, POST_LENGTH, REASON_LENGTH
from apps.community.searchable import searchables_register
from apps.community.selectors.posts import community_own
from apps.community.selectors.reports import reports_own
from apps.community.services import posts, reports
from apps.community.services.posts import (
    COMMENT_ADDED,
    COMMENT_DELETED,
    POST_ADDED,
    POST_DELETED,
    community_forget,
    post_delete,
    subjects_end,
)
from apps.community.services.report_moderation import REPORT_MODERATION
from apps.community.services.reports import REPORT_ADDED
from apps.competition.dependents import subjects_register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.limits import ADDRESS_LENGTH, ID_DIGITS
from apps.core.texts import Texts


@command(Access.MEMBER)
def post_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add a post from the form, about the performance that is chosen there; the answer names its row."""
    content, image_url = given.text("content", POST_LENGTH), given.text("image_url", ADDRESS_LENGTH)
    about = given.number("about", 1, 10**ID_DIGITS - 1, posts.NO_PERFORMANCE)
    added = posts.post_add(actor=actor, content=content, image_url=image_url, about=about)
    return Answer(t(POST_ADDED), empty=True, data={"row": f"post-{added.pk}"})


@command(Access.MEMBER, confirm="Delete this post?")
def community_post_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the post in the argument; `post_delete` deletes an article of the news."""
    post_delete(actor=actor, post_id=given.id())
    return Answer(t(POST_DELETED))


@command(Access.MEMBER)
def post_comment_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Comment on the post in the argument."""
    posts.post_comment_add(actor=actor, post_id=given.id(), content=given.text("content", COMMENT_LENGTH))
    return Answer(t(COMMENT_ADDED), empty=True)


@command(Access.MEMBER, confirm="Delete this comment?")
def post_comment_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the comment in the argument."""
    posts.post_comment_delete(actor=actor, comment_id=given.id())
    return Answer(t(COMMENT_DELETED))


@command(Access.MEMBER, waits=True)
def post_reaction_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Set the actor's reaction to a post: "17:applause". The post's counts confirm it, so the answer is empty.

    With `wish` the button was pressed before the sign-in: the answer then has a sentence and an undo.
    """
    post_id, reaction = given.id(), given.word(1, REACTION_WISHES)
    before = posts.post_reaction_set(actor=actor, post_id=post_id, reaction=reaction)
    if reaction == before or not given.flag("wish"):
        return Answer("")
    sentences: dict[str, str] = {
        PostReaction.APPLAUSE: t("Your applause was added."),
        PostReaction.BOO: t("Your boo was added."),
    }
    return Answer(sentences.get(reaction, ""), undo=("post_reaction_set", f"{post_id}:{before}"))


@command(Access.MEMBER)
def report_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Report the text in the argument: "post:17"."""
    kind, subject_id = ReportKind(given.word(0, ReportKind.values)), given.id(1)
    reason, words = given.choice("reason", ReportReason.values), given.text("words", REASON_LENGTH)
    reports.report_add(actor=actor, kind=kind, subject_id=subject_id, reason=reason, words=words)
    return Answer(t(REPORT_ADDED), empty=True)


@command(Access.ADMINISTRATOR)
def report_decide(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide about one reported text in the version that was seen: "hide:post:17:1823360400000000"."""
    return REPORT_MODERATION.answer_one(actor, given, t)


@command(Access.ADMINISTRATOR)
def reports_decide(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide about the selected reported texts."""
    return REPORT_MODERATION.answer_selected(actor, given, t)


@command(Access.ADMINISTRATOR, confirm="Decide about all that match?")
def reports_decide_matching(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide about all reported texts that match the filter in the argument."""
    return REPORT_MODERATION.answer_matching(actor, given, t)


@command(Access.ADMINISTRATOR)
def report_decision_undo(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Undo the decision about reports in the argument."""
    return REPORT_MODERATION.answer_undo(actor, given, t)


searchables_register()
# texts of a deleted account stay, by a former member
register(
    *("posts.user_id", "post_reactions.user_id", "post_comments.user_id"),
    export=lambda user_id: community_own(user_id=user_id),
    on_deletion=lambda user_id: community_forget(user_id=user_id),
)
register("reports.user_id", export=lambda user_id: reports_own(user_id=user_id), on_deletion=leave_to_database)
# the foreign keys become NULL
register(
    *("report_cases.decided_by_id", "report_decisions.user_id", "decided_report_cases.decided_by_id"),
    export=no_rows,
    on_deletion=leave_to_database,
)
subjects_register(lambda appearance_ids: subjects_end(appearance_ids=appearance_ids))
