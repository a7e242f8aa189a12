// Marks that were made signed out: the page asks after the sign-in, and they leave the browser when they are answered for.

import assert from "node:assert/strict";
import { $, Socket, act, fire, fixRandom, h, load, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";

const field = (attributes) => h("input", { type: "range", min: 0, max: 25, defaultValue: "0", "data-slot": `given:${attributes.id}`, ...attributes });
const rating = (id) => h("form", { key: `rating-${id}`, "data-command": "ratings_submit", "data-argument": String(id), "data-draft": `rating:${id}` },
  field({ id: `mark-${id}-3`, name: "piece-3" }), field({ id: `mark-${id}-4`, name: "piece-4" }),
  h("textarea", { id: `comment-${id}`, name: "comment" }), h("button", { type: "submit" }, "Submit ratings"));
const page = () => h("main", { tabIndex: -1 }, rating(17), h("page-slots", { fills: {} }));
const ASKED = "2 performances were marked here before you signed in. Keep them as yours?";

let pass;
const test = testWith(async (context) => {
  pass = stopClock(context);
  fixRandom(context, 0.5);
});

const draft = (values, age = 0) => JSON.stringify({ values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]])), at: Date.now() - age });
const two = () => ({ "draft::rating:17": draft({ "piece-3": "7", "piece-4": "9" }, 1000), "draft::rating:18": draft({ comment: "Dry" }) });
async function openPage({ kept = two(), account = "5" } = {}) {
  await open("", { model: h("main", { tabIndex: -1 }), root: `data-account="${account}" data-restored="Restored." data-start-over="Over"`, kept: { localStorage: kept } });
  await Socket.last.isLive(page());
  await pass(0);
}
const sent = () => Socket.last.take().filter(({ type: kind }) => kind === "command");
const asks = () => sent().map(({ name, argument, fields: { marks, ...more } }) => {
  assert.deepEqual([name, argument], ["ratings_take_over", ""]);
  return [JSON.parse(marks), { ...more }];
});
async function answer(more) {
  const [{ key }] = sent();
  await Socket.last.says({ type: "answer", key, ok: true, text: "", ...more });
}
const question = (ids = ["17", "18"]) => answer({ text: ASKED, data: { open: ids, words: ["Keep", "Discard"] } });
const visitors = () => Object.keys(localStorage).filter((key) => key.startsWith("draft::")).sort();
const shown = () => document.querySelector("body > .taken");
const press = (label) => act(async () => {
  const button = [...document.querySelectorAll(".taken button")].find(({ textContent }) => textContent === label);
  button.focus();
  button.click();
});

test("marks of an anonymous visitor stay in the browser, and a sign-in asks before it takes them over", async () => {
  await openPage({ kept: {}, account: "" });
  await type($("#mark-17-3"), "7");
  await pass(1000);
  assert.deepEqual([sent(), visitors(), shown()], [[], ["draft::rating:17"], null]);

  await openPage();
  assert.deepEqual(asks(), [[{ 17: { "piece-3": ["7", 1000], "piece-4": ["9", 1000] }, 18: { comment: ["Dry", 0] } }, {}]]);
  assert.deepEqual(visitors(), ["draft::rating:17", "draft::rating:18"], "not answered yet");
  assert.equal($("#mark-17-3").value, "0", "they are not the account's");
});

test("the question is at the top of the page, announced, with two buttons, until it is answered", async () => {
  await openPage();
  assert.equal(shown().getAttribute("role"), "status");
  assert.equal(shown().textContent, "", "the line is there before its text: screen readers announce changes only");
  await question();
  assert.equal(document.body.firstElementChild, shown());
  assert.equal(shown().firstChild.data, ASKED);
  assert.deepEqual([...shown().querySelectorAll("button")].map(({ textContent }) => textContent), ["Keep", "Discard"]);
  await pass(60000);
  await Socket.last.ends();
  await pass(2000);
  await Socket.last.isLive(page());
  assert.deepEqual(sent(), [], "it asks once");
  assert.equal(shown().firstChild.data, ASKED);
});

test("Keep sends the marks, which leave the storage with the server's answer", async () => {
  await openPage();
  await question();
  await press("Keep");
  await press("Keep");
  assert.deepEqual(visitors(), ["draft::rating:17", "draft::rating:18"]);
  const [message, ...others] = sent();
  assert.deepEqual([Object.keys(JSON.parse(message.fields.marks)), message.fields.keep, others], [["17", "18"], "1", []]);
  await Socket.last.says({ type: "answer", key: message.key, ok: true, text: "" });
  assert.deepEqual([visitors(), shown()], [[], null]);
  assert.equal(document.activeElement.tagName, "MAIN");
});

