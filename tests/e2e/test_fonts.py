"""The checks of layout do not depend on the machine: its fonts, and what a bar covers with them."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser

from tests.e2e.barriers import OPTIONS, TARGET, report_of
from tests.e2e.fonts import FONTS, NARROW, SERIF, WIDE, font_use
from tests.waiting import until

PAGE = """<!doctype html><style>body { font-family: var(--sans, system-ui, sans-serif) }</style>
<p id="page">Nocturne</p><p style="font-family: serif">Nocturne</p><p style="font-family: monospace">Nocturne</p>
<p style="font-family: DejaVu Sans, Segoe UI">Nocturne</p><p>木枯らし</p>"""


async def test_pages_have_no_font_of_the_machine(browser: Browser) -> None:
    page = await browser.new_page()
    await page.set_content(PAGE)
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("DOM.enable")
    await devtools.send("CSS.enable")
    root = (await devtools.send("DOM.getDocument"))["root"]["nodeId"]
    nodes = (await devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": "p"}))["nodeIds"]

    async def families() -> list[str]:
        used = [(await devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node}))["fonts"] for node in nodes]
        return [font["familyName"] for fonts in used for font in fonts]

    async def used_first(font: str) -> bool:
        return (await families())[0] == font

    assert await families() == [WIDE, SERIF, WIDE, WIDE, WIDE]
    widths = []
    for font in FONTS:
        await font_use(page, font)
        await until(lambda font=font: used_first(font), f"the page is drawn in {font}")
        widths.append(
            await page.evaluate("""() => {
          const text = document.createRange();
          text.selectNodeContents(document.querySelector("#page"));
          return text.getBoundingClientRect().width;
        }""")
        )
    assert widths[FONTS.index(NARROW)] * 1.05 < widths[FONTS.index(WIDE)]
    await page.close()


# Rows of two buttons each, and a button at the end of the window which covers a part of a row.
ROWS = """<!doctype html><html lang="en"><title>Rows</title><style>
button { all: unset; display: inline-block; block-size: 32px; inline-size: 90px }
.small { block-size: 9px; inline-size: 9px }
main > div { block-size: 36px }
.bar { position: sticky; inset-block-end: 0; block-size: 100px; inline-size: 100%%; background: #fff }
</style><main><h1>Rows</h1>%s<button class="bar">Next</button></main></html>"""


async def test_a_target_is_small_by_its_size_and_not_by_a_bar_that_covers_it(browser: Browser) -> None:
    page = await browser.new_page()
    rows = "".join(f"<div><button>{row} A</button><button>{row} B</button></div>" for row in range(40))
    small = '<div><button class="small">A</button><button class="small">B</button></div>'
    covered = []
    for height in (700, 712, 724):
        await page.set_viewport_size({"width": 360, "height": height})
        await page.set_content(ROWS % rows)
        covered.append((await Axe().run(page, None, OPTIONS["light"])).violations_count)
        assert await report_of(page, None, OPTIONS["light"]) == ""
        assert page.viewport_size == {"width": 360, "height": height}
    assert any(covered)  # control: in a low window axe finds a target
    await page.set_content(ROWS % (small + rows))
    assert TARGET in await report_of(page, None, OPTIONS["light"])
    await page.close()
