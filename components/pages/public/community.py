"""The community feed with its pages, the posts of one author, and a single post with open comments."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as field_of
from typing import Any
from urllib.parse import urlencode

from apps.accounts.actors import Viewer
from apps.accounts.selectors.sessions import account_id_get
from apps.community.limits import POST_LENGTH
from apps.community.selectors.posts import PostCard, own_reactions_recent, post_comments, posts_read
from apps.competition.selectors.public.stages import stage_names
from apps.competition.selectors.public.subjects import Subject, performers_offered, subjects_get, subjects_offered
from apps.core.database.paging import Cursor
from apps.core.limits import ADDRESS_LENGTH, ID_DIGITS
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from components.parts.community import (
    ANONYMOUS,
    COMMENTS,
    EARLIER,
    EARLIER_EVENT,
    MEMBER,
    PANEL,
    PANEL_BUTTON,
    PERFORMER,
    REACTION,
    STAGE,
    address_of,
    community_comments,
    community_comments_earlier,
    community_feed,
    single_post,
    withdrawing,
)
from components.parts.covered_texts import EVERYTHING, sight_of, sight_topics, texts_slots
from components.parts.people import author_slots
from components.parts.words import PATH, about_path, short
from components.runtime import (
    Fill,
    Fills,
    Markup,
    Page,
    PageRequest,
    Parts,
    Query,
    SlotQuery,
    Vdom,
    VdomDict,
    command_form,
    component,
    fill,
    fill_slots,
    html,
    key,
    page_events,
    part_in_slot,
    shared_part,
    slot_query,
    use_live_query,
    use_opened_rows,
    use_ref,
    use_viewer,
)
from components.ui.blocks import link
from components.ui.empty_states import message
from components.ui.forms import characters_left, field, select
from components.ui.frames import main, title
from components.ui.people import NAMED, disc

_OPTGROUP = Vdom("optgroup")
Subjects = tuple[Subject, ...]


def sign_in_line(about: int, language: str) -> VdomDict:
    """Return the link to the sign-in, which leads back to the composer, with this performance chosen unless it is 0."""
    back = urlencode({"next": about_path(about) if about else PATH})
    words = texts(language)("Sign in to post, react and comment")
    return html.p({"class": "lead"}, link(f"/login?{back}", words))


@component
def composer(offered: Subjects, about: Subject | None, language: str) -> VdomDict:
    """Render the form for a post, which may be about a performance of `offered`; `about` is chosen at first.

    What this window has offered stays: a choice is never changed below the hand, and the server refuses what is gone.
    """
    t, username = texts(language), use_viewer().username
    none_yet: dict[int, Subject] = {}
    known = use_ref(none_yet).current
    now = use_live_query(subjects_offered, topics=("sessions",), initial=offered)
    known.update({each.id: each for each in (*([about] if about else []), *now)})
    text = {
        "id": "post",
        "name": "content",
        "rows": 3,
        "maxLength": POST_LENGTH,
        "required": True,
        "placeholder": t("What stayed with you?"),
    }
    picture = field(
        t("Image URL"), "image_url", type="url", inputMode="url", placeholder="https://", maxLength=ADDRESS_LENGTH
    )
    draft = f"post:about:{about.id}" if about else "post"
    return html.form(
        command_form("post_add", draft=draft) | {"class": "composer-box", "data-needs": "content", "noValidate": True},
        disc(username, initials(username)),
        html.div(
            {"class": "field"},
            html.label({"class": "visually-hidden", "htmlFor": "post"}, t("Your post")),
            html.textarea(text),
            characters_left(t),
        ),
        _subjects(tuple(known.values()), about, t) if known else None,
        html.div(
            {"class": "composer-box__row"},
            html.details(
                {"class": "composer-box__picture"},
                html.summary({"class": "link"}, t("Add an image")),
                picture,
            ),
            html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Post")),
        ),
        html.p({"class": "small composer-box__answer", "data-answer": "", "data-vanish": "3000", "role": "status"}),
    )


def _subjects(subjects: Subjects, about: Subject | None, t: Texts) -> VdomDict:
    """Return the choice of a performance, by session."""
    sessions: dict[int, list[Subject]] = {}
    for each in subjects:
        sessions.setdefault(each.session_id, []).append(each)
    groups = (
        _OPTGROUP(
            {"label": of_session[0].session_title, "key": f"session-{pk}"},
            *(
                html.option({"value": str(each.id), "key": f"choice-{each.id}", "translate": "no"}, each.name)
                for each in of_session
            ),
        )
        for pk, of_session in sessions.items()
    )
    own = {"id": "about", "name": "about", "defaultValue": str(about.id) if about else ""}
    return html.div(
        {"class": "field composer-box__about"},
        html.label({"htmlFor": "about"}, t("About")),
        html.select(own, html.option({"value": "", "key": "choice-none"}, t("No performer")), *groups),
    )


def community_slots() -> SlotQuery:
    """Return the slot query for the viewer's reactions, and for elements that differ for signed-in viewers."""
    return slot_query(community_fills, topics=("account.<id>.reactions",))


