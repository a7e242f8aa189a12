// The list of time zones starts with the browser's zone, which is then the list's default.

import assert from "node:assert/strict";
import { $, act, createElement, createRoot, open, testWith } from "./browser.js";
import { webModule } from "./modules.js";

const { BrowserZone } = await webModule("browser-zone");
const OWN = Intl.DateTimeFormat().resolvedOptions().timeZone;

const test = testWith(async () => {});

/** Show the list with these zones after the venue's, and the module beside it; return the list. */
async function shown(context, zones, chosen = "") {
  const options = zones.map((zone) => `<option value="${zone}">${zone}</option>`).join("");
  await open(`<form><select name="time_zone"><option value="" selected>As in the hall</option>${options}</select><div id="here"></div></form>`);
  const list = $("select");
  list.value = chosen;
  const root = createRoot($("#here"));
  context.after(() => act(() => root.unmount()));
  await act(() => root.render(createElement(BrowserZone)));
  return list;
}

test("the browser's zone is selected, counts as no edit and comes back after a reset", async (context) => {
  const list = await shown(context, ["Pacific/Apia", OWN]);
  assert.equal(list.value, OWN);
  assert.deepEqual([...list.options].map((option) => option.defaultSelected), [false, false, true]);
  list.value = "Pacific/Apia";
  list.form.reset();
  assert.equal(list.value, OWN);
});

test("a zone that was chosen stays", async (context) => {
  assert.equal((await shown(context, ["Pacific/Apia", OWN], "Pacific/Apia")).value, "Pacific/Apia");
});

test("without the browser's zone in the list the venue's stays", async (context) => {
  assert.equal((await shown(context, ["Pacific/Apia"])).value, "");
});

test("in a browser that refuses its zone the venue's stays", async (context) => {
  const { DateTimeFormat } = Intl;
  Intl.DateTimeFormat = () => { throw new Error("refused"); };
  context.after(() => { Intl.DateTimeFormat = DateTimeFormat; });
  assert.equal((await shown(context, [OWN])).value, "");
});
