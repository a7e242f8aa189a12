// Arrivals: new rows at the top of a list move no reader, and remove no row that is shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, Socket, act, click, consoleErrors, fire, h, open } from "./browser.js";

const row = (number) => h("li", { key: `post-${number}` }, `post ${number}`);
const feed = (...numbers) => h("section", { "data-arrivals": "", "data-one": "1 new post", "data-many": "{n} new posts" },
  h("div", { class: "arrivals", role: "status" }), h("ol", null, ...numbers.map(row)));
const page = (...numbers) => h("main", null, h("form", { "data-command": "post_add" }, h("textarea", { name: "content" })), feed(...numbers));
const numbersShown = () => [...document.querySelectorAll("li")].map((item) => Number(item.textContent.slice(5)));
const line = () => $(".arrivals").textContent;
const brings = (...numbers) => Socket.last.shows(feed(...numbers), "/children/1");

async function openList(...numbers) {
  await open("", { model: h("main") });
  await Socket.last.isLive(page(...numbers));
}
const stands = (top, height = 90) => { $("section").getBoundingClientRect = () => ({ top, height }); };
const types = () => act(async () => {
  $("textarea").focus();
  $("textarea").value = "Bravo";
});

test("at the top they come in by themselves", async () => {
  await openList(3, 2, 1);
  const first = $("li");
  await brings(4, 3, 2);
  assert.deepEqual([numbersShown(), line()], [[4, 3, 2], ""]);
  assert.equal($("li").nextSibling, first, "what was there is the same element");
});

const matches = (pseudo) => {
  const section = $("section");
  section.matches = (selector) => selector.includes(pseudo) || window.Element.prototype.matches.call(section, selector);
};
const selects = () => document.getSelection().selectAllChildren($("li"));
const busyReaders = [() => stands(-1), types, () => matches(":hover"), () => matches(":active"), selects];

test("a reader who has scrolled, types, points, presses or selects sees how many rows wait; rows that they push out stay until then", async () => {
  for (const busy of busyReaders) {
    await openList(3, 2, 1);
    await busy();
    const rows = [...document.querySelectorAll("li")];
    await brings(4, 3, 2);
    assert.deepEqual([numbersShown(), line()], [[3, 2, 1], "1 new post"]);
    await brings(6, 5, 4);
    assert.deepEqual([numbersShown(), line()], [[3, 2, 1], "3 new posts"]);
    assert.deepEqual([...document.querySelectorAll("li")], rows);
    await click(".fresh");
    assert.deepEqual([numbersShown(), line()], [[6, 5, 4], ""]);
    assert.equal(document.activeElement, $("li"), "keyboard and screen reader go on at the first of them");
  }
});

test("with data-held they wait for every reader", async () => {
  const held = (...numbers) => {
    const made = feed(...numbers);
    return { ...made, attributes: { ...made.attributes, "data-held": "" } };
  };
  await open("", { model: h("main") });
  await Socket.last.isLive(h("main", null, held(3, 2, 1)));
  const rows = [...document.querySelectorAll("li")];
  await Socket.last.shows(held(4, 3, 2), "/children/0");
  assert.deepEqual([numbersShown(), line()], [[3, 2, 1], "1 new post"]);
  assert.deepEqual([...document.querySelectorAll("li")], rows, "none has moved");
  await click(".fresh");
  assert.deepEqual([numbersShown(), line()], [[4, 3, 2], ""]);
});

test("with data-held=places rows stay where they are with their newest content, until a press", async () => {
  const placed = (...rows) => {
    const made = feed(...rows);
    return { ...made, attributes: { ...made.attributes, "data-held": "places", "data-one": "The list has changed" } };
  };
  await open("", { model: h("main") });
  await Socket.last.isLive(h("main", null, placed(3, 2, 1)));
  const rows = [...document.querySelectorAll("li")];
  for (const now of [[4, 3, 2, 1], [3, 1], [2, 3, 1]]) {
    await Socket.last.shows(placed(...now), "/children/0");
    assert.deepEqual([numbersShown(), line()], [[3, 2, 1], "The list has changed"]);
    assert.deepEqual([...document.querySelectorAll("li")], rows);
    assert.deepEqual(rows.map((row) => row.hasAttribute("data-gone")), [3, 2, 1].map((number) => !now.includes(number)));
  }
  await Socket.last.shows(placed(3, 2, 1), "/children/0");
  assert.equal(line(), "", "it is the same again");
  await Socket.last.shows(placed(2, 3), "/children/0");
  await click(".fresh");
  assert.deepEqual([numbersShown(), line()], [[2, 3], ""]);
});

