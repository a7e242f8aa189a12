"""Take screenshots of every screen, of this tree or another one, compare two folders of them, and take the README's.

    python -m tests.pictures take FOLDER [--tree PATH] [--new]
    python -m tests.pictures compare BEFORE AFTER
    python -m tests.pictures readme

`take` serves a copy of one demo database with the code of the tree. The first call makes the database; `--new` makes
it again. It takes every screen as anonymous visitor, fan and administrator, 1280 pixels wide and light, and 360 pixels
wide and dark. Take the older tree first, because the newer one may migrate the database. The browser's clock is fixed
and animations are off. `compare` prints the share of different pixels and writes a picture of the difference, in red,
to AFTER/differences. `readme` writes docs/screenshot.png: Home of a new demo, as an anonymous visitor sees it.
"""

import argparse
import base64
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django
import psycopg
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TookTooLong

from project.config import ROOT
from tests import chromium

TEMPLATE, COPY = "parterre_pictures", "parterre_pictures_now"
PASSWORD = "every-Screen-1280"
README_PICTURE, README_SIZE = ROOT / "docs" / "screenshot.png", (1200, 1180)
SIZES = {"light": (1280, 900), "dark": (360, 740)}
PLAYER = "<!doctype html><title>player</title>"  # in place of YouTube's player
LIVE = 15_000  # milliseconds that a page may take to be live
Numbers = dict[str, int]  # ids of the demo's rows, by their names in the paths below

SHARED = (
    "/", "/participants", "/participants?q=wroblewska&country=Poland", "/participants?q=nobody+of+this+name",
    "/participants/{participant}", "/participants/{participant}?tab=biography",
    "/participants/{participant}?tab=ratings", "/participants/{playing}", "/sessions", "/sessions?show=past",
    "/sessions?show=all", "/sessions/{live}", "/sessions/{past}", "/sessions/{past}?watch=session", "/sessions/{bare}",
    "/pieces", "/pieces/{piece}", "/search?q=zofia+etude",
    "/schedule", "/schedule?day=all", "/stages", "/stages/{stage}", "/stages/method",
    "/news", "/news/{post}", "/community", "/contact", "/privacy", "/participants/999999", "/nowhere",
)  # fmt: skip
PLAIN = (
    "/login",
    "/register",
    "/forgot-password",
    "/forgot-password/sent",
    "/reset-password",
    "/verify-email?key=none",
    "/verify-email/sent",
    "/sign-in-link",
    "/sign-in-link/sent",
    "/two-factor",
)  # fmt: skip; without /auth/callback, which redirects
OWN = (
    "/profile", "/following", "/profile?tab=ratings", "/profile/two-factor", "/profile/passkeys", "/reauthenticate",
    "/admin",
)  # fmt: skip
BACKSTAGE = (
    "/admin", "/admin?tab=performances", "/admin?tab=performances&show=all", "/admin?tab=unusual",
    "/admin?tab=live", "/admin?tab=avatars",
    "/admin?tab=audit", "/admin?q=nothing+of+this+name",
    "/admin/prepare", "/admin/tonight", "/admin/records", "/admin/contact",
    "/admin/blog", "/admin/blog?q=nothing+of+this+name",
    "/admin/blog?mode=create", "/admin/blog?mode=edit&id={post}", "/admin/programs", "/admin/program-import",
    "/admin/stage-program",
    "/admin/import", "/admin/jury", "/admin/participants", "/admin/participants?mode=create",
    "/admin/participants?mode=edit&id={participant}", "/admin/sessions", "/admin/sessions?mode=create",
    "/admin/sessions?mode=series",
    "/admin/sessions?mode=edit&id={live}", "/admin/pieces", "/admin/stages", "/admin/records", "/sessions/{live}",
    "/participants/{playing}",
)  # fmt: skip
PEOPLE = {
    "stranger": ("", (*SHARED, *PLAIN)),
    "fan": ("corda@example.org", (*SHARED, *OWN)),
    "administrator": ("halina@example.org", BACKSTAGE),
}
DIFFERENCE = """async ([before, after]) => {
  const load = (data) => new Promise((done) => {
    const image = new Image();
    image.onload = () => done(image);
    image.src = "data:image/png;base64," + data;
  });
  const images = [await load(before), await load(after)];
  const width = Math.max(...images.map((each) => each.width)), height = Math.max(...images.map((each) => each.height));
  const [one, two] = images.map((image) => {
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return [canvas, context, context.getImageData(0, 0, width, height)];
  });
  let count = 0;
  for (let at = 0; at < two[2].data.length; at += 4) {
    if ([0, 1, 2, 3].every((part) => one[2].data[at + part] === two[2].data[at + part])) continue;
    two[2].data.set([255, 0, 0, 255], at);
    count += 1;
  }
  two[1].putImageData(two[2], 0, 0);
  return [count / (width * height), count ? two[0].toDataURL().split(",")[1] : ""];
}"""