def community_fills(*, viewer: Viewer) -> Fills:
    """Return the slot fills of a signed-in viewer. One query."""
    reactions = own_reactions_recent(user_id=viewer.id) if viewer.id is not None else {}
    return {
        MEMBER: fill({"hidden": False}),
        ANONYMOUS: fill({"hidden": True}),
        **{f"{REACTION}:{post_id}:{kind}": withdrawing(post_id) for post_id, kind in reactions.items()},
    }


POSTS = "posts"  # the part with the feed or a single post
PANELS = 20  # open panels per window, at most
# ids of a post and of the first comment that its open panel shows (0 shows all), and the viewer's sight at first
Panel = tuple[int, int, str]
Panels = tuple[Panel, ...]
Handlers = Mapping[str, Callable[[str], Awaitable[None]]]


@dataclass(frozen=True, slots=True)
class Feed:
    """The page data: the heading, and the content that the address selects."""

    heading: str
    is_whole: bool = False  # first page of the whole feed, with the composer
    is_missing: bool = False  # the address names a post that does not exist
    panels: Panels = ()
    offered: Subjects = ()  # the performances that the composer offers
    performer_id: int = 0  # whose performances the posts are about, 0 for all
    stage_id: int = 0  # of these performances, 0 for all
    performers: Mapping[int, str] = field_of(default_factory=dict)  # names that the filter offers, by id
    stages: Mapping[int, str] = field_of(default_factory=dict)
    about: Subject | None = None  # the one that the address chooses
    is_gone: bool = False  # the address names a performance that does not exist


def load(request: PageRequest) -> Page:
    """Return a post (`?post=`), an author's posts (`?by=`), a later page (`?before=`), or the feed.

    404 for an unknown post; an unknown author gets the whole feed. `?about=` chooses a performance in the composer,
    `?performer=` and `?stage=` the posts about performances; unknown ones are ignored.
    """
    if "post" in request.query:
        post_id = _id(request.query["post"])
        post = posts_read(ids=(post_id,)).get(post_id)
        if post is None:
            return _missing(post_id, request.language)
        return _one(post, _id(request.query.get("earlier", "")), request.language)
    t, before = request.t, str(Cursor.read(request.query.get("before", "")) or "")
    author_id = account_id_get(username=request.query["by"]) if request.query.get("by") else None
    heading = t("Posts by {author}").format(author=request.query["by"]) if author_id else t("Community")
    if author_id:
        feed = community_feed(before, author_id, 0, 0, language=request.language)
        return _page(Feed(heading), {POSTS: feed}, request.language)
    shown = _filtered(Feed(heading), request.query)
    feed = community_feed(before, 0, shown.performer_id, shown.stage_id, language=request.language)
    if not before:
        shown = _whole(shown, _id(request.query.get("about", "")))
    return _page(shown, {POSTS: feed}, request.language)


