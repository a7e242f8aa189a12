// The suggestions of the search field: pause, newest answer, keyboard, and what happens without an answer.

import assert from "node:assert/strict";
import { $, act, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";
import { webModule } from "./modules.js";

const { attach } = await webModule("finder");
let pass;
let asked;
const field = () => $("[name=q]");
const options = () => [...document.querySelectorAll("[role=option]")];
const chosen = () => options().filter((option) => option.getAttribute("aria-selected") === "true").map((option) => option.textContent);
const hit = (title, address) => ({ title: [["Zo", true], [title, false]], detail: [["Poland", false]], note: "", address, is_name: true });
const FOUND = { words: "2 suggestions.", groups: [{ name: "Performers", hits: [hit("fia", "/participants/1"), hit("e", "/participants/2")] }], all: { words: "All results", address: "/search?q=zo" } };

const test = testWith(async (context) => {
  pass = stopClock(context);
  asked = [];
  await open('<form class="finder" action="/search" data-list="Suggestions"><input name="q"><div class="finder__found"></div></form><button id="other"></button>');
  context.mock.method(globalThis, "fetch", (address, { signal }) => new Promise((resolve, reject) => {
    asked.push({ address, signal, answer: (body) => act(async () => resolve({ json: async () => body })), fail: () => act(async () => reject(new TypeError("cut"))) });
  }));
  attach($("form"));
  field().focus();
});
const types = (text) => act(async () => {
  field().value = text;
  field().dispatchEvent(new window.Event("input", { bubbles: true }));
});
const press = (key) => {
  const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  field().dispatchEvent(event);
  return event.defaultPrevented;
};
async function shows() {
  await types("zo");
  await pass(300);
  await asked.at(-1).answer(FOUND);
}

test("one request after a pause", async () => {
  await types("z");
  await pass(299);
  await types("zo");
  await pass(299);
  assert.equal(asked.length, 0);
  await pass(1);
  assert.deepEqual(asked.map(({ address }) => address), ["/search/suggestions?q=zo"]);
});

test("the options are links in groups, with their matches", async () => {
  await shows();
  assert.deepEqual(options().map((option) => [option.textContent, option.getAttribute("href")]), [
    ["ZofiaPoland", "/participants/1"], ["ZoePoland", "/participants/2"], ["All results", "/search?q=zo"],
  ]);
  assert.equal($("mark").textContent, "Zo");
  assert.deepEqual([...document.querySelectorAll("[translate=no]")].map((name) => name.textContent), ["Zofia", "Zoe"]);
  assert.equal($("[role=group]").getAttribute("aria-label"), "Performers");
  assert.equal($("[role=status]").textContent, "2 suggestions.");
  assert.equal(field().getAttribute("aria-expanded"), "true");
});

test("an older answer is not shown", async () => {
  await types("z");
  await pass(300);
  await types("zo");
  await pass(300);
  assert.equal(asked[0].signal.aborted, true);
  await asked[1].answer(FOUND);
  await asked[0].answer({ words: "Nothing", groups: [], all: null });
  assert.equal(options().length, 3);
});

test("arrows go round through the options and the field", async () => {
  await shows();
  assert.equal(press("ArrowDown"), true);
  assert.deepEqual(chosen(), ["ZofiaPoland"]);
  assert.equal(field().getAttribute("aria-activedescendant"), options()[0].id);
  press("ArrowUp");
  assert.deepEqual(chosen(), []);
  assert.equal(field().hasAttribute("aria-activedescendant"), false);
  press("ArrowUp");
  assert.deepEqual(chosen(), ["All results"]);
  press("ArrowDown");
  assert.deepEqual(chosen(), []);
});

test("Enter follows the active option, and submits without one", async () => {
  await shows();
  const followed = [];
  document.addEventListener("click", (event) => { followed.push(event.target.getAttribute("href")); event.preventDefault(); }, { once: true });
  assert.equal(press("Enter"), false);
  press("ArrowDown");
  press("ArrowDown");
  assert.equal(press("Enter"), true);
  assert.deepEqual(followed, ["/participants/2"]);
  assert.equal(options().length, 0);
});

test("Escape closes, then clears", async () => {
  await shows();
  press("Escape");
  assert.equal(options().length, 0);
  assert.equal(field().value, "zo");
  press("Escape");
  assert.equal(field().value, "");
  assert.equal(press("Escape"), false);
});

test("the list closes when the focus leaves", async () => {
  await shows();
  await act(async () => $("#other").focus());
  assert.equal(options().length, 0);
});

test("nothing found, and too many searches, are a sentence", async () => {
  await types("qq");
  await pass(300);
  await asked.at(-1).answer({ words: "Nothing found for “qq”.", groups: [], all: null });
  assert.equal($(".finder__list").textContent, "Nothing found for “qq”.");
  assert.equal(field().getAttribute("aria-expanded"), "false");
});

test("without a connection the list closes and the text stays", async () => {
  await shows();
  await types("zof");
  await pass(300);
  await asked.at(-1).fail();
  assert.equal(options().length, 0);
  assert.equal(field().value, "zof");
});

test("nothing is asked for an empty field, or while a sign is composed", async () => {
  await types(" ");
  await pass(300);
  await act(async () => {
    field().value = "練";
    field().dispatchEvent(Object.assign(new window.Event("input", { bubbles: true }), { isComposing: true }));
  });
  await pass(300);
  assert.equal(asked.length, 0);
});

test("another page empties the field; a reconnect of the same page does not", async () => {
  await shows();
  document.dispatchEvent(new window.Event("page:shown"));
  assert.equal(field().value, "zo");
  window.history.pushState(null, "", "/participants/1");
  document.dispatchEvent(new window.Event("page:shown"));
  assert.equal(field().value, "");
});

test("a text that was typed before the module came is asked for", async () => {
  $("form").removeAttribute("data-attached");
  field().value = "zofia";
  attach($("form"));
  await pass(300);
  assert.equal(asked.at(-1).address, "/search/suggestions?q=zofia");
});