def numbers_read(address: str) -> Numbers:
    """Return the ids of the demo's rows that the paths name. The SQL works with the tables of older trees too."""
    asked = {
        "live": "SELECT id FROM sessions WHERE is_live",
        "past": "SELECT id FROM sessions ORDER BY starts_at, id LIMIT 1",
        "bare": "SELECT id FROM sessions WHERE youtube_id = '' ORDER BY starts_at, id LIMIT 1",
        "participant": "SELECT id FROM participants WHERE second_name LIKE 'Wr%' ORDER BY id LIMIT 1",
        "stage": "SELECT id FROM stages ORDER BY order_number LIMIT 1",
        "piece": "SELECT piece_id AS id FROM session_participant_pieces ORDER BY id LIMIT 1",
        "playing": "SELECT participant_id FROM session_participants WHERE is_performing ORDER BY id LIMIT 1",
        "post": "SELECT id FROM blog_posts ORDER BY created_at DESC, id DESC LIMIT 1",
    }
    with psycopg.connect(address) as connection:
        rows = {name: connection.execute(sql).fetchone() for name, sql in asked.items()}
    return {name: row[0] for name, row in rows.items() if row is not None}


@contextmanager
def served(tree: Path, owner_address: str) -> Iterator[str]:
    """Serve the site of this tree on this database; yield its address."""
    from tests.e2e.server import Server

    with TemporaryDirectory(prefix="parterre-pictures-") as folder:
        more = {"VENUE_ADDRESSES": "127.0.0.1", "DEMO_PASSWORD": PASSWORD}
        server = Server(Path(folder), owner_address, **more)
        server.tree, server.python = tree, str(tree / ".venv" / "bin" / "python")
        server.start()
        try:
            yield server.address
        finally:
            server.kill()


@contextmanager
def copied(tree: Path, *, new: bool) -> Iterator[str]:
    """Copy the demo database, which this tree makes if there is none; yield the copy's address."""
    from tests.e2e import content

    with psycopg.connect(content.address("postgres"), autocommit=True) as server:
        if new:
            server.execute(f'DROP DATABASE IF EXISTS "{TEMPLATE}" WITH (FORCE)')
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone():
            server.execute(f'CREATE DATABASE "{TEMPLATE}"')
            with served(tree, content.address(TEMPLATE)):
                pass
        server.execute(f'DROP DATABASE IF EXISTS "{COPY}" WITH (FORCE)')
        server.execute(f'CREATE DATABASE "{COPY}" TEMPLATE "{TEMPLATE}"')
        try:
            yield content.address(COPY)
        finally:
            server.execute(f'DROP DATABASE IF EXISTS "{COPY}" WITH (FORCE)')


def sign_in(page: Page, email: str) -> None:
    """Sign in by the form."""
    page.goto("/login")
    form = page.locator("form:has(input[type=password])")
    form.locator("input[type=email], input[name=login]").first.fill(email)
    form.locator("input[type=password]").fill(PASSWORD)
    form.locator("[type=submit]").first.click()
    page.wait_for_url(lambda url: "/login" not in url)


def shot(page: Page, path: str, file: Path) -> None:
    """Take a screenshot of the whole page once it is live."""
    page.goto(path)
    with suppress(TookTooLong):
        if page.locator("#app[data-url]").count():
            page.locator("#app[data-hydrated][data-connection=live]").wait_for(state="attached", timeout=LIVE)
    page.evaluate("() => document.fonts.ready")
    page.screenshot(path=file, full_page=True, animations="disabled", caret="hide")


