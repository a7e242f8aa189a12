// Slots: one viewer's values in public markup, from the first HTML through every change.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, Socket, act, consoleErrors, h, open, type } from "./browser.js";

const KEY = "votes:7:en";
const slots = (fills) => h("page-slots", { fills });
const page = (fills, ...more) => h("", null, h("shared-part", { part: KEY }), ...more, fills && slots(fills));
const model = (fills, ...more) => ({ ...page(fills, ...more), children: page(fills, ...more).children.filter(Boolean) });
const vote = (which, count, more) => h("button", { key: which, "data-slot": `vote:${which}`, "aria-pressed": "false", ...more }, `${which} ${count}`);
const part = (count) => h("div", null, vote("up", count), vote("down", 0));
const PRESSED = { attributes: { "aria-pressed": "true" } };
const pressed = () => [...document.querySelectorAll("button")].map((button) => button.getAttribute("aria-pressed"));
const html = (up, down) => `<div><button data-slot="vote:up" aria-pressed="${up}">up 1</button><button data-slot="vote:down" aria-pressed="${down}">down 0</button></div>`;
const parts = { [KEY]: { version: "1", model: part(1) } };

test("a viewer's slots are filled from the first HTML on, and stay so when the part changes", async () => {
  const { root } = await open(html("true", "false"), { model: model({ "vote:up": PRESSED }), parts });
  const button = $("button");
  assert.deepEqual(pressed(), ["true", "false"]);
  await Socket.last.isLive(model({ "vote:up": PRESSED }));
  await Socket.last.says([[KEY, "2", [{ 0: vote("up", 2) }], "1"]]);
  assert.deepEqual([pressed(), root.textContent], [["true", "false"], "up 2down 0"]);
  assert.equal($("button"), button);
  assert.deepEqual(consoleErrors, []);
  assert.equal(root.dataset.hydrationError, undefined);
});

test("another value is one update, and renders only the slots that it names", async () => {
  await open(html("false", "false"), { model: model({}), parts });
  await Socket.last.isLive(model({}));
  await Socket.last.shows({ fills: { "vote:down": PRESSED } }, "/children/1/attributes");
  assert.deepEqual(pressed(), ["false", "true"]);
  await Socket.last.shows({ fills: {} }, "/children/1/attributes");
  assert.deepEqual(pressed(), ["false", "false"]);
});

test("one fill of a name fills all its slots that have none of their own", async () => {
  await open(html("true", "mixed"), { model: model({ vote: PRESSED, "vote:down": { attributes: { "aria-pressed": "mixed" } } }), parts });
  assert.deepEqual(pressed(), ["true", "mixed"]);
});

test("a text replaces the content; without its fill the content returns", async () => {
  const state = h("p", { "data-slot": "state:1", hidden: true }, "Nothing.");
  await open("", { model: h("") });
  await Socket.last.isLive(model({ "state:1": { attributes: { hidden: false }, text: "<b>It waits.</b>" } }, state));
  assert.deepEqual([$("p").hidden, $("p").textContent, $("b")], [false, "<b>It waits.</b>", null]);
  await Socket.last.shows({ fills: {} }, "/children/2/attributes");
  assert.deepEqual([$("p").hidden, $("p").textContent], [true, "Nothing."]);
});

test("a page without a viewer's values shows the public content, also after a page with them", async () => {
  await open(html("true", "false"), { model: model({ "vote:up": PRESSED }), parts });
  await Socket.last.isLive(model({ "vote:up": PRESSED }));
  await Socket.last.shows(model(null));
  assert.deepEqual(pressed(), ["false", "false"]);
});

test("a slot may hold a part, and several nodes of the page fill slots together", async () => {
  const panel = h("div", { "data-slot": "panel:7", hidden: true });
  const inner = "comments:7:en";
  await open("", { model: h("") });
  const nodes = [slots({ "vote:up": PRESSED }), slots({ "panel:7": { attributes: { hidden: false }, part: inner } })];
  await Socket.last.isLive(h("", null, panel, h("shared-part", { part: KEY }), ...nodes));
  await Socket.last.says([[KEY, "1", part(1)]]);
  await Socket.last.says([[inner, "1", h("p", null, "Bravo")]]);
  assert.deepEqual([$("[data-slot='panel:7']").hidden, $("[data-slot='panel:7'] > p").textContent, pressed()], [false, "Bravo", ["true", "false"]]);
  await Socket.last.shows(h("", null, panel, h("shared-part", { part: KEY }), nodes[0]));
  assert.deepEqual([$("[data-slot='panel:7']").hidden, $("[data-slot='panel:7'] > p"), pressed()], [true, null, ["true", "false"]]);
});

test("no handler and no script comes in by a slot", async () => {
  const link = h("a", { "data-slot": "way:1", href: "/" }, "Way");
  await open("", { model: h("") });
  await Socket.last.isLive(model({ "way:1": { attributes: { onclick: "alert(1)", href: "javascript:alert(1)" } } }, link));
  assert.deepEqual([...$("a").attributes].map(({ name }) => name), ["data-slot"]);
});

const field = (tag, attributes) => h(tag, { "data-slot": `given:${attributes.id}`, ...attributes });
const radio = (n) => field("input", { type: "radio", id: `score-${n}`, name: "score", value: String(n) });
const FORM = h("form", null, field("input", { type: "range", id: "mark", name: "mark", min: 0, max: 25, defaultValue: "0" }),
  radio(4), radio(5), field("textarea", { id: "comment", name: "comment" }));
