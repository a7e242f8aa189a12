// A file above the limit is refused as soon as it is chosen.

import assert from "node:assert/strict";
import { $, act, createElement, createRoot, open, testWith } from "./browser.js";
import { webModule } from "./modules.js";

const { FileLimit } = await webModule("backstage/file-limit");
const WORDS = "A file has at most 5 MB.";

let reactRoot;
const test = testWith(async () => {
  if (reactRoot) await act(async () => reactRoot.unmount());
  await open('<form><input type="file" id="file" required><div id="place"></div></form>');
});

async function show() {
  reactRoot = createRoot($("#place"));
  await act(async () => reactRoot.render(createElement(FileLimit, { field: "file", most: 5, words: WORDS })));
}

async function choose(size) {
  Object.defineProperty($("#file"), "files", { configurable: true, value: size === null ? [] : [{ size }] });
  await act(async () => $("#file").dispatchEvent(new window.Event("change")));
}

const state = () => [$("#file").validity.customError, $("#place").textContent];

test("a file above the limit is not sent, and the next one is", async () => {
  await show();
  for (const [size, expected] of [[5, [false, ""]], [6, [true, WORDS]], [null, [false, ""]], [6, [true, WORDS]], [5, [false, ""]]]) {
    await choose(size);
    assert.deepEqual(state(), expected, size);
  }
});

test("a file that was chosen before the script came is checked", async () => {
  await choose(6);
  await show();
  assert.deepEqual(state(), [true, WORDS]);
});