def file_name(who: str, scheme: str, pattern: str) -> str:
    """Return the file name of a screenshot: letters, digits and hyphens."""
    words = "".join(each if each.isalnum() else "-" for each in pattern).strip("-") or "home"
    return f"{who}-{words}-{scheme}.png"


def screens(browser: Browser, address: str, numbers: Numbers, folder: Path) -> Iterator[str]:
    """Take a screenshot of each screen; yield the file names."""
    for who, (email, patterns) in PEOPLE.items():
        for scheme, (width, height) in SIZES.items():
            context = browser.new_context(
                base_url=address, viewport={"width": width, "height": height}, color_scheme=scheme,
                reduced_motion="reduce", locale="en", timezone_id="Europe/Warsaw",
            )  # fmt: skip
            page = context.new_page()
            page.route("https://**", lambda route: route.fulfill(body=PLAYER, content_type="text/html"))
            page.clock.set_fixed_time("2026-10-12T18:00:00Z")
            if email:
                sign_in(page, email)
            for pattern in patterns:
                name = file_name(who, scheme, pattern)
                shot(page, pattern.format(**numbers), folder / name)
                yield name
            context.close()


@contextmanager
def opened(tree: Path, *, new: bool) -> Iterator[tuple[Browser, str, Numbers]]:
    """Serve this tree with the demo; yield a browser, the site's address and the ids of the demo's rows."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    from project.database import embedded

    with embedded.database():
        django.setup()
        with copied(tree, new=new) as database, served(tree, database) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.executable(), args=list(chromium.ARGUMENTS))
            yield browser, address, numbers_read(database)
            browser.close()


def take(folder: Path, tree: Path, *, new: bool) -> None:
    """Take every screen of this tree."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened(tree, new=new) as (browser, address, numbers):
        count = sum(1 for _ in screens(browser, address, numbers, folder))
    say(f"{count} pictures in {folder}")


def readme_take() -> None:
    """Take the README's picture."""
    width, height = README_SIZE
    with opened(ROOT, new=True) as (browser, address, _):
        page = browser.new_page(base_url=address, viewport={"width": width, "height": height}, reduced_motion="reduce")
        page.goto("/")
        page.locator("#app[data-hydrated][data-connection=live]").wait_for(state="attached", timeout=LIVE)
        page.evaluate("() => document.fonts.ready")
        page.screenshot(path=README_PICTURE, animations="disabled", caret="hide")
    say(str(README_PICTURE))


def compare(before: Path, after: Path) -> bool:
    """Print the differences. Return whether all screens are equal."""
    names = sorted({each.name for each in (*before.glob("*.png"), *after.glob("*.png"))})
    differences = after / "differences"
    differences.mkdir(exist_ok=True)
    equal = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=list(chromium.ARGUMENTS))
        page = browser.new_page()
        for name in names:
            if found := difference(page, before / name, after / name, differences / name):
                equal = False
                say(f"{found:>10}  {name}")
        browser.close()
    say(f"{len(names)} screens compared")
    return equal


def difference(page: Page, before: Path, after: Path, picture: Path) -> str:
    """Return the share of different pixels, "missing", or "" for equal pictures. Write a picture of the difference."""
    if not (before.exists() and after.exists()):
        return "missing"
    contents = [before.read_bytes(), after.read_bytes()]
    if contents[0] == contents[1]:
        return ""
    found: Any = page.evaluate(DIFFERENCE, [base64.b64encode(each).decode() for each in contents])
    if not found[0]:
        return ""
    picture.write_bytes(base64.b64decode(found[1]))
    return f"{found[0]:.4%}"


def say(text: str) -> None:
    """Print and flush."""
    print(text, flush=True)  # noqa: T201 - this is a program for a terminal


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="tests.pictures", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    taking, comparing = commands.add_parser("take"), commands.add_parser("compare")
    commands.add_parser("readme")
    taking.add_argument("folder", type=Path)
    taking.add_argument("--tree", type=Path, default=ROOT)
    taking.add_argument("--new", action="store_true")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "take":
        take(options.folder, options.tree, new=options.new)
    elif options.command == "readme":
        readme_take()
    elif not compare(options.before, options.after):
        sys.exit(1)


if __name__ == "__main__":
    main()
