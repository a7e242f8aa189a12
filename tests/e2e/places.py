"""The site's addresses, as patterns for the row ids of the demo."""

from dataclasses import dataclass

from django.utils import timezone

from apps.community.selectors.posts import posts_page
from apps.competition.enums import SessionFilter
from apps.competition.selectors.admin.pieces import piece_facts
from apps.competition.selectors.admin.sessions import stages_admin
from apps.competition.selectors.public.participants import participant_list
from apps.competition.selectors.public.sessions import live_now, session_appearances, session_list
from apps.news.selectors import post_list

SHARED = (
    "/",
    "/participants",
    "/participants?q=wroblewska&country=Poland",
    "/participants?q=nobody+of+this+name",
    "/participants/{participant}",
    "/participants/{participant}?tab=biography",
    "/participants/{participant}?tab=ratings",
    "/sessions",
    "/sessions?show=past",
    "/sessions?show=all",
    "/pieces",
    "/pieces/{piece}",
    "/pieces/{piece}?sort=mark",
    "/pieces/{piece}/compare",
    "/search",
    "/search?q=zofia+etude",
    "/schedule",
    "/schedule?day=all",
    "/sessions/{live}",
    "/sessions/{past}",
    "/sessions/{past}?watch=session",
    "/sessions/{bare}",
    "/stages",
    "/stages/{stage}",
    "/stages/method",
    "/news",
    "/news/{post}",
    "/community",
    "/community?post={community_post}",
    "/community?by=una_corda",
    "/contact",
    "/privacy",
)
MISSING = ("/community?post=999999", "/participants/999999", "/sessions/999999", "/stages/999999", "/news/999999")
MISSING += ("/pieces/999999",)
UNUSABLE = ("/reset-password", "/verify-email?key=none")  # links without a valid key
PLAIN = (
    "/login",
    "/register",
    "/forgot-password",
    "/forgot-password/sent",
    "/verify-email/sent",
    *UNUSABLE,
)  # and /auth/callback, which redirects at once: tests/e2e/test_google.py
BACKSTAGE = (
    "/following",
    "/profile",
    "/community/report?thing=post%3A{community_post}",
    "/admin",
    "/admin?tab=reports",
    "/admin?tab=reports&show=hidden",
    "/admin?tab=performances",
    "/admin?tab=performances&show=all",
    "/admin?tab=unusual",
    "/admin?tab=live",
    "/admin?tab=avatars",
    "/admin?tab=audit",
    "/admin?tab=errors",
    "/admin?q=nothing+of+this+name",
    "/admin/prepare",
    "/admin/tonight",
    "/admin/blog",
    "/admin/blog?q=nothing+of+this+name",
    "/admin/blog?mode=create",
    "/admin/blog?mode=edit&id={post}",
    "/admin/programs",
    "/admin/stage-program",
    "/admin/program-import",
    "/admin/import",
    "/admin/jury",
    "/admin/participants",
    "/admin/participants?mode=create",
    "/admin/participants?mode=edit&id={participant}",
    "/admin/sessions",
    "/admin/sessions?mode=create",
    "/admin/sessions?mode=series",
    "/admin/sessions?mode=edit&id={live}",
    "/admin/pieces",
    "/admin/pianos",
    "/admin/pieces?mode=edit&id={piece}",
    "/admin/stages",
    "/admin/stages?mode=create",
    "/admin/stages?mode=edit&id={stage}",
    "/admin/stages?mode=advance&id={stage}",
    "/admin/stages?mode=prizes&id={stage}",
    "/admin/people",
    "/admin/contact",
    "/admin/records",
    "/admin/records?q=nothing+of+this+name",
)
PUBLIC = (*SHARED, *MISSING, *PLAIN)
EVERY = (*PUBLIC, *BACKSTAGE)
# Addresses whose page has no other blocks than another page of EVERY.
VARIANTS = {
    *MISSING[2:],
    "/sessions?show=past",
    "/pieces/{piece}?sort=mark",
    "/schedule?day=all",
    "/admin?tab=performances&show=all",
    "/admin?q=nothing+of+this+name",
    "/admin/blog?q=nothing+of+this+name",
    "/admin/records?q=nothing+of+this+name",
}
WITH_QUERY = ("/community?post={community_post}", "/community/report?thing=post%3A{community_post}")
STATUS = dict.fromkeys(MISSING, 404)  # of all other pages it is 200


@dataclass(frozen=True, slots=True)
class Appearances:
    """Row ids: the live session, a stage, a piece, a past session, one without video, a participant, two posts."""

    live: int
    stage: int
    piece: int
    past: int
    bare: int
    participant: int
    post: int
    community_post: int
    performers: tuple[int, ...]  # appearances in the live session, in order
    names: tuple[str, ...]  # of these performers

    def at(self, pattern: str) -> str:
        """Fill the ids into an address pattern of this module."""
        return pattern.format(
            live=self.live,
            stage=self.stage,
            piece=self.piece,
            past=self.past,
            bare=self.bare,
            participant=self.participant,
            post=self.post,
            community_post=self.community_post,
        )


def appearances_find() -> Appearances:
    """Return the row ids of the demo."""
    playing = live_now()
    assert playing is not None
    order = session_appearances(session_id=playing.session_id)
    sessions = session_list(when=SessionFilter.ALL, now=timezone.now()).rows
    return Appearances(
        live=playing.session_id,
        stage=stages_admin()[0].id,
        piece=piece_facts()[0].id,
        past=sessions[0].id,
        bare=next(card.id for card in sessions if not card.youtube_id),
        participant=next(card.id for card in participant_list(query="Wróblewska").rows),
        post=post_list(limit=1)[0].id,
        community_post=posts_page(limit=1)[0].id,
        performers=tuple(appearance.id for appearance in order),
        names=tuple(appearance.name for appearance in order),
    )
