// An order that the server has put together: the running order takes it once, and sends its list and the stage with it.

import assert from "node:assert/strict";
import { $, act, createElement, createRoot, fire, open, testWith } from "./browser.js";
import { webModule } from "./modules.js";

const { ListFile, RunningOrder } = await webModule("backstage/running-order");
const OPTIONS = [1, 2, 3].map((id) => [id, `Pianist ${id}`, "Poland", `pianist ${id}`]);
const WORDS = { add: "Add", search: "Search", empty: "Nobody yet.", none: "No one found.", gone: "No longer there", take: "Remove", remove: "", up: "", down: "", moved: "", removed: "", added: "" };
const value = () => $("[name=participant_ids]").value;
let reactRoot;

async function show(draft) {
  const props = { name: "participant_ids", options: OPTIONS, words: WORDS, onSearch() {}, fill: "order-fill", draft };
  await act(async () => reactRoot.render(createElement(RunningOrder, props)));
}

const test = testWith(async () => {
  if (reactRoot) await act(async () => reactRoot.unmount());
  sessionStorage.clear();
  await open(`<form id="order-fill"></form><form><input name="participant_ids" value="1"><select name="stage"><option value="4">I</option><option value="5">II</option></select>
    <textarea id="lines"></textarea><div class="place"></div></form>`);
  reactRoot = createRoot($(".place"));
});

test("an order from the server is taken once, and a reload keeps what was changed since", async () => {
  await show(null);
  assert.equal(value(), "1");
  await show({ stamp: "aa", ids: [3, 1, 2] });
  assert.equal(value(), "3,1,2");
  $("[name=participant_ids]").value = "2";
  await fire($("[name=participant_ids]"), "input");
  await show({ stamp: "aa", ids: [3, 1, 2] });
  assert.equal(value(), "2");
  await act(async () => reactRoot.unmount());
  reactRoot = createRoot($(".place"));
  await show({ stamp: "aa", ids: [3, 1, 2] });
  assert.equal(value(), "2");
  await show({ stamp: "bb", ids: [3] });
  assert.equal(value(), "3");
});

test("the list and the stage go with the form that fills it", async () => {
  await show({ stamp: "cc", ids: [2, 3] });
  const sent = () => [...new FormData($("#order-fill"))].map((pair) => pair.join("="));
  assert.deepEqual(sent(), ["have=2,3", "of_stage=4"]);
  $("[name=stage]").value = "5";
  await fire($("[name=stage]"), "input");
  assert.deepEqual(sent(), ["have=2,3", "of_stage=5"]);
});

test("a file is read into its field, in UTF-8 or as Polish Windows writes it", async () => {
  await act(async () => reactRoot.render(createElement(ListFile, { into: "lines", label: "From a file" })));
  const input = $("[type=file]");
  for (const bytes of [[0x5a, 0xc5, 0x81], [0x5a, 0xa3]]) {
    Object.defineProperty(input, "files", { configurable: true, value: [{ arrayBuffer: async () => new Uint8Array(bytes).buffer }] });
    await fire(input, "change");
    await act(async () => {});
    assert.equal($("#lines").value, "ZŁ");
  }
});