test("the buttons of a question about other marks send what they say", async () => {
  await openPage();
  await answer({ text: ASKED, data: { open: ["17", "18"], words: ["Take these", "Keep the account's", "Discard"], keep: ["all", "1", ""] } });
  assert.deepEqual([...shown().querySelectorAll("button")].map(({ textContent }) => textContent), ["Take these", "Keep the account's", "Discard"]);
  await press("Take these");
  assert.equal(asks()[0][1].keep, "all");
});

test("what could not be kept is shown, and goes too", async () => {
  await openPage();
  await question();
  await press("Keep");
  await answer({ text: "1 performance could not be kept: Zofia." });
  assert.deepEqual([visitors(), shown().textContent], [[], "1 performance could not be kept: Zofia."]);
});

test("a refused Keep leaves marks and question, and may be pressed again", async () => {
  await openPage();
  await question();
  await press("Keep");
  await answer({ ok: false, text: "Please try again in a moment.", again: true });
  assert.deepEqual(visitors(), ["draft::rating:17", "draft::rating:18"]);
  assert.match(shown().textContent, /^Please try again in a moment\./);
  await press("Keep");
  await answer();
  assert.deepEqual([visitors(), shown()], [[], null]);
});

test("Discard drops the marks from this browser, and sends nothing", async () => {
  await openPage({ kept: { ...two(), "draft::note:7": draft({ text: "Bravo" }) } });
  await question();
  await press("Discard");
  assert.deepEqual([visitors(), shown(), sent()], [[], null, []]);
  assert.ok(localStorage.getItem("draft:5:note:7"), "other drafts are taken over without a question");
  assert.equal(document.activeElement.tagName, "MAIN");
});

test("what the account has already leaves the storage without a question", async () => {
  await openPage();
  await question(["18"]);
  assert.deepEqual(visitors(), ["draft::rating:18"]);
  await openPage();
  await answer();
  assert.deepEqual([visitors(), shown()], [[], null]);
});

test("a question that could not be asked is asked by the next page", async () => {
  await openPage();
  await answer({ ok: false, text: "Please try again in a moment.", again: true });
  assert.deepEqual([visitors().length, shown()], [2, null]);
  await openPage({ kept: { ...localStorage } });
  assert.equal(asks().length, 1);
});

test("an answer in another window ends the question", async () => {
  await openPage();
  await question();
  await fire(window, "storage", { key: "lights", oldValue: null, newValue: "dark" });
  assert.ok(shown());
  localStorage.removeItem("draft::rating:17");
  localStorage.removeItem("draft::rating:18");
  await fire(window, "storage", { key: "draft::rating:18", oldValue: "{}", newValue: null });
  assert.equal(shown(), null);
});

test("without marks nothing is asked", async () => {
  await openPage({ kept: { "draft::note:7": draft({ text: "Bravo" }) } });
  assert.deepEqual([sent(), shown()], [[], null]);
});

test("what is unreadable is sent as empty, so that it ends", async () => {
  await openPage({ kept: { "draft::rating:17": "null" } });
  assert.deepEqual([sent(), visitors()], [[], []], "begin drops it");
  await openPage({ kept: { "draft::rating:17": draft({}) } });
  await answer();
  assert.deepEqual(visitors(), []);
});

test("a message is never too long for a form; the rest follows later", async () => {
  const long = Object.fromEntries([11, 12, 13, 14].map((id) => [`draft::rating:${id}`, draft({ comment: "ś".repeat(2000) })]));
  await openPage({ kept: { ...long, ...two() } });
  const { signedOutMarks } = await load("taking-over");
  const text = signedOutMarks();
  assert.ok(encodeURIComponent(text).length <= 50000);
  assert.equal(Object.keys(JSON.parse(text)).length, 6);
  const emoji = Object.fromEntries(Array.from({ length: 9 }, (_, number) => [`draft::rating:${number + 1}`, draft({ comment: "\u{1F3B9}".repeat(1000) })]));
  await openPage({ kept: emoji });
  const [[first]] = asks();
  assert.equal(Object.keys(first).length, 4);
});

test("a registration takes them along when it is submitted, and leaves them in the browser", async () => {
  await open('<form><input type="hidden" name="marks" value="" data-signed-out-marks><button>Register</button></form>', { url: "https://hall.example/register", kept: { localStorage: two() } });
  await import("../../components/client/src/draft-expiry.js?marks");
  assert.equal($("[name=marks]").value, "");
  await fire($("form"), "submit");
  assert.deepEqual(JSON.parse($("[name=marks]").value), { 17: { "piece-3": ["7", 1000], "piece-4": ["9", 1000] }, 18: { comment: ["Dry", 0] } });
  assert.equal(visitors().length, 2);
});

test("where storage is refused nothing is asked and nothing fails", async (context) => {
  await openPage({ kept: {} });
  const { signedOutMarks } = await load("taking-over");
  context.mock.getter(globalThis, "localStorage", () => { throw new window.Error("SecurityError"); });
  assert.equal(signedOutMarks(), "{}");
});
