"""A real web process with the pages of a test, on the test's database.

`python -m tests.project.smallsite PORT [NAME=NUMBER ...]` changes settings or limits. `tests/project/small.py` starts
the process and reads its output. Passwords are hashed in one round.
"""

import itertools
import os
import sys
from typing import Any

from tests.project.lag import Lag


def main(port: str, *changes: str) -> None:
    """Serve until the process receives a signal."""
    import django
    from django.conf import settings

    from project.limits import rates
    from tests.hashing import QUICK

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.PASSWORD_HASHERS = QUICK
    for name, _, value in (change.partition("=") for change in changes):
        setattr(rates if hasattr(rates, name) else settings, name, float(value))
    django.setup()
    from components import routes
    from components.routes import Route
    from project.launcher.serve import serve
    from project.process.web_process import process

    begin = process.start

    def start() -> None:
        begin()
        lag.start()

    process.start = start

    routes.table = lambda: tuple(Route(path, load) for path, load in pages().items())
    serve(port=int(port))


lag = Lag()


def load_typing(_: Any) -> Any:
    """Return a page with an input and a button in a component of its own, as in ReactPy's examples."""
    from components.runtime.markup import Markup, component, html, use_state
    from components.runtime.page import Page

    @component
    def typing(page: Page) -> Markup:
        text, set_text = use_state("")
        chosen, set_chosen = use_state(0)
        times, set_times = use_state(0)
        options = [html.option({"value": str(number)}, f"Option {number}") for number in range(300)]

        def on_choose(event: Any) -> None:
            set_chosen(len(event["target"]["values"]))

        return html.main(
            html.h1(page.title),
            html.input({"aria-label": "Text", "value": text, "onInput": lambda e: set_text(e["target"]["value"])}),
            html.p({"id": "text"}, text),
            html.select({"aria-label": "Options", "multiple": True, "onChange": on_choose}, options),
            html.p({"id": "chosen"}, str(chosen)),
            html.button({"onClick": lambda _: set_times(lambda before: before + 1)}, "Press"),
            html.p({"id": "times"}, str(times)),
        )

    return Page(title="Typing", description="A test.", component=typing)


def pages() -> dict[str, Any]:
    """Return the load functions of the pages by address."""
    from apps.accounts.models import User
    from apps.core.events import topics_declare
    from components.runtime.markup import Markup, component, html
    from components.runtime.page import Page, PageRequest
    from components.runtime.rendering.parts import PublicPart, shared_part

    @component
    def plain(page: Page) -> Markup:
        return html.main(html.h1(page.title), [shared_part(ref) for ref in page.parts.values()])

    @component
    def blocked(page: Page) -> Markup:
        os.read(0, 1)  # on the event loop, until the test writes
        return html.main(html.h1(page.title))

    turns = itertools.count()

    def markup(*, language: str) -> Any:
        User.objects.count()
        turn = next(turns)
        return html.p(f"Turn {turn}: {f'text {turn} ' * 25}")

    topics_declare({"turns": "of a test"})
    part = PublicPart("turns", markup, lambda: ("turns",))

    def load(request: PageRequest) -> Page:
        parts = {"turns": part(language=request.language)}
        return Page(title="Small", description="A test.", component=plain, parts=parts)

    def load_plain(_: PageRequest) -> Page:
        return Page(title="Small", description="A test.", component=plain)

    def load_blocked(_: PageRequest) -> Page:
        return Page(title="Blocked", description="A test.", component=blocked)

    def load_broken(request: PageRequest) -> Page:
        raise ValueError(f"for mazurka@example.org: {dict(request.query)}")

    return {
        "/": load,
        "/lag": lambda _: Page(title=f"Lag {lag.take() * 1000:.0f} ms", description="A test.", component=plain),
        "/read": lambda _: Page(title=f"{User.objects.count()} people", description="A test.", component=plain),
        "/blocked": load_blocked,
        "/broken": load_broken,
        "/login": load_plain,
        "/typing": load_typing,
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
