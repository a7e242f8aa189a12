// The button that turns push on: absent in browsers without push, which get a sentence.

import assert from "node:assert/strict";
import { $, act, createElement, createRoot, testWith } from "./browser.js";
import { webModule } from "./modules.js";

const test = testWith(() => { document.body.innerHTML = "<div></div>"; });
const texts = { unsupported: "cannot get", install: "Home Screen" };

test("a browser without push gets a sentence and no button", async () => {
  const { Push } = await webModule("push");
  const root = createRoot($("div"));
  await act(async () => root.render(createElement(Push, { form: "f", isOn: false, publicKey: "", worker: "/w.js", label: "On", busy: "", texts })));
  assert.equal($("[role=status]").textContent, "cannot get");
  assert.equal($("button"), null);
  await act(async () => root.unmount());
});
