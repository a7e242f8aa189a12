"""Time reactions and pages of the community feed, in one process and its database, one batch per line of input.

Each batch is printed as JSON, in seconds. A reaction is the command up to COMMIT, then a render of the post and the
reader's slots. A page is its load, queries and render, for the first and the last page.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from uuid import uuid4

import django

REACTIONS, PAGES, SHOWN = 20, 5, 20  # reactions and pages of a batch, posts on a page


def seconds(work: Callable[[], object]) -> float:
    """Return the duration of `work` in seconds."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def reactions() -> Iterator[Callable[[], None]]:
    """Yield reactions to lively posts, each by an account that has not reacted to that post."""
    from apps.accounts.models import User
    from apps.accounts.selectors.sessions import viewer_get
    from apps.community.models import Post
    from components.pages.public.community import community_fills
    from components.parts.community import community_post
    from components.runtime.rendering.live_part import LivePart
    from project.process.commands import CommandRequest, command_run
    from project.visit import Visit
    from tests.rendering import renew_all

    posts = Post.objects.order_by("-id").values_list("id", flat=True)[:SHOWN:2]
    fans = [
        viewer_get(user_id=pk) for pk in User.objects.filter(username__startswith="fan").values_list("id", flat=True)
    ]
    parts = {pk: LivePart(community_post(pk, language="en")) for pk in posts}
    renew_all(list(parts.values()))
    for fan, post in product(fans, posts):

        def react(fan=fan, post=post) -> None:
            wish = CommandRequest("post_reaction_set", str(uuid4()), f"{post}:applause", {})
            answer = command_run(wish, Visit("/community", "en", fan))
            assert answer["ok"], answer
            (change,) = renew_all([parts[post]])
            assert change, "the reader's post has not changed"
            assert community_fills(viewer=fan)

        yield react


def page(address: str) -> Callable[[], None]:
    """Return a function that reads a page of the feed with all its parts and renders their HTML."""
    from apps.accounts.actors import ANONYMOUS
    from components.routes import Target, find
    from components.runtime.rendering.live_part import LivePart
    from tests.rendering import renew_all

    def read() -> None:
        target = find(address, ANONYMOUS)
        assert isinstance(target, Target)
        feed = LivePart(target.load(ANONYMOUS, "en").parts["posts"])
        renew_all([feed])
        posts = [LivePart(ref) for ref in feed.inner_refs]
        renew_all(posts)
        assert len(posts) == SHOWN
        assert all(part.pieces for part in (feed, *posts))

    return read


def last_page() -> str:
    """Return the address of the last page, which is the first one if there is no other."""
    from apps.community.models import Post
    from apps.core.database.paging import Cursor
    from components.parts.community import address_of
    from components.parts.words import PATH

    cursors = Post.objects.order_by("created_at", "id").values_list("created_at", "id")[SHOWN : SHOWN + 1]
    return address_of(before=str(Cursor(*cursors[0]))) if cursors else PATH


def main() -> None:
    """Run a batch for each line of the standard input."""
    reaction, first, last = reactions(), page("/community"), page(last_page())
    for _ in sys.stdin:
        batch = {
            "reaction": [seconds(next(reaction)) for _ in range(REACTIONS)],
            "first": [seconds(first) for _ in range(PAGES)],
            "last": [seconds(last) for _ in range(PAGES)],
        }
        print(json.dumps(batch), flush=True)


if __name__ == "__main__":
    django.setup()
    main()
