"""Two-factor sign-in in a browser: passkeys on Chromium's virtual device, app codes and recovery codes."""

import re
import time
from pathlib import Path

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.async_api import CDPSession, Locator, Page, Request, Route, expect

from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import OFF, account, expect_signed_in, expect_stranger, fill, send, sign_in
from tests.e2e.mails import mail
from tests.e2e.windows import Windows, resize

NAME = "Kończący się klucz do wszystkich drzwi"
STILL = {"wait_live": False, "reduced_motion": "reduce"}
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


async def device(page: Page) -> tuple[CDPSession, str]:
    """Add a virtual device that stores passkeys and always confirms, for the page's lifetime."""
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable")
    made = await session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    return session, str(made["authenticatorId"])


async def at_the_overview(site: Site, windows: Windows, name: str, **options: object) -> tuple[Page, str]:
    """Create an account, sign in, and return a window on the page of second factors, with the address."""
    address = account(site, name)
    page = await windows.open("/login?next=/profile/two-factor", **STILL, **options)
    await sign_in(page, address)
    await expect(page.locator("h1")).to_have_text("Signing in safely")
    return page, address


def is_question(request: Request) -> bool:
    """Return whether this is a form's request for a challenge."""
    return request.method == "POST" and "question=1" in (request.post_data or "")


async def confirmed(site: Site, page: Page) -> None:
    """Wait until the passkey has signed in and the news are shown; later questions pass without the device."""
    await expect(page).to_have_url(f"{site.server.address}/news")
    await page.unroute("**/*")
    await expect_signed_in(page)


def way(page: Page, words: str, what: str) -> Locator:
    """Return the link with these words; its accessible name also contains its subject `what`."""
    return page.get_by_role("link", name=re.compile(rf"^{words}\s*: {what}$"))


async def out(page: Page) -> None:
    """Sign out and open the sign-in page."""
    await page.locator("#nav").get_by_role("button", name="Sign out", exact=True).click()
    await expect_stranger(page)
    await page.goto("/login")


