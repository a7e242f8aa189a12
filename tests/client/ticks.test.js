// The boxes of who advances: rows that do not match what is typed are hidden, and a number tells how many are ticked.

import assert from "node:assert/strict";
import { $, act, click, createElement, createRoot, open, testWith, type } from "./browser.js";
import { webModule } from "./modules.js";

const { TickCount, TickSearch } = await webModule("backstage/running-order");
const NAMES = ["12 Bartłomiej Grzędziński", "2 Þórdís Eldjárnsdóttir", "3 Noh Byeol-ha"];
const shown = () => [...document.querySelectorAll("li")].filter((row) => !row.hidden).map((row) => row.textContent);
const count = () => $(".count").textContent;
let roots = [];

const test = testWith(async () => {
  for (const root of roots) await act(async () => root.unmount());
  const rows = NAMES.map((name, at) => `<li><label><input type="checkbox" name="participant" value="${at}">${name}</label></li>`);
  await open(`<form><div class="search"></div><ul>${rows.join("")}</ul><div class="count"></div></form>`);
  roots = [createRoot($(".search")), createRoot($(".count"))];
  await act(async () => roots[0].render(createElement(TickSearch, { name: "participant", label: "Search", none: "No one." })));
  await act(async () => roots[1].render(createElement(TickCount, { name: "participant", words: "{n} of {all} ticked" })));
});

test("rows are found by number and by a name without its accents, and hidden ones stay ticked", async () => {
  await click("[value='0']");
  assert.equal(count(), "1 of 3 ticked");
  for (const [text, found] of [["noh byeolha", [2]], ["eldjarnsd", [1]], ["12", [0]], ["nobody", []], ["", [0, 1, 2]]]) {
    await type($("#participant-search"), text);
    assert.deepEqual(shown(), found.map((at) => NAMES[at]), text);
    assert.equal($(".search [role=status]").textContent, found.length ? "" : "No one.");
  }
  await click("[value='2']");
  assert.equal(count(), "2 of 3 ticked");
  $("form").reset();
  await act(() => new Promise((done) => setTimeout(done)));
  assert.equal(count(), "0 of 3 ticked");
});
