// The browser applies the changes of `components/runtime/rendering/tree.py`; the server's code makes them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { load } from "./browser.js";

const { applyChange, applyUpdate } = await load("rendering/parts");
const TREES = Number(process.env.TREES) || 300;
const top = fileURLToPath(new URL("../../", import.meta.url));
const python = existsSync(`${top}.venv/bin/python`) ? `${top}.venv/bin/python` : "python3";

const tidy = (node) => {
  if (typeof node === "string") return node;
  const { attributes = {}, children = [], ...rest } = node;
  return {
    ...rest,
    ...(Object.keys(attributes).length && { attributes }),
    ...(children.length && { children: children.map(tidy) }),
  };
};

test("random trees become what the server wanted, and the old tree stays as it was", () => {
  const output = execFileSync(python, ["-m", "tests.client.differences", String(TREES), "11"], { cwd: top, maxBuffer: 1 << 28 });
  const cases = JSON.parse(output);
  assert.equal(cases.length, TREES);
  for (const [old, wanted, changes] of cases) {
    const before = JSON.stringify(old);
    assert.deepEqual(tidy(changes.reduce(applyChange, old)), tidy(wanted));
    assert.equal(JSON.stringify(old), before);
  }
});

test("rows that only move keep their identity", () => {
  const row = (key) => ({ tagName: "li", attributes: { key }, children: [key] });
  const old = { tagName: "ul", children: [row("a"), row("b")] };
  const next = applyChange(old, [[[1, 2], row("c"), [0, 1]]]);
  assert.equal(next.children[0], old.children[1]);
  assert.equal(next.children[2], old.children[0]);
});

test("an update copies its own path only", () => {
  const old = { tagName: "", children: [{ tagName: "p", children: ["a"] }, { tagName: "p", children: ["b"] }] };
  const next = applyUpdate(old, "/children/1/children/0", "c");
  assert.equal(next.children[0], old.children[0]);
  assert.equal(next.children[1].children[0], "c");
  assert.equal(old.children[1].children[0], "b");
});

test("an unknown path is refused", () => {
  assert.equal(applyUpdate({ tagName: "p" }, "/children/0", "c"), null);
});
