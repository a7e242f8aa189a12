"""Names of browsers and systems from the header User-Agent."""

import re

# The first match counts, because the headers of earlier browsers contain later names too.
_BROWSERS = (
    ("Edge", r"\bEdg(?:e|A|iOS)?/"),
    ("Opera", r"\bOPR/|\bOpera\b"),
    ("Samsung Internet", r"\bSamsungBrowser/"),
    ("Firefox", r"\b(?:Firefox|FxiOS)/"),
    ("Chrome", r"\b(?:Chrome|CriOS|HeadlessChrome)/"),
    ("Safari", r"\bSafari/"),
)
_SYSTEMS = (
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Android", r"\bAndroid\b"),
    ("Windows", r"\bWindows\b"),
    ("macOS", r"\bMacintosh\b"),
    ("ChromeOS", r"\bCrOS\b"),
    ("Linux", r"\bLinux\b"),
)


def agent_name(user_agent: str) -> str:
    """Return browser and system, such as "Firefox on Linux"; an unknown part is omitted."""
    return " on ".join(filter(None, (_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))))


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, pattern in known if re.search(pattern, user_agent)), "")
