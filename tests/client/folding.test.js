// Folding: the audience's figures of a performance of which an anonymous visitor has touched a key.

import assert from "node:assert/strict";
import { $, Socket, act, click, fire, h, open, testWith, type } from "./browser.js";

const figures = (name, text, ...more) => h("div", { key: name, class: "heard" }, h("span", { "data-slot": name }, text), ...more);
const show = (id) => h("p", { class: "unfold", hidden: true }, h("button", { type: "submit", form: "do", class: `show-${id}`, "data-command": "figures_show", "data-argument": String(id) }, "Show the audience’s"));
const piece = (id, n) => h("li", { key: `${id}-${n}` },
  h("div", { class: `score score-${id}-${n}` }, h("input", { type: "range", id: `mark-${id}-${n}`, name: `piece-${n}`, min: 0, max: 25, defaultValue: "0" })),
  figures(`piece_figures:${id}-${n}`, "17.3", show(id)));
const rating = (id) => h("form", { key: `form-${id}`, "data-command": "ratings_submit", "data-draft": `rating:${id}` }, piece(id, 3), piece(id, 4),
  ...["4", "5"].map((value) => h("input", { key: value, type: "radio", id: `whole-${id}-${value}`, name: "score", value })), h("textarea", { id: `comment-${id}`, name: "comment" }));
const whole = (id, mean = "16.1") => figures(`figures:${id}`, mean, show(id));
const hall = () => h("main", null, h("form", { id: "do" }), rating(17), whole(17), rating(18), whole(18), figures("together:9", "15.8"));
const performer = () => h("main", null, ...hall().children, figures("rank:17", "3rd"));

const test = testWith(() => {});
async function openPage(model = hall(), { kept = {}, account = "", before } = {}) {
  await open("", { model: h("main", null), root: `data-account="${account}"`, kept: { localStorage: kept }, before });
  await Socket.last.isLive(model);
}
const strike = (value, n = 3, id = 17) => type($(`#mark-${id}-${n}`), String(value));
const isHidden = (element) => window.getComputedStyle(element).visibility === "hidden";
const folded = () => [...document.querySelectorAll("[data-slot]")].filter(isHidden).map(({ dataset: { slot } }) => slot);
const REST = ["piece_figures:17-4", "figures:17"];
const kept = () => ({ ...localStorage });
const PLACE = "draft::rating:17";

test("figures are shown until a key is touched, then those of the unmarked pieces and of the whole are folded", async () => {
  await openPage();
  assert.deepEqual(folded(), []);
  await type($("#comment-17"), "Silences");
  assert.deepEqual(folded(), [], "a word is no mark");
  await strike(7);
  assert.deepEqual(folded(), REST, "of this performance only");
  await strike(9, 4);
  assert.deepEqual(folded(), [], "all pieces are marked");
});

test("the whole performance's keys are keys too", async () => {
  await openPage();
  await act(async () => $("#whole-17-4").click());
  assert.deepEqual(folded(), ["piece_figures:17-3", ...REST]);
});

test("what was shown once stays, also after its mark is removed", async () => {
  await openPage();
  await type($("#comment-17"), "Silences");
  await strike(7);
  await strike(0);
  assert.deepEqual(folded(), REST);
  await strike(9, 4);
  await strike(0, 4);
  assert.deepEqual(folded(), []);
});

test("without any mark left nothing is folded", async () => {
  await openPage();
  await strike(7);
  await strike(0);
  assert.deepEqual([folded(), localStorage.getItem(PLACE)], [[], null]);
});

test("a slide over the keys unfolds nothing before the finger is lifted", async () => {
  await openPage();
  await strike(7);
  $(".score-17-4").classList.add("is-active");
  await strike(3, 4);
  await strike(5, 4);
  assert.deepEqual(folded(), REST);
  $(".score-17-4").classList.remove("is-active");
  await fire($("#mark-17-4"), "change");
  assert.deepEqual(folded(), []);
});

test("it holds after a reload, on a page without the form, and for parts that come later", async () => {
  await openPage();
  await strike(7);
  const storage = kept();
  await openPage(hall(), { kept: storage });
  assert.deepEqual(folded(), REST);
  await openPage(h("main", null, whole(17)), { kept: storage });
  assert.deepEqual(folded(), ["figures:17"]);
  await Socket.last.shows(h("main", null, whole(17, "16.2"), whole(18)));
  assert.deepEqual(folded(), ["figures:17"]);
  assert.match($("main").textContent, /16\.2/);
});

test("on the performer's page rank and common figures are folded too", async () => {
  await openPage(performer());
  await strike(7);
  assert.deepEqual(folded(), [...REST, "together:9", "rank:17"]);
  await strike(9, 4);
  assert.deepEqual(folded(), []);
  await strike(9, 4, 18);
  assert.deepEqual(folded(), ["piece_figures:18-3", "figures:18"], "a page that shows another performer");
});

test("Show shows all of the performance here, on the next page and in other windows, and takes the focus to it", async () => {
  await openPage();
  await strike(7);
  const [button] = [...document.querySelectorAll(".show-17")].filter((each) => window.getComputedStyle(each.parentNode).display === "block");
  assert.ok(button.closest("form"), "where the figures of the unmarked piece are");
  await click(button);
  assert.deepEqual(folded(), []);
  assert.equal(document.activeElement, button.closest(".heard"));
  assert.deepEqual(Socket.last.take().filter(({ type: kind }) => kind === "command"), []);
  const storage = kept();
  await strike(8);
  await strike(0);
  assert.deepEqual(folded(), []);
  await openPage(hall(), { kept: storage });
  assert.deepEqual(folded(), []);
  await strike(12);
  assert.deepEqual(folded(), []);
});

test("a form of which nothing is known is left to the style sheet, and other places fold with the performance", async () => {
  await openPage(h("main", null, ...hall().children, h("b", { key: "score", class: "score-there", "data-folds": "17" }, "19.2")));
  const known = () => [...document.querySelectorAll("form[data-draft]")].map((form) => form.dataset.known);
  assert.deepEqual(known(), ["undefined", "undefined"]);
  await strike(7);
  assert.deepEqual([known(), isHidden($(".score-there"))], [["piece-4", "undefined"], true]);
  await strike(9, 4);
  assert.deepEqual([known(), isHidden($(".score-there"))], [["", "undefined"], false]);
});

test("another window follows", async () => {
  await openPage();
  const there = JSON.stringify({ values: { "piece-3": ["7"] }, folded: ["piece-4"], at: Date.now() });
  localStorage.setItem(PLACE, there);
  await fire(window, "storage", { key: PLACE, oldValue: null, newValue: there });
  assert.deepEqual(folded(), REST);
  localStorage.removeItem(PLACE);
  await fire(window, "storage", { key: PLACE, oldValue: there, newValue: null });
  assert.deepEqual(folded(), []);
});

test("without storage it works for the page's life", async () => {
  await openPage(hall(), { before() {
    for (const name of ["getItem", "setItem", "removeItem"]) window.Storage.prototype[name] = () => { throw new window.Error("SecurityError"); };
  } });
  await strike(7);
  assert.deepEqual(folded(), REST);
  await click(".show-17");
  assert.deepEqual(folded(), []);
});

test("the server covers for members: their page folds nothing and sends Show", async () => {
  await openPage(hall(), { account: "5", kept: { [PLACE]: JSON.stringify({ values: {}, folded: ["piece-3"], at: Date.now() }) } });
  await strike(7);
  assert.deepEqual(folded(), []);
  await click(".show-17");
  assert.equal(Socket.last.take().filter(({ name }) => name === "figures_show").length, 1);
});