const GIVEN = (mark, comment, score) => ({
  "given:mark": { attributes: { value: mark } }, "given:comment": { attributes: { value: comment } }, [`given:score-${score}`]: { attributes: { checked: true } },
});
const shownForm = () => [$("#mark").value, $("#comment").value, $("[name=score]:checked")?.value];
const fillForm = (fills) => Socket.last.shows({ fills }, "/children/2/attributes");
const formed = async (fills) => {
  await open("", { model: h("") });
  await Socket.last.isLive(model(fills, FORM));
};

test("what was given before is a field's own value: a reset brings it back, and it goes when it is deleted", async () => {
  await formed(GIVEN("18", "Bravo", 4));
  assert.deepEqual(shownForm(), ["18", "Bravo", "4"]);
  await type($("#comment"), "Brava");
  await type($("#mark"), "3");
  await act(async () => $("form").reset());
  assert.deepEqual(shownForm(), ["18", "Bravo", "4"]);
  await fillForm(GIVEN("19", "Encore", 5));
  assert.deepEqual(shownForm(), ["19", "Encore", "5"]);
  await fillForm({});
  assert.deepEqual(shownForm(), ["0", "", undefined]);
});

test("what was changed since stays changed when other values come", async () => {
  await formed(GIVEN("18", "Bravo", 4));
  await type($("#mark"), "20");
  await act(async () => { $("#score-5").checked = true; });
  await fillForm(GIVEN("19", "Brava", 4));
  assert.deepEqual(shownForm(), ["20", "Brava", "5"]);
  await fillForm(GIVEN("20", "Brava", 5)); // the changes have been stored
  await fillForm({});
  assert.deepEqual(shownForm(), ["0", "", undefined]);
});

test("what was typed before the client ran stays, and what the HTML was filled with is no typing", async () => {
  const written = `${html("false", "false")}<form><input type="range" id="mark" name="mark" min="0" max="25" value="18" data-slot="given:mark">` +
    '<input type="radio" id="score-4" name="score" value="4" data-slot="given:score-4" checked=""><input type="radio" id="score-5" name="score" value="5" data-slot="given:score-5">' +
    '<textarea id="comment" name="comment" data-slot="given:comment">Bravo</textarea></form>';
  const opened = { model: model(GIVEN("18", "Bravo", 4), FORM), parts };
  const { root } = await open(written, opened);
  assert.deepEqual([shownForm(), root.dataset.hydrationError], [["18", "Bravo", "4"], undefined]);
  await act(async () => $("form").reset());
  assert.deepEqual(shownForm(), ["18", "Bravo", "4"]);
  await open(written, { ...opened, before() {
    $("#mark").value = "7";
    $("#score-5").checked = true;
    $("#comment").value = "Early";
  } });
  assert.deepEqual(shownForm(), ["7", "Early", "5"]);
});

test("page:changed is dispatched once per change", async () => {
  await open(html("false", "false"), { model: model({}), parts });
  let heard = 0;
  document.addEventListener("page:changed", () => { heard += 1; });
  await Socket.last.isLive(model({ vote: PRESSED }));
  assert.equal(heard, 1);
  await Socket.last.says([[KEY, "2", part(2)]]);
  assert.equal(heard, 2);
});

const FIGURE = "mean:7:en";
const means = (count) => h("div", null, `${count} marks `, h("span", { "data-slot": "figures:7" }, h("shared-part", { part: FIGURE })));
const COVERED = { figures: { text: "–", covered: true } };
const askedFor = () => Socket.last.take().filter(({ type }) => type === "part-request").map(({ key }) => key);
const isCovered = async () => {
  const html = '<div>3 marks <span data-slot="figures:7">–</span></div>';
  const { root } = await open(html, { model: model(COVERED), parts: { [KEY]: { version: "1", model: means(3) } } });
  await Socket.last.isLive(model(COVERED));
  Socket.last.take();
  return root;
};

test("a covered slot shows its text, requests no part, and stays covered when the markup around it changes", async () => {
  const root = await isCovered();
  await Socket.last.says([[KEY, "2", [{ 0: "4 marks " }], "1"]]);
  assert.deepEqual([root.textContent, root.dataset.hydrationError, askedFor()], ["4 marks –", undefined, []]);
});

const uncover = () => Socket.last.shows({ fills: { ...COVERED, "figures:7": {} } }, "/children/1/attributes");
const send = () => Socket.last.says([[FIGURE, "1", h("b", null, "17.0")]]);
for (const [order, steps] of Object.entries({ "layout first": [uncover, send], "part first": [send, uncover] })) {
  test(`an uncovered slot shows its part: ${order}; covered again, the browser forgets it`, async () => {
    const root = await isCovered();
    await steps[0]();
    assert.equal(root.textContent, order === "part first" ? "3 marks –" : "3 marks ");
    await steps[1]();
    assert.equal(root.textContent, "3 marks 17.0");
    assert.deepEqual(askedFor(), order === "part first" ? [] : [FIGURE]);
    await Socket.last.shows({ fills: COVERED }, "/children/1/attributes");
    assert.equal(root.textContent, "3 marks –");
    await uncover();
    assert.deepEqual([root.textContent, askedFor()], ["3 marks ", [FIGURE]], "it is requested again, because it is not held");
  });
}
