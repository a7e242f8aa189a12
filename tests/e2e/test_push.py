"""Push in Chromium: turned on by a press, shown by a real service worker, opened by a click, and reasons against it."""

import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urljoin

import pytest
import pytest_asyncio
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page, async_playwright, expect

from apps.accounts.models import AuthSession
from apps.accounts.selectors.sessions import viewer_get
from apps.notifications.models import PushSubscription
from apps.notifications.push.messages import Browser, Message
from apps.notifications.services.push_subscriptions import push_subscribe
from tests import chromium
from tests.apps.notifications.push_service import Browser as SubscribedBrowser
from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import SIDEWAYS
from tests.e2e.conftest import QUIET, Site
from tests.e2e.fonts import browser_environment
from tests.e2e.scriptless import OFF, says
from tests.e2e.windows import PATIENCE, Windows
from tests.programs import program
from tests.waiting import until

PHONE = {"width": 360, "has_touch": True}
ENDPOINT = "https://fcm.googleapis.com/fcm/send/of-the-tests"
TURN_ON, TURN_OFF = "Turn on in this browser", "Turn off in this browser"
# A browser of the tests reaches no push service: its subscription is the tests' own, in place of the push service's.
SUBSCRIPTION = """({ endpoint, p256dh, auth }) => {
  let subscription = null;
  PushManager.prototype.getSubscription = async () => subscription;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const options = { applicationServerKey, userVisibleOnly: true };
    subscription = { endpoint, options, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
    return subscription;
  };
}"""
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
  ({ title, body, tag, data }) => ({ title, body, tag, path: data.path }))"""
# Chromium drops a notification that it is asked for before it is on the screen: the worker notes when it is.
NOTE = """() => {
  if (self.noted) return;
  self.noted = [];
  const show = self.registration.showNotification;
  self.registration.showNotification = async function (...given) {
    await show.apply(this, given);
    self.noted.push(given[0]);
  };
}"""
# A page cannot click a notification: the worker gets the event, and notes what it would focus or open.
CLICK = """async () => {
  const done = [];
  self.clients.openWindow = async (address) => done.push(["opened", address]);
  WindowClient.prototype.focus = async function () { done.push(["focused", this.url]); };
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  const waits = [];
  event.waitUntil = (promise) => waits.push(promise);
  self.dispatchEvent(event);
  await Promise.all(waits);
  return done;
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Chromium]:
    """The whole Chromium, without a window: the headless shell of the other journeys refuses notifications."""
    path = program("chromium", "chromium", "chromium-browser", "google-chrome")
    async with async_playwright() as playwright:
        arguments = [*chromium.ARGUMENTS, *QUIET, "--headless=new"]
        started = await playwright.chromium.launch(
            executable_path=path,
            args=arguments,
            ignore_default_args=["--headless"],
            env=browser_environment(tmp_path_factory.mktemp("fonts")),
        )
        yield started
        await started.close()


@pytest.fixture
def no_subscriptions(site: Site):
    """Delete all subscriptions before and after."""
    site.desk.do(PushSubscription.objects.all().delete)
    yield
    site.desk.do(PushSubscription.objects.all().delete)


def endpoints(site: Site) -> list[str]:
    return site.desk.do(lambda: list(PushSubscription.objects.values_list("endpoint", flat=True)))


async def opened(site: Site, windows: Windows, script: str = "", **options: Any) -> Page:
    """Open the member's page on a phone; `script` runs before those of the page."""
    page = await windows.open(session=site.sign_in(LISTENER), **{**PHONE, **options})
    await page.add_init_script(script or f"({SUBSCRIPTION})({json.dumps(SubscribedBrowser(ENDPOINT).keys)})")
    await page.goto("/following#notifications")
    return page


async def turn_on(page: Page) -> None:
    """Turn notifications on."""
    await page.get_by_role("button", name=TURN_ON).tap()
    await expect(page.get_by_role("button", name=TURN_OFF)).to_be_visible()
    await expect(page.get_by_role("button", name=TURN_ON)).to_be_hidden()


async def deliver(page: Page, *messages: Message | bytes) -> None:
    """Deliver push messages to the page's service worker, as the browser's own push client does."""
    devtools = await page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    await devtools.send("ServiceWorker.enable")
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    await until(lambda: registrations, "the registration of the service worker", seconds=PATIENCE / 1000)
    origin, worker = page.url.partition("/following")[0], page.context.service_workers[0]
    await worker.evaluate(NOTE)
    noted = await worker.evaluate("self.noted.length")
    for number, message in enumerate(messages, start=noted + 1):
        data = (message.payload if isinstance(message, Message) else message).decode()
        registration = registrations[-1]["registrationId"]
        sent = {"origin": origin, "registrationId": registration, "data": data}
        await devtools.send("ServiceWorker.deliverPushMessage", sent)
        await until(
            lambda number=number: worker.evaluate(f"self.noted.length >= {number}"),
            "the notification on the screen",
            seconds=PATIENCE / 1000,
        )


def message(name: str, path: str = "/about", tag: str = "performer-1") -> Message:
    return Message(Browser(1, ENDPOINT, "", ""), name, path, tag, 600)


async def expect_shown(page: Page, expected: list[Any]) -> None:
    """Wait until the browser shows these notifications and no others, each whole or by its title."""

    async def are_shown() -> bool:
        return _are_shown(await page.evaluate(SHOWN), expected)

    await until(are_shown, f"the notifications {expected}", seconds=PATIENCE / 1000)


def _are_shown(shown: list[dict[str, str]], expected: list[Any]) -> bool:
    titles = sorted(each if isinstance(each, str) else each["title"] for each in expected)
    whole = [each for each in expected if isinstance(each, dict)]
    return sorted(each["title"] for each in shown) == titles and all(each in shown for each in whole)


