"""React in Chromium hydrates generated trees of all elements that components may render; `make soak` tests 500."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from components.runtime.rendering.serializer import to_json
from tests.components.runtime.rendering.conftest import CLIENT
from tests.components.runtime.rendering.trees.making import tree
from tests.rendering import to_html

COUNT = int(os.environ.get("HYDRATED", "50"))
AT_ONCE = 50
ENTRY = Path(__file__).with_name("hydrating.mjs")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hydrating(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Page]:
    """Yield an empty document with a `hydrate` function."""
    bundle = tmp_path_factory.mktemp("hydrating") / "hydrating.js"
    command = [
        str(Path(sys.executable).with_name("node")), str(CLIENT / "node_modules/esbuild/bin/esbuild"), str(ENTRY),
        "--bundle", "--format=iife", '--define:process.env.NODE_ENV="production"', f"--outfile={bundle}",
    ]  # fmt: skip
    modules = {**os.environ, "NODE_PATH": str(CLIENT / "node_modules")}
    await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True, env=modules)
    context = await browser.new_context()
    await context.route("**", lambda route: route.fulfill(body="<!doctype html><body>", content_type="text/html"))
    page = await context.new_page()
    await page.goto("http://hall.example/")
    await page.add_script_tag(content=bundle.read_text(encoding="utf-8"))
    yield page
    await context.close()


async def problems(page: Page, models: list[Any], html: list[str]) -> list[list[str]]:
    """Return the hydration errors of each model with its HTML."""
    trees = [{"html": text, "model": json.loads(to_json(model))} for model, text in zip(models, html, strict=True)]
    found: list[list[str]] = await page.evaluate("(trees) => hydrate(trees)", trees)
    return found


async def test_every_generated_tree_is_hydrated_without_errors(hydrating: Page) -> None:
    for begin in range(0, COUNT, AT_ONCE):
        numbers = range(begin, min(COUNT, begin + AT_ONCE))
        models = [tree(number) for number in numbers]
        found = await problems(hydrating, models, [to_html(model) for model in models])
        assert {number: said for number, said in zip(numbers, found, strict=True) if said} == {}
    assert await hydrating.evaluate("globalThis.ran") is None


async def test_hydration_difference_is_reported(hydrating: Page) -> None:
    model = {"tagName": "p", "children": ["b", {"tagName": "br"}]}
    found = await problems(hydrating, [model] * 3, ["<p>b<br></p>", "<p>c<br></p>", "<p>b<hr></p>"])
    assert [bool(said) for said in found] == [False, True, True]
