// A dialog with an address of its own: open while mounted; closing it in any way follows its link.

import assert from "node:assert/strict";
import { $, act, consoleErrors, createElement, createRoot, open, testWith } from "./browser.js";
import { dialogs } from "./dialogs.js";
import { webModule } from "./modules.js";

const { Modal } = await webModule("backstage/modal");
const escape = () => act(async () => $("dialog").dispatchEvent(new window.Event("cancel", { cancelable: true })));

let left;
let reactRoot;
const test = testWith(async () => {
  if (reactRoot) await act(async () => reactRoot.unmount());
  await open('<dialog><input><a href="/admin/programs" data-cancel>Cancel</a><div id="place"></div></dialog>');
  dialogs();
  left = 0;
  $("a").addEventListener("click", (event) => { event.preventDefault(); left += 1; });
  reactRoot = createRoot($("#place"));
  await act(async () => reactRoot.render(createElement(Modal)));
});

test("it is open while it is on the page, and closed before it goes", async () => {
  const dialog = $("dialog");
  assert.equal(dialog.open, true);
  await act(async () => reactRoot.render(null));
  assert.deepEqual([dialog.open, left, consoleErrors], [false, 0, []]);
});

test("Escape leaves by the link, which may ask first: the dialog stays", async () => {
  await escape();
  assert.deepEqual([left, $("dialog").open], [1, true]);
});

test("a browser that closes it all the same finds it open again, and the link followed", async () => {
  await act(async () => $("dialog").close());
  assert.deepEqual([left, $("dialog").open], [1, true]);
});