def _filtered(feed: Feed, query: Query) -> Feed:
    """Return the feed with what its filter offers, and what the address chooses of that. Two queries."""
    performers, stages = performers_offered(), {stage.id: stage.name for stage in stage_names()}
    performer_id, stage_id = _id(query.get(PERFORMER, "")), _id(query.get(STAGE, ""))
    return replace(
        feed,
        performers=performers,
        stages=stages,
        performer_id=performer_id if performer_id in performers else 0,
        stage_id=stage_id if stage_id in stages else 0,
    )


def _whole(feed: Feed, about_id: int = 0, *, is_missing: bool = False) -> Feed:
    """Return the feed's first page; a performance is chosen unless `about_id` is 0. At most two queries."""
    about = subjects_get(ids=[about_id]).get(about_id) if about_id else None
    return replace(
        feed,
        is_whole=True,
        is_missing=is_missing,
        offered=subjects_offered(),
        about=about,
        is_gone=bool(about_id) and about is None,
    )


def _page(feed: Feed, parts: Parts, language: str, **more: Any) -> Page:
    words = texts(language)("What the audience is talking about, between the pieces.")
    page = Page(
        title=feed.heading,
        description=words,
        component=community_page,
        data=feed,
        parts=parts,
        slots=(community_slots(), author_slots(), texts_slots(*parts.values())),
    )
    return replace(page, **more)


def _one(post: PostCard, from_id: int, language: str) -> Page:
    """Return the page of one post with open comments, the address for sharing and reports."""
    t, panel = texts(language), (post.id, from_id or first_shown(post_id=post.id), EVERYTHING)
    heading = t("Post by {author}").format(author=post.author or t("former member"))
    comments = community_comments(post.id, language=language)
    earlier = community_comments_earlier(*panel[:2], language=language)
    parts = {POSTS: single_post(post.id, language=language), "comments": comments, "earlier": earlier}
    alone = {"canonical": address_of(post=post.id)}
    if post.about is None:  # else the text may be covered for a viewer
        alone["description"] = short(post.content)
    return _page(Feed(heading, panels=(panel,)), parts, language, topics=(f"community_post.{post.id}",), **alone)


def _missing(post_id: int, language: str) -> Page:
    """Return the feed with status 404 and a message that does not reveal whether the post ever existed."""
    heading, parts = texts(language)("Community"), {POSTS: community_feed("", 0, 0, 0, language=language)}
    topics = (f"community_post.{post_id}",)
    feed = _whole(_filtered(Feed(heading), {}), is_missing=True)
    return _page(feed, parts, language, status=404, topics=topics)


