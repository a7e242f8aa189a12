"""Push in Chromium: turned on by a press, shown by a real service worker, opened by a click, and reasons against it."""

import asyncio
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
from tests.e2e.scriptless import OFF, says
from tests.e2e.windows import PATIENCE, Windows
from tests.programs import program

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
async def browser() -> AsyncIterator[Chromium]:
    """The whole Chromium, without a window: the headless shell of the other journeys refuses notifications."""
    path = program("chromium", "chromium", "chromium-browser", "google-chrome")
    async with async_playwright() as playwright:
        arguments = [*chromium.ARGUMENTS, *QUIET, "--headless=new"]
        started = await playwright.chromium.launch(
            executable_path=path, args=arguments, ignore_default_args=["--headless"]
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
    page = await windows.open("/about", **{**PHONE, **options})
    await page.context.add_cookies([{"name": "session", "value": site.sign_in(LISTENER), "url": site.server.address}])
    await page.add_init_script(script or f"({SUBSCRIPTION})({json.dumps(SubscribedBrowser(ENDPOINT).keys)})")
    await page.goto("/following#notifications")
    return page


async def turned_on(site: Site, windows: Windows) -> Page:
    """Open the page, and turn notifications on."""
    page = await opened(site, windows, permissions=["notifications"])
    await page.get_by_role("button", name=TURN_ON).tap()
    await expect(page.get_by_role("button", name=TURN_OFF)).to_be_visible()
    return page


async def deliver(page: Page, *messages: Message | bytes) -> None:
    """Deliver push messages to the page's service worker, as the browser's own push client does."""
    devtools = await page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    await devtools.send("ServiceWorker.enable")
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    while not found:
        await page.evaluate("1")
    origin, worker = page.url.partition("/following")[0], page.context.service_workers[0]
    await worker.evaluate(NOTE)
    noted = await worker.evaluate("self.noted.length")
    for number, message in enumerate(messages, start=noted + 1):
        data = (message.payload if isinstance(message, Message) else message).decode()
        registration = found[-1]["registrationId"]
        sent = {"origin": origin, "registrationId": registration, "data": data}
        await devtools.send("ServiceWorker.deliverPushMessage", sent)
        while await worker.evaluate("self.noted.length") < number:
            pass  # each look waits for the worker's answer


def message(name: str, path: str = "/about", tag: str = "performer-1") -> Message:
    return Message(Browser(1, ENDPOINT, "", ""), name, path, tag, 600)


async def test_push_is_turned_on_by_a_press_and_off_again(site: Site, windows: Windows, no_subscriptions: None) -> None:
    page = await turned_on(site, windows)
    assert endpoints(site) == [ENDPOINT]
    await expect(page.get_by_text("Notifications are on in this browser, until you sign out.")).to_be_visible()
    await expect(page.get_by_role("button", name=TURN_ON)).to_be_hidden()
    assert await page.evaluate(SIDEWAYS) <= 0
    registered = "navigator.serviceWorker.ready.then(({ scope, active }) => [scope, active.scriptURL])"
    address = site.server.address
    assert await page.evaluate(registered) == [f"{address}/", f"{address}/service-worker.js"]
    await page.get_by_role("button", name=TURN_OFF).tap()
    await expect(page.get_by_role("button", name=TURN_ON)).to_be_visible()
    assert endpoints(site) == []


async def test_a_sign_out_ends_it(site: Site, windows: Windows, no_subscriptions: None) -> None:
    page = await turned_on(site, windows)
    await page.request.post("/sign-out", headers={"Origin": site.server.address})
    assert endpoints(site) == []


async def test_a_push_shows_the_name_alone_and_a_later_one_replaces_it(
    site: Site, windows: Windows, no_subscriptions: None
) -> None:
    page = await turned_on(site, windows)
    name = site.appearances.names[5]
    await deliver(page, message("Replaced"), message(name))
    await expect_shown(page, [{"title": name, "body": "", "tag": "performer-1", "path": "/about"}])
    await deliver(page, message("Another", tag="performer-2"))
    await expect_shown(page, ["Another", name])


async def test_an_unreadable_push_shows_the_sites_name(site: Site, windows: Windows, no_subscriptions: None) -> None:
    page = await turned_on(site, windows)
    await deliver(page, b"not JSON")
    await expect_shown(page, [{"title": "Parterre", "body": "", "tag": "", "path": "/"}])


async def expect_shown(page: Page, expected: list[Any]) -> None:
    """Wait until the browser shows these notifications and no others, each whole or by its title."""
    async with asyncio.timeout(PATIENCE / 1000):
        while not _are_shown(await page.evaluate(SHOWN), expected):
            pass  # each look waits for the browser's answer


def _are_shown(shown: list[dict[str, str]], expected: list[Any]) -> bool:
    titles = sorted(each if isinstance(each, str) else each["title"] for each in expected)
    whole = [each for each in expected if isinstance(each, dict)]
    return sorted(each["title"] for each in shown) == titles and all(each in shown for each in whole)


async def test_a_click_focuses_the_window_that_shows_the_page_or_opens_one(
    site: Site, windows: Windows, no_subscriptions: None
) -> None:
    page = await turned_on(site, windows)
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
        assert [[what, address.rstrip("/")] for what, address in result] == [
            [done[0], urljoin(site.server.address, done[1]).rstrip("/")]
        ]
        await expect_shown(page, [])  # a click closes it


REASONS = {
    "delete window.PushManager": "This browser cannot get notifications, or not in a private window.",
    "delete window.PushManager; Object.defineProperty(Navigator.prototype, 'standalone', { value: false })": (
        "On an iPhone or iPad, notifications need Parterre on the Home Screen"
    ),
    "Object.defineProperty(Notification, 'permission', { value: 'denied' })": "This browser refuses notifications",
}


@pytest.mark.parametrize("script", REASONS)
async def test_a_browser_without_push_gets_the_reason_and_no_button(
    site: Site, windows: Windows, no_subscriptions: None, script: str
) -> None:
    page = await opened(site, windows, script)
    await expect(page.get_by_text(REASONS[script])).to_be_visible()
    await expect(page.get_by_role("button", name=TURN_ON)).to_be_hidden()
    assert await page.evaluate(SIDEWAYS) <= 0


ANSWERS = {
    "Notification.requestPermission = async () => 'denied'": "This browser refuses notifications from Parterre.",
    "Notification.requestPermission = async () => 'default'": "The browser asked for your permission",
    "PushManager.prototype.subscribe = async () => { throw new Error('unreachable'); }": "could not reach its push",
}


@pytest.mark.parametrize("script", ANSWERS)
async def test_a_press_that_the_browser_refuses_is_explained(
    site: Site, windows: Windows, no_subscriptions: None, script: str
) -> None:
    page = await opened(site, windows, script, permissions=["notifications"])
    await page.get_by_role("button", name=TURN_ON).tap()
    await expect(page.get_by_text(ANSWERS[script])).to_be_visible()
    assert endpoints(site) == []


async def test_permission_is_asked_only_after_a_press(site: Site, windows: Windows, no_subscriptions: None) -> None:
    asked = "window.asked = 0; Notification.requestPermission = async () => { window.asked += 1; return 'default'; }"
    page = await opened(site, windows, asked, permissions=["notifications"])
    button = page.get_by_role("button", name=TURN_ON)
    await expect(button).to_be_visible()
    assert await page.evaluate("window.asked") == 0
    await button.tap()
    await page.wait_for_function("window.asked === 1")


async def test_a_browser_that_lost_its_subscription_offers_to_turn_it_on_again(
    site: Site, windows: Windows, no_subscriptions: None
) -> None:
    page = await turned_on(site, windows)
    await page.reload()  # the tests' subscription is gone with the page
    await expect(page.get_by_text("This browser no longer accepts notifications")).to_be_visible()
    await page.get_by_role("button", name=TURN_ON).tap()
    await expect(page.get_by_role("button", name=TURN_ON)).to_be_hidden()
    assert endpoints(site) == [ENDPOINT]


async def test_without_scripts_the_page_says_so_and_turning_off_works(
    site: Site, windows: Windows, no_subscriptions: None
) -> None:
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