test("what is deleted goes at once, above and between", async () => {
  await openList(5, 4, 3, 2);
  stands(-1);
  await brings(5, 3, 2, 1);
  assert.deepEqual([numbersShown(), line()], [[5, 3, 2, 1], ""]);
  await brings(6, 3, 2, 1);
  assert.deepEqual([numbersShown(), line()], [[3, 2, 1], "1 new post"]);
  await brings(3, 2, 1);
  assert.deepEqual([numbersShown(), line()], [[3, 2, 1], ""], "and what waited may go as well");
});

const done = (data) => act(async () => $("form").dispatchEvent(new window.CustomEvent("command:done", { bubbles: true, detail: { data } })));

test("authors see their own row, in any order of answer and list", async () => {
  for (const early of [true, false]) {
    await openList(2, 1);
    await types();
    if (early) await done({ row: "post-3" });
    await brings(3, 2, 1);
    if (!early) await done({ row: "post-3" });
    assert.deepEqual([numbersShown(), line()], [[3, 2, 1], ""]);
    await brings(4, 3, 2, 1);
    assert.deepEqual([numbersShown(), line()], [[3, 2, 1], "1 new post"], "the next is somebody else's");
  }
});

test("rows of other users wait during any other action", async () => {
  await openList(2, 1);
  await types();
  await done({ row: "post-4" });
  await brings(3, 2, 1);
  assert.deepEqual([numbersShown(), line()], [[2, 1], "1 new post"]);
  await brings(4, 3, 2, 1);
  assert.deepEqual([numbersShown(), line()], [[4, 3, 2, 1], ""]);
  await done(undefined); // another command, such as a rating
  await brings(5, 4, 3, 2, 1);
  assert.deepEqual([numbersShown(), line()], [[4, 3, 2, 1], "1 new post"]);
});

test("rows come while the top is in view, further down, or behind a tab; what waited comes with them", async () => {
  for (const rect of [[0], [40], [9999], [-9, 0]]) {
    await openList(2, 1);
    stands(-400);
    await brings(3, 2, 1);
    assert.deepEqual([numbersShown(), line()], [[2, 1], "1 new post"]);
    stands(...rect);
    await brings(4, 3, 2);
    assert.deepEqual([numbersShown(), line()], [[4, 3, 2], ""]);
  }
});

test("a selection beside the list holds no rows back", async () => {
  await openList(2, 1);
  document.getSelection().selectAllChildren($("form"));
  await brings(3, 2, 1);
  assert.deepEqual([numbersShown(), line()], [[3, 2, 1], ""]);
});

test("an empty list gets rows, and a list can become empty", async () => {
  await openList();
  await types();
  await brings(1);
  assert.deepEqual([numbersShown(), line()], [[], "1 new post"]);
  await click(".fresh");
  await types();
  await brings(9, 8);
  assert.deepEqual([numbersShown(), line()], [[1], "2 new posts"]);
  await brings();
  assert.deepEqual([numbersShown(), line()], [[], ""]);
});

test("the server's HTML is taken over", async () => {
  const html = '<main><form data-command="post_add"><textarea name="content"></textarea></form><section data-arrivals="" data-one="1 new post" data-many="{n} new posts"><div class="arrivals" role="status"></div><ol><li>post 1</li></ol></section></main>';
  const { root } = await open(html, { model: page(1) });
  assert.deepEqual([root.dataset.hydrationError, consoleErrors], [undefined, []]);
});
