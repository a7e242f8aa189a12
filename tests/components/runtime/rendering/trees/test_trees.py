"""The HTML of generated trees equals React's server renderer byte for byte, except for the differences in REASONS.

`make soak` compares 20,000.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from components.runtime.rendering.html_names import REACT_NAMES, VOID
from components.runtime.rendering.serializer import to_json
from tests.components.runtime.rendering.conftest import CLIENT
from tests.components.runtime.rendering.trees.making import names, tree
from tests.rendering import to_html

pytestmark = pytest.mark.long(reason="compares hundreds of generated trees with React in another process")

COUNT = int(os.environ.get("TREES", "400"))
SCRIPT = Path(__file__).with_name("react.mjs")
PRELOAD = re.compile(r'<link rel="preload"[^>]*/>')
SLASH = re.compile(rf'(<(?:{"|".join(sorted(VOID))})(?: [^ =>]+="[^"]*")*)/>')
REASONS = {  # what is removed from React's HTML before the comparison, by reason
    "React preloads pictures before its document; this site sends the document at once": PRELOAD,
    "HTML ignores the slash of void elements": SLASH,
}


def by_react(models: list[Any]) -> list[str]:
    """Return the HTML of these models by React's server renderer, through the client's code."""
    node = str(Path(sys.executable).with_name("node"))
    texts = "[" + ",".join(map(to_json, models)) + "]"
    production = {**os.environ, "NODE_ENV": "production"}
    ran = subprocess.run(
        [node, str(SCRIPT), str(CLIENT)], input=texts, capture_output=True, check=True, encoding="utf-8", env=production
    )
    return [str(html) for html in json.loads(ran.stdout)]


def as_listed(html: str, used: Counter[str]) -> str:
    """Return React's HTML without the listed differences; `used` counts the reasons."""
    for reason, pattern in REASONS.items():
        html, times = pattern.subn(lambda match: f"{match[1]}>" if match.re is SLASH else "", html)
        used[reason] += times > 0
    return html


def test_html_of_every_tree_is_that_of_react() -> None:
    """And a difference is noticed: the last model is not the compared one."""
    used: Counter[str] = Counter()
    other = {"tagName": "p", "attributes": {"title": "b"}, "children": ["<"]}
    for begin in range(0, COUNT, 2000):
        models = [tree(number) for number in range(begin, min(COUNT, begin + 2000))]
        *all_html, html_of_other = by_react([*models, other])
        for number, model, html in zip(range(begin, COUNT), models, all_html, strict=False):
            assert to_html(model) == as_listed(html, used), f"tree {number}"
        assert html_of_other == to_html(other) != to_html(other | {"attributes": {"title": "a"}})
    assert all(used[reason] for reason in REASONS), f"an unused reason: {used}"


def test_trees_have_all_attributes_of_react() -> None:
    texts = json.dumps([tree(number) for number in range(2000)])
    absent = [name for name in names() if f'"{name}": ' not in texts]
    assert not absent
    assert len(names()) > 600
    assert {*REACT_NAMES.values()} <= {*names(), "multiple", "checked"}