async def test_push_is_turned_on_shown_clicked_and_turned_off(
    site: Site, windows: Windows, no_subscriptions: None
) -> None:
    page = await opened(site, windows, permissions=["notifications"])
    await turn_on(page)
    assert endpoints(site) == [ENDPOINT]
    await expect(page.get_by_text("Notifications are on in this browser, until you sign out.")).to_be_visible()
    assert await page.evaluate(SIDEWAYS) <= 0
    registered = "navigator.serviceWorker.ready.then(({ scope, active }) => [scope, active.scriptURL])"
    address = site.server.address
    assert await page.evaluate(registered) == [f"{address}/", f"{address}/service-worker.js"]

    # a click focuses the window that shows the page, or opens one of this site
    (worker,) = page.context.service_workers
    for path, done in (
        ("/participants/1", ["opened", "/participants/1"]),
        ("/sessions/1#stage-video", ["opened", "/sessions/1#stage-video"]),
        ("/following", ["focused", page.url]),
        ("https://evil.example/", ["opened", "/"]),
        ("//evil.example/", ["opened", "/"]),
    ):
        await deliver(page, message(path, path, tag=path))
        await expect_shown(page, [path])
        result = await worker.evaluate(f"({CLICK})()")
        assert [[action, target.rstrip("/")] for action, target in result] == [
            [done[0], urljoin(address, done[1]).rstrip("/")]
        ]
        await expect_shown(page, [])  # a click closes it

    # a notification shows the name alone; a later one of its tag replaces it, and an unreadable one has the site's name
    name = site.appearances.names[5]
    await deliver(page, message("Replaced"), message(name))
    named = {"title": name, "body": "", "tag": "performer-1", "path": "/about"}
    await expect_shown(page, [named])
    await deliver(page, message("Another", tag="performer-2"))
    await expect_shown(page, ["Another", named])
    await deliver(page, b"not JSON")
    await expect_shown(page, ["Another", named, {"title": "Parterre", "body": "", "tag": "", "path": "/"}])

    # a lost subscription can be turned on again, off, and on until the sign-out
    await page.reload()  # the tests' subscription is gone with the page
    await expect(page.get_by_text("This browser no longer accepts notifications")).to_be_visible()
    await turn_on(page)
    assert endpoints(site) == [ENDPOINT]
    await page.get_by_role("button", name=TURN_OFF).tap()
    await expect(page.get_by_role("button", name=TURN_ON)).to_be_visible()
    assert endpoints(site) == []
    await turn_on(page)
    await page.request.post("/sign-out", headers={"Origin": site.server.address})
    assert endpoints(site) == []


# Each script adds to those before it.
REASONS = {
    "Object.defineProperty(Notification, 'permission', { value: 'denied' })": "This browser refuses notifications",
    "delete window.PushManager": "This browser cannot get notifications, or not in a private window.",
    "Object.defineProperty(Navigator.prototype, 'standalone', { value: false })": (
        "On an iPhone or iPad, notifications need Parterre on the Home Screen"
    ),
}


async def test_browser_without_push_shows_the_reason(site: Site, windows: Windows, no_subscriptions: None) -> None:
    page = await windows.open(session=site.sign_in(LISTENER), **PHONE)
    for script, reason in REASONS.items():
        await page.add_init_script(script)
        await page.goto("/following")
        await expect(page.get_by_text(reason)).to_be_visible()
        await expect(page.get_by_role("button", name=TURN_ON)).to_be_hidden()
        assert await page.evaluate(SIDEWAYS) <= 0


# Counts how often the page requests the permission, and answers.
REQUESTS = """window.requests = 0;
Notification.requestPermission = async () => { window.requests += 1; return window.answer; };
PushManager.prototype.subscribe = async () => { throw new Error("unreachable"); };"""
ANSWERS = {
    "denied": "This browser refuses notifications from Parterre.",
    "default": "The browser asked for your permission",
    "granted": "could not reach its push",
}


async def test_refusal_of_the_browser_is_explained(site: Site, windows: Windows, no_subscriptions: None) -> None:
    page = await opened(site, windows, REQUESTS, permissions=["notifications"])
    for answer, words in ANSWERS.items():
        await expect(page.get_by_role("button", name=TURN_ON)).to_be_visible()
        assert await page.evaluate("window.requests") == 0, "permission is requested only after a press"
        await page.evaluate("(answer) => { window.answer = answer; }", answer)
        await page.get_by_role("button", name=TURN_ON).tap()
        await expect(page.get_by_text(words)).to_be_visible()
        assert await page.evaluate("window.requests") == 1
        assert endpoints(site) == []
        await page.reload()


async def test_push_is_turned_off_without_scripts(site: Site, windows: Windows, no_subscriptions: None) -> None:
    key = site.sign_in(LISTENER)
    page = await windows.open("/following", session=key, **PHONE, **OFF)
    await expect(page.get_by_text("To turn them on, please allow scripts in this browser.")).to_be_visible()
    await expect(page.get_by_role("button", name=TURN_ON)).to_be_hidden()

    def subscribe() -> None:
        row = AuthSession.objects.get(key=key)
        viewer = viewer_get(user_id=row.user_id, session=str(row.handle))
        push_subscribe(actor=viewer, **SubscribedBrowser(ENDPOINT).keys)

    site.desk.do(subscribe)
    await page.reload()
    await page.get_by_role("button", name=TURN_OFF).click()
    await says(page, "Notifications are off in this browser.")
    assert endpoints(site) == []