async def typed(page: Page, secret: str, button: str) -> None:
    """Submit the app's code, and a second code if the first expired in between."""
    for _ in range(2):
        appearance = page.url
        await fill(page, {"Code": format_hotp_value(hotp_value(secret, int(time.time()) // 30))})
        async with page.expect_navigation():
            await send(page, button)
        if page.url != appearance:
            return


async def with_an_app(page: Page) -> str:
    """Set up an app and return its secret."""
    await way(page, "Set up", "Authenticator app").click()
    await expect(page.get_by_role("img", name="The key of your authenticator app, to be scanned")).to_be_visible()
    secret = ""
    for _ in range(2):
        secret = re.sub(r"\s", "", await page.locator(".secret").inner_text())
        await typed(page, secret, "Turn on")
        if await page.locator("h1", has_text="Recovery codes").count():
            break
    await expect(page.locator("h1")).to_have_text("Recovery codes")
    return secret


async def accessible(page: Page, screen: str) -> None:
    """Check that a screen has no barriers, and make the window that of a desktop again."""
    assert await barriers(page) == "", screen
    await resize(page, 1280, 900)


async def codes_downloaded(page: Page, folder: Path) -> None:
    """Download the recovery codes that the page shows."""
    await expect(page.locator("h1")).to_have_text("Recovery codes")
    await expect(page.locator(".codes li")).to_have_count(10)
    codes = await page.locator(".codes code").all_inner_texts()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download").click()
    file = await download.value
    await file.save_as(folder / "codes.txt")
    assert file.suggested_filename == "recovery-codes.txt"
    assert (folder / "codes.txt").read_text().split() == codes


async def app_turned_on_and_off(page: Page) -> None:
    """Set up an app and turn it off again."""
    await page.goto("/profile/two-factor/app")
    await accessible(page, "app")
    await typed(page, re.sub(r"\s", "", await page.locator(".secret").inner_text()), "Turn on")
    await expect(page.get_by_role("status").filter(has_text="Codes from your app")).to_be_visible()
    await page.goto("/profile/two-factor")
    await expect(page.locator("h1")).to_have_text("Signing in safely")
    await accessible(page, "overview")
    await way(page, "Turn off", "Authenticator app").click()
    await expect(page.locator("h1")).to_have_text("Turn off the authenticator app?")
    await accessible(page, "turn off")
    await send(page, "Turn off")


async def passkey_renamed_and_removed(page: Page) -> None:
    """Rename the account's only passkey, and remove it."""
    await page.goto("/profile/passkeys")
    await expect(page.locator(".seats__name")).to_have_text(["Passkey 1"])  # without a name of its own
    await accessible(page, "passkeys")
    await way(page, "Rename", "Passkey 1").click()
    await accessible(page, "rename")
    await fill(page, {"Name": NAME})
    await send(page, "Save")
    await expect(page.locator(".seats__name")).to_have_text([NAME])
    await way(page, "Remove", NAME).click()
    await expect(page.locator("h1")).to_have_text(f"Remove the passkey “{NAME}”?")
    await send(page, "Remove")
    await expect(page.get_by_role("status").filter(has_text="The passkey no longer works here.")).to_be_visible()


async def test_passkey_signs_in_and_confirms_until_it_is_removed(site: Site, windows: Windows, tmp_path: Path) -> None:
    """Each kind of screen passes the accessibility checks, in both themes, on desktop and phone."""
    page, address = await at_the_overview(site, windows, "keyholder")
    session, name = await device(page)

    async def confirms(*, enabled: bool) -> None:
        await session.send("WebAuthn.setAutomaticPresenceSimulation", {"authenticatorId": name, "enabled": enabled})

    async def confirm_asked(route: Route) -> None:
        """Let the device confirm from the next question on: it never answers what it has not confirmed at once."""
        if is_question(route.request):
            await confirms(enabled=True)
        await route.fallback()

    await way(page, "Set up", "Passkeys").click()
    await page.get_by_role("link", name="Add a passkey").click()
    await send(page, "Add a passkey")
    await codes_downloaded(page, tmp_path)
    await accessible(page, "codes")
    assert "a passkey was added" in await mail(site.server, address, "passkey")
    await app_turned_on_and_off(page)

    for button in ("", "Log in with a passkey"):  # offered in the field for the address, and by the button
        await confirms(enabled=False)
        await out(page)
        if button:
            async with page.expect_response(lambda answer: is_question(answer.request)):  # the field's
                await page.goto("/login?next=/news")
            await page.route("**/*", confirm_asked)
            await send(page, button)
        else:
            await page.goto("about:blank")
            await page.route("**/*", confirm_asked)
            await page.goto("/login?next=/news", wait_until="commit")
        await confirmed(site, page)

    await confirms(enabled=False)
    await out(page)
    await page.goto("/login?next=/news")
    await sign_in(page, address)
    await expect(page.locator("h1")).to_have_text("One more step")
    await expect_stranger(page)
    await fill(page, {"Code": "000000"})
    await send(page, "Log in")
    await expect(page.get_by_label("Code")).to_be_focused()
    await accessible(page, "wrong code")
    await page.route("**/*", confirm_asked)
    await send(page, "Use a passkey")
    await confirmed(site, page)

    await passkey_renamed_and_removed(page)
    await confirms(enabled=False)
    await out(page)
    await sign_in(page, address)
    await expect_signed_in(page)


async def test_device_without_user_verification_is_refused(site: Site, windows: Windows) -> None:
    page = await windows.open("/login", **STILL)
    session, name = await device(page)
    await session.send("WebAuthn.setUserVerified", {"authenticatorId": name, "isUserVerified": False})
    await send(page, "Log in with a passkey")
    words = "No passkey was used. You may try again, or take another way."
    await expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()
    await expect(page.get_by_role("button", name="Log in with a passkey")).to_be_focused()
    await expect_stranger(page)


async def test_app_and_recovery_codes_need_no_script(site: Site, windows: Windows) -> None:
    page, address = await at_the_overview(site, windows, "app-user", **OFF)
    secret = await with_an_app(page)
    kept = await page.locator(".codes code").all_inner_texts()
    assert len(set(kept)) == 10
    await out(page)
    await page.goto("/login?next=/news")
    await sign_in(page, address)
    await expect(page.locator("h1")).to_have_text("One more step")
    await typed(page, secret, "Log in")
    await expect(page).to_have_url(f"{site.server.address}/news")
    for works in (True, False):
        await out(page)
        await sign_in(page, address)
        await fill(page, {"Code": kept[0]})
        await send(page, "Log in")
        if works:
            await expect_signed_in(page, scripts=False)
        else:
            await expect(page.locator("#code-error")).to_have_text(
                "This code does not fit. Please try again with a new one."
            )
            await expect_stranger(page)
