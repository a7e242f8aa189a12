"""The fonts of the browser tests: those of pinned packages only, so that a layout is the same on every machine."""

import os
from importlib.resources import files
from pathlib import Path

from playwright.async_api import Page

FONTS = NARROW, WIDE = "Arimo", "Noto Sans"  # Arimo is as wide as Arial and Helvetica
SERIF = "Noto Serif"
# Without this argument the headless shell rounds the widths of local fonts, the fallbacks of the typeface, to whole
# pixels: lines are then 2 to 4 % shorter than in Chromium with a window, on phones and on desktops.
FRACTIONAL = ("--font-render-hinting=none",)
PACKAGES = ("fontpkg_arimo", "fontpkg_noto_sans", "fontpkg_noto_serif")
# A character that no font of these has is a box on every machine, so there is no "木" and no emoji.
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
{folders}
<cachedir>{cache}</cachedir>
{aliases}
<match><edit name="family" mode="append_last"><string>{default}</string></edit></match>
<match>
  <edit name="hintstyle" mode="assign"><const>hintslight</const></edit>
  <edit name="rgba" mode="assign"><const>none</const></edit>
</match>
</fontconfig>
"""
ALIAS = '<alias binding="strong"><family>{alias}</family><prefer><family>{family}</family></prefer></alias>'
ALIASES = {"system-ui": WIDE, "sans-serif": WIDE, "sans": WIDE, "monospace": WIDE, "serif": SERIF}


def browser_environment(folder: Path) -> dict[str, str | float | bool]:
    """Write the fontconfig file into this folder; return the environment of a browser that has only these fonts."""
    folders = "\n".join(f"<dir>{files(package) / 'files'}</dir>" for package in PACKAGES)
    aliases = "\n".join(ALIAS.format(alias=alias, family=family) for alias, family in ALIASES.items())
    file = folder / "fonts.conf"
    file.write_text(
        CONFIGURATION.format(folders=folders, cache=folder / "cache", aliases=aliases, default=WIDE), encoding="utf-8"
    )
    return {**os.environ, "FONTCONFIG_FILE": str(file)}


async def font_use(page: Page, family: str) -> None:
    """Make this family the sans serif of the open page, as if it were the system's."""
    await page.evaluate("(family) => document.documentElement.style.setProperty('--sans', family)", f"'{family}'")