def _id(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= ID_DIGITS else 0


def first_shown(*, post_id: int) -> int:
    """Return the id of the oldest comment in an open panel; 0 if it shows all. At most three queries."""
    comments = post_comments(post_id=post_id)
    return comments.newest[0].id if comments.total > len(comments.newest) else 0


@component
def _panel(post_id: int, from_id: int, sight: str, language: str) -> VdomDict:
    """Show the comments on a post in its panel, as the viewer sees them."""
    viewer = use_viewer()
    now = use_live_query(sight_of, topics=sight_topics(viewer), initial=sight, viewer=viewer)
    refs = {
        f"{PANEL}:{post_id}": community_comments.of_sight(post_id, now, language=language),
        f"{EARLIER}:{post_id}": community_comments_earlier.of_sight(post_id, from_id, now, language=language),
    }
    return html.div(*(key(f"{name}-{ref.key}", part_in_slot(name, ref)) for name, ref in refs.items()))


@component
def community_page(page: Page) -> VdomDict:
    """Render the composer above the posts; a panel stays open until the address changes."""
    t, feed = texts(page.language), page.data
    panels, handlers = use_open_panels(page)
    head = html.div({"class": "hang hang--low"}, html.p(t("The foyer, between the pieces.")))
    missing = message(t("This post is no longer there."), good=False) if feed.is_missing else None
    gone = message(t("This performance is no longer in the program."), good=False) if feed.is_gone else None
    answers = html.p({"class": "small", "data-answer": "", "data-vanish": "3000", "role": "status"})
    body = html.div(
        {"class": "body foyer"},
        title(feed.heading),
        missing,
        gone,
        answers,
        _above(page),
        _filter(feed, t) if feed.stages else None,
        shared_part(page.parts[POSTS]),
    )
    later = tuple(panel for panel in panels if panel not in feed.panels)
    opened = [key(f"panel-{each[0]}-{each[1]}", _panel(*each, page.language)) for each in later]
    fills: dict[str, Fill] = {f"{PANEL_BUTTON}:{post_id}": fill({"aria-expanded": "true"}) for post_id, _, _ in panels}
    for post_id, *_ in (panel for panel in panels if panel in feed.panels):
        for name, part in ((PANEL, "comments"), (EARLIER, "earlier")):  # `load` lists these parts
            fills[f"{name}:{post_id}"] = fill({"hidden": False}, part=page.parts[part].key)
    return main(
        page_events(handlers),
        html.section({"class": "sheet sheet--first", "data-answers": ""}, head, body),
        html.div(*opened, fill_slots(fills)),
    )


def _above(page: Page) -> Markup:
    """Return the composer, which is another one for each address; for visitors and other lists a link."""
    feed: Feed = page.data
    if not feed.is_whole:
        return html.p(link(PATH, texts(page.language)("All posts")))
    about_id = feed.about.id if feed.about else 0
    if not use_viewer().is_signed_in:
        return sign_in_line(about_id, page.language)
    return key(f"composer-{about_id}", composer(feed.offered, feed.about, page.language))


def _filter(feed: Feed, t: Texts) -> VdomDict:
    """Return the choice of a performer and a stage that the posts are about, folded into one line."""
    performer, stage = feed.performers.get(feed.performer_id, ""), feed.stages.get(feed.stage_id, "")
    chosen = " · ".join(filter(None, (performer, stage)))
    words = t("Posts about {subject}").format(subject=chosen) if chosen else t("Posts about a performer or a stage")
    performers = [("", t("All performers")), *((str(pk), name) for pk, name in feed.performers.items())]
    stages = [("", t("All stages")), *((str(pk), name) for pk, name in feed.stages.items())]
    fields = html.div(
        {"class": "feed-filter__fields"},
        select(t("Performer"), PERFORMER, performers, _chosen(feed.performer_id), stored=lambda _name: NAMED),
        select(t("Stage"), STAGE, stages, _chosen(feed.stage_id)),
        html.button({"class": "button button--plain", "type": "submit"}, t("Show")),
        link(PATH, t("All posts")) if chosen else None,
    )
    form = {"class": "feed-filter", "method": "get", "action": PATH, "aria-label": t("Filter of the posts")}
    return html.form(form, html.details(html.summary(html.span(words)), fields))


def _chosen(pk: int) -> str:
    return str(pk) if pk else ""


def use_open_panels(page: Page) -> tuple[Panels, Handlers]:
    """Return the viewer's open panels, and the handlers of the page events that change them."""
    at_first: Panels = page.data.panels
    panels, change = use_opened_rows(page, at_first)
    viewer = use_viewer()

    async def on_comments(argument: str) -> None:
        post_id = _id(argument)
        panel = await in_thread(lambda: (post_id, first_shown(post_id=post_id), sight_of(viewer)))
        change(lambda before: _toggled(before, panel))

    async def on_earlier(argument: str) -> None:
        post_id, from_id = map(_id, argument.partition(":")[::2])
        panel = (post_id, from_id, await in_thread(lambda: sight_of(viewer)))
        change(lambda before: tuple(panel if each[0] == post_id else each for each in before))

    return panels, {COMMENTS: on_comments, EARLIER_EVENT: on_earlier}


def _toggled(panels: Panels, panel: Panel) -> Panels:
    others = tuple(each for each in panels if each[0] != panel[0])
    return others if len(others) < len(panels) else (*others, panel)[-PANELS:]
