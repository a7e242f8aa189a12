// Kept marks: a member's strikes in the browser's storage, one message for a performance, and the server's acknowledgement.

import assert from "node:assert/strict";
import { $, Socket, act, click, fire, fixRandom, h, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";

const field = (tag, attributes) => h(tag, { "data-slot": `given:${attributes.id}`, ...attributes });
const radio = (name, value) => field("input", { type: "radio", id: `${name}-${value}`, name, value });
const rating = (id, state = "first", ...more) => h("form", { key: `rating-${id}`, "data-command": "ratings_submit", "data-argument": String(id), "data-draft": `rating:${id}`, "data-own": state },
  field("input", { type: "range", id: `mark-${id}-3`, name: "piece-3", min: 0, max: 25, defaultValue: "0" }),
  field("input", { type: "range", id: `mark-${id}-4`, name: "piece-4", min: 0, max: 25, defaultValue: "0" }),
  radio("score", "4"), radio("score", "5"), radio("quick_rating", "outstanding"),
  field("textarea", { id: `comment-${id}`, name: "comment" }), h("button", { type: "submit" }, "Submit ratings"),
  h("p", { "data-answer": "", role: "status" }, ""), ...more);
const page = (fills, ...forms) => h("main", null, ...forms, h("page-slots", { fills }));
const PLACE = "draft:5:rating:17";

let pass;
const test = testWith(async (context) => {
  pass = stopClock(context);
  fixRandom(context, 0.5);
});

async function openPage({ kept, fills = {}, forms = [rating(17)], root = 'data-account="5"', live = true, ...options } = {}) {
  await open("", { model: h("main"), root, kept: kept && { localStorage: kept }, ...options });
  if (live) await Socket.last.isLive(page(fills, ...forms));
  await pass(0);
}
const sent = () => Socket.last.take().filter(({ type: kind }) => kind === "command");
const keeps = () => sent().map(({ name, argument, fields }) => {
  assert.equal(name, "rating_keep");
  return [argument, { ...fields }];
});
const answer = ({ key }, more) => Socket.last.says({ type: "answer", key, ok: true, text: "", ...more });
const fillForm = (fills, forms = 1) => Socket.last.shows({ fills }, `/children/${forms}/attributes`);
const given = (id, value) => ({ [`given:${id}`]: { attributes: { value } } });
const stored = (key = PLACE) => Object.fromEntries(Object.entries(JSON.parse(localStorage.getItem(key))?.marks ?? {}).map(([name, [value]]) => [name, value]));
const keyed = (marks, age = 0) => JSON.stringify({ marks: Object.fromEntries(Object.entries(marks).map(([name, value]) => [name, [value, Date.now() - age]])), at: Date.now() - age });
const mark = (n = 3, id = 17) => $(`#mark-${id}-${n}`);
const strike = (value, n, id) => type(mark(n, id), String(value));

test("a strike is in the storage at once, and the latest value of each field in one message 400 ms after the last one", async () => {
  await openPage();
  await strike(7);
  assert.deepEqual(stored(), { "piece-3": "7" });
  await pass(300);
  await strike(8);
  await strike(12, 4);
  await pass(399);
  assert.deepEqual(keeps(), []);
  await pass(1);
  assert.deepEqual(keeps(), [["17", { "piece-3": "8", "age-piece-3": "400", "piece-4": "12", "age-piece-4": "400" }]]);
  assert.deepEqual(stored(), { "piece-3": "8", "piece-4": "12" }, "until the server has acknowledged them");
});

test("every kind of field is kept, also one that is emptied", async () => {
  await openPage({ fills: { "given:quick_rating-outstanding": { attributes: { checked: true } } } });
  await click("#score-5");
  await type($("#comment-17"), "The silences.");
  await act(async () => {
    $("#quick_rating-outstanding").checked = false;
    $("#quick_rating-outstanding").dispatchEvent(new window.Event("input", { bubbles: true }));
  });
  await pass(400);
  const [[, fields]] = keeps();
  assert.deepEqual([fields.score, fields.comment, fields.quick_rating], ["5", "The silences.", ""]);
});

test("what was struck while a message was in flight stays after its acknowledgement, and goes into the next message", async () => {
  await openPage();
  await strike(7);
  await strike(12, 4);
  await pass(400);
  const [first] = sent();
  await strike(8);
  await pass(1000);
  assert.deepEqual(keeps(), [], "one message in flight");
  await answer(first);
  assert.deepEqual(stored(), { "piece-3": "8" });
  const [next] = sent();
  assert.deepEqual({ ...next.fields }, { "piece-3": "8", "age-piece-3": "0" }, "not before the message that was long under way");
  assert.notEqual(next.key, first.key);
  await strike(9);
  await answer(next);
  assert.deepEqual(stored(), { "piece-3": "9" });
  await pass(399);
  assert.deepEqual(keeps(), [], "the strike waits for its 400 ms");
  await pass(1);
  await answer(sent()[0]);
  assert.equal(localStorage.getItem(PLACE), null);
});

test("two performances follow each other", async () => {
  await openPage({ forms: [rating(17), rating(18)] });
  await strike(7);
  await strike(9, 3, 18);
  await pass(400);
  const [first, ...others] = sent();
  assert.deepEqual([first.argument, others], ["17", []]);
  await answer(first);
  assert.deepEqual(keeps(), [["18", { "piece-3": "9", "age-piece-3": "400" }]]);
});

test("a message without an answer is repeated under its key with the ages of that moment", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  const [first] = sent();
  await Socket.last.ends();
  await pass(1000);
  await Socket.last.isLive(page({}, rating(17)));
  await pass(0);
  const [again, ...others] = sent();
  assert.deepEqual([again.key, others], [first.key, []]);
  assert.deepEqual({ ...again.fields }, { "piece-3": "7", "age-piece-3": "1400" });
});

test("the rate limit is not shown, and the same values are sent later", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  await answer(sent()[0], { ok: false, text: "A little fast.", again: true });
  assert.equal($("[data-answer]").textContent, "");
  await pass(2999);
  assert.deepEqual(keeps(), []);
  await pass(1);
  assert.deepEqual(keeps(), [["17", { "piece-3": "7", "age-piece-3": "3400" }]]);
});

test("another refusal is shown at the form, keeps the value, and ends with the next strike", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  await answer(sent()[0], { ok: false, text: "The performance was withdrawn." });
  const spot = $("[data-answer]");
  assert.equal(spot.textContent, "The performance was withdrawn.");
  assert.deepEqual([mark().value, stored()], ["7", { "piece-3": "7" }]);
  await Socket.last.ends();
  await pass(1000);
  await Socket.last.isLive(page({}, rating(17)));
  await pass(20000);
  assert.deepEqual(keeps(), [], "it is not repeated");
  await strike(8);
  assert.equal(spot.textContent, "");
  await pass(400);
  assert.deepEqual(keeps(), [["17", { "piece-3": "8", "age-piece-3": "400" }]]);
});

test("a refusal of one field lets the others through", async () => {
  await openPage();
  await strike(7);
  await strike(12, 4);
  await pass(400);
  await answer(sent()[0], { ok: false, text: "This piece is not in the program.", field: "piece-3", errors: { "piece-3": "This piece is not in the program." } });
  const [rest] = sent();
  assert.deepEqual({ ...rest.fields }, { "piece-4": "12", "age-piece-4": "400" });
  await answer(rest);
  assert.deepEqual(stored(), { "piece-3": "7" });
});

test("a strike without a connection is sent on return, after a reload, and from a page without its form", async () => {
  await openPage();
  await Socket.last.ends();
  await strike(7);
  await pass(900); // before the next attempt
  assert.equal(Socket.all.length, 1);
  assert.deepEqual(Socket.last.take(), []);
  await pass(100);
  await Socket.last.isLive(page({}, rating(17)));
  await pass(0);
  assert.deepEqual(keeps(), [["17", { "piece-3": "7", "age-piece-3": "1000" }]]);

  const kept = { ...localStorage };
  await openPage({ kept });
  assert.equal(mark().value, "7");
  assert.equal(keeps().length, 1);

  await openPage({ kept, forms: [] });
  const [message] = sent();
  assert.deepEqual([message.argument, message.fields["piece-3"]], ["17", "7"]);
  await answer(message);
  assert.equal(localStorage.getItem(PLACE), null);
});

test("a reload shows the server's values, the unacknowledged ones on top, and no note", async () => {
  await openPage({ kept: { [PLACE]: keyed({ "piece-3": "7", quick_rating: "", comment: "Here" }) }, live: false });
  const heard = [];
  document.addEventListener("input", ({ target }) => heard.push(target.name));
  const fills = { ...given("mark-17-3", "18"), ...given("mark-17-4", "11"), "given:quick_rating-outstanding": { attributes: { checked: true } } };
  await Socket.last.isLive(page(fills, rating(17)));
  assert.deepEqual([mark().value, mark(4).value, $("#comment-17").value, $("#quick_rating-outstanding").checked], ["7", "11", "Here", false]);
  assert.deepEqual(heard.sort(), ["comment", "piece-3", "quick_rating"]);
  assert.equal($(".restored"), null);
  assert.deepEqual(Object.keys(stored()), ["piece-3", "quick_rating", "comment"], "showing is no strike");
});

test("what was entered before the client ran is kept", async () => {
  const html = '<main><form data-command="ratings_submit" data-argument="17" data-draft="rating:17" data-own="first"><textarea data-slot="given:comment-17" id="comment-17" name="comment"></textarea></form></main>';
  const form = h("form", { "data-command": "ratings_submit", "data-argument": "17", "data-draft": "rating:17", "data-own": "first" }, field("textarea", { id: "comment-17", name: "comment" }));
  await open(html, { model: h("main", null, form), root: 'data-account="5"', before: () => { $("textarea").value = "Early"; } });
  assert.deepEqual(stored(), { comment: "Early" });
});

test("another device's value shows unless this field was struck here and is unacknowledged", async () => {
  await openPage();
  await strike(7);
  await fillForm({ ...given("mark-17-3", "20"), ...given("mark-17-4", "21") });
  assert.deepEqual([mark().value, mark(4).value], ["7", "21"]);
  await pass(400);
  await answer(sent()[0]);
  await fillForm({ ...given("mark-17-3", "22"), ...given("mark-17-4", "21") });
  assert.equal(mark().value, "22", "its own value was acknowledged, and the slot had not shown it yet");
});

test("the server's form of a comment does not disturb its typing", async () => {
  await openPage();
  await type($("#comment-17"), "Like  weather ");
  await pass(400);
  await answer(sent()[0]);
  await fillForm(given("comment-17", "Like weather"));
  assert.equal($("#comment-17").value, "Like  weather ");
  await fillForm(given("comment-17", "Like rain"));
  assert.equal($("#comment-17").value, "Like rain", "another device's");
});

test("a field that is struck back to the server's value is a strike too", async () => {
  await openPage({ fills: given("mark-17-3", "18") });
  await strike(7);
  await strike(18);
  await fillForm(given("mark-17-3", "20"));
  assert.equal(mark().value, "18");
  await pass(400);
  assert.equal(keeps()[0][1]["piece-3"], "18");
});

test("a strike that lost against a later one of another device is replaced by it", async () => {
  await openPage({ kept: { [PLACE]: keyed({ "piece-3": "7", "piece-4": "8" }, 60000) }, fills: given("mark-17-3", "20") });
  assert.equal(mark().value, "7");
  await answer(sent()[0], { data: { older: ["piece-3"] } });
  assert.deepEqual([mark().value, mark(4).value], ["20", "8"]);
});

test("a sentence of an accepted message is shown, and its marks leave the storage", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  await answer(sent()[0], { text: "A piece has left the program." });
  assert.equal($("[data-answer]").textContent, "A piece has left the program.");
  assert.equal(localStorage.getItem(PLACE), null);
});

test("two windows: the other one shows the strike, and sends it if the first is gone", async () => {
  await openPage();
  const there = keyed({ "piece-3": "7" });
  localStorage.setItem(PLACE, there);
  await fire(window, "storage", { key: PLACE, oldValue: null, newValue: there });
  assert.equal(mark().value, "7");
  await pass(4999);
  assert.deepEqual(keeps(), []);
  await pass(1);
  assert.deepEqual(keeps(), [["17", { "piece-3": "7", "age-piece-3": "5000" }]]);
});

test("two windows: what the other one has sent is not sent again, and a device's later value shows", async () => {
  await openPage();
  const there = keyed({ "piece-3": "7" });
  localStorage.setItem(PLACE, there);
  await fire(window, "storage", { key: PLACE, oldValue: null, newValue: there });
  localStorage.removeItem(PLACE);
  await fire(window, "storage", { key: PLACE, oldValue: there, newValue: null });
  await pass(20000);
  assert.deepEqual(keeps(), []);
  await fillForm(given("mark-17-3", "20"));
  assert.equal(mark().value, "20");
});

const submit = () => click("form [type=submit]");

test("a submit takes the marks that it sent out of the storage, and leaves those struck since", async () => {
  await openPage();
  await strike(7);
  await strike(12, 4);
  await submit();
  const [first, ...others] = sent();
  assert.deepEqual([first.name, first.fields.age, others], ["ratings_submit", "0", []]);
  await strike(8);
  await pass(2000);
  assert.deepEqual(keeps(), [], "nothing is sent beside a submit");
  await answer(first, { text: "Submitted" });
  assert.deepEqual(stored(), { "piece-3": "8" });
  assert.deepEqual(keeps(), [["17", { "piece-3": "8", "age-piece-3": "0" }]]);
  assert.equal(mark().value, "8");
  assert.equal($("[data-answer]").textContent, "", "not all of it is submitted");
  await submit();
  const [second] = sent();
  await answer(second, { text: "Submitted" });
  assert.equal($("[data-answer]").textContent, "Submitted");
  await strike(9);
  assert.equal($("[data-answer]").textContent, "", "nor after a later strike");
});

test("a message in flight is not repeated after a submit", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  const [keep] = sent();
  await strike(8);
  await submit();
  const [message] = sent();
  assert.equal(message.fields["piece-3"], "8");
  await answer(message, { text: "Submitted" });
  await answer(keep);
  assert.equal(localStorage.getItem(PLACE), null);
  await Socket.last.ends();
  await pass(1000);
  await Socket.last.isLive(page({}, rating(17)));
  await pass(20000);
  assert.deepEqual(sent(), []);
});

test("a submit that is repeated has the age of its press", async () => {
  await openPage();
  await strike(7);
  await submit();
  const [first] = sent();
  await Socket.last.ends();
  await strike(8);
  await pass(1000);
  await Socket.last.isLive(page({}, rating(17)));
  await pass(0);
  const [again, ...others] = sent();
  assert.deepEqual([again.key, again.fields["piece-3"], again.fields.age, others], [first.key, "7", "1000", []]);
  await answer(again, { text: "Submitted" });
  assert.deepEqual(stored(), { "piece-3": "8" });
});

test("a refused submit keeps the marks, and they are sent", async () => {
  await openPage();
  await strike(7);
  await submit();
  await answer(sent()[0], { ok: false, text: "A comment is missing." });
  assert.deepEqual(stored(), { "piece-3": "7" });
  await pass(400);
  assert.equal(keeps().length, 1);
});

test("a submit of another form does not delay the marks", async () => {
  const note = h("form", { "data-command": "note_add", "data-draft": "note:7" }, h("input", { name: "text" }), h("button", { type: "submit", id: "leave" }, "Leave"));
  await openPage({ forms: [rating(17), note] });
  await strike(7);
  await type($("[name=text]"), "Bravo");
  await click("#leave");
  await pass(400);
  assert.deepEqual(sent().map(({ name }) => name), ["note_add", "rating_keep"]);
  assert.deepEqual(JSON.parse(localStorage.getItem("draft:5:note:7")).values, { text: ["Bravo"] });
});

test("a phone that is locked sends what waits", async () => {
  await openPage();
  await strike(7);
  Object.defineProperty(document, "hidden", { value: true });
  await fire(document, "visibilitychange");
  assert.equal(keeps().length, 1);
});

test("a sign-out removes the marks, and nothing is kept or sent after it", async () => {
  const leave = h("form", { method: "post", action: "/sign-out" }, h("button", { id: "out" }, "Sign out"));
  await openPage({ forms: [rating(17), leave] });
  await strike(7);
  document.addEventListener("submit", (event) => event.preventDefault()); // jsdom cannot post forms
  await act(async () => $("[action='/sign-out']").requestSubmit());
  await strike(8);
  await pass(1000);
  assert.deepEqual([localStorage.getItem(PLACE), sent()], [null, []]);
});

test("a window whose account was signed out by another window keeps and sends nothing", async () => {
  await openPage();
  await strike(7);
  localStorage.removeItem(PLACE);
  await fire(window, "storage", { key: "account", oldValue: "5", newValue: "6" });
  await strike(8);
  await pass(1000);
  assert.deepEqual([localStorage.getItem(PLACE), keeps()], [null, []]);
});

test("the marks of another account are neither shown nor sent", async () => {
  await openPage({ kept: { "draft:6:rating:17": keyed({ "piece-3": "7" }) } });
  assert.deepEqual([mark().value, keeps(), localStorage.getItem("draft:6:rating:17")], ["0", [], null]);
});

test("an ended session leaves the marks for the next sign-in", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  await answer(sent()[0], { ok: false, text: "", leave: "/login?next=%2F" });
  await pass(20000);
  assert.deepEqual([stored(), keeps()], [{ "piece-3": "7" }, []]);
});

test("a draft of an earlier version of the site is sent as marks", async () => {
  await openPage({ kept: { [PLACE]: JSON.stringify({ values: { "piece-3": ["7"], quick_rating: [] }, at: Date.now() - 5000 }) } });
  assert.deepEqual(keeps(), [["17", { "piece-3": "7", "age-piece-3": "5000", quick_rating: "", "age-quick_rating": "5000" }]]);
  assert.equal(mark().value, "7");
});

test("a clock that was set back gives no negative age", async () => {
  await openPage({ kept: { [PLACE]: keyed({ "piece-3": "7" }, -60000) } });
  assert.equal(keeps()[0][1]["age-piece-3"], "0");
});

test("where storage is refused the form can be submitted", async () => {
  await openPage();
  const forbidden = () => { throw new window.Error("QuotaExceededError"); };
  for (const name of ["getItem", "setItem", "removeItem"]) window.Storage.prototype[name] = forbidden;
  await strike(7);
  await pass(400);
  assert.deepEqual(sent(), []);
  await submit();
  const [message] = sent();
  assert.equal(message.fields["piece-3"], "7");
  await answer(message, { text: "Submitted" });
  assert.equal($("[data-answer]").textContent, "Submitted");
});

test("a form that shows another performance takes its marks", async () => {
  await openPage({ kept: { [PLACE]: keyed({ "piece-3": "7" }), "draft:5:rating:18": keyed({ "piece-4": "9" }) } });
  assert.deepEqual([mark().value, mark(4).value], ["7", "0"]);
  await Socket.last.shows("rating:18", "/children/0/attributes/data-draft");
  assert.deepEqual([mark().value, mark(4).value], ["0", "9"]);
});

test("a message that the page has left is sent again under its key, before what was struck since", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  const [left] = sent();
  await openPage({ kept: { ...localStorage } });
  await strike(8);
  const [again, ...others] = sent();
  assert.deepEqual([again.key, again.fields["piece-3"], others], [left.key, "7", []]);
  await pass(1000);
  assert.deepEqual(sent(), []);
  await answer(again);
  const [next] = sent();
  assert.deepEqual({ ...next.fields }, { "piece-3": "8", "age-piece-3": "0" });
  assert.notEqual(next.key, left.key);
  await answer(next);
  assert.equal(localStorage.getItem(PLACE), null);
});

test("a submit leaves the key of a message under way, which is sent again after a reload", async () => {
  await openPage();
  await strike(7);
  await pass(400);
  const [left] = sent();
  await submit();
  await answer(sent()[0], { text: "Submitted" });
  assert.deepEqual(stored(), {});
  await openPage({ kept: { ...localStorage } });
  const [again, ...others] = sent();
  assert.deepEqual([again.key, others], [left.key, []]);
  await answer(again, { data: { older: ["piece-3"] } });
  assert.equal(localStorage.getItem(PLACE), null);
});

/** Return a pseudo-random function: whole numbers below `most`. */
function numbers(seed) {
  let state = seed;
  return (most) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * most);
  };
}

for (let seed = 1; seed <= (Number(process.env.SEEDS) || 6); seed += 1) {
  test(`the server has the last strike of every field after strikes, cuts, late copies, lost answers, reloads and submits: ${seed}`, async () => {
    const below = numbers(seed);
    const last = {}; // field -> the value struck last
    const server = {}; // field -> [value, time of the strike]
    const done = new Map(); // key -> answer
    const seen = new Map(); // frame -> time of sending
    const watch = () => Socket.last.sent.forEach((frame) => seen.has(frame) || seen.set(frame, Date.now()));
    function run({ name, fields, key }, now) {
      if (done.has(key)) return done.get(key);
      if (name === "ratings_submit" && !below(3)) return { ok: false, text: "Too fast.", again: true };
      for (const field of ["piece-3", "piece-4", "comment"]) {
        if (!(field in fields)) continue;
        const at = now - Number(fields[`age-${field}`] ?? fields.age);
        if (at >= (server[field]?.[1] ?? 0)) server[field] = [fields[field], at];
      }
      done.set(key, { ok: true, text: "" });
      return done.get(key);
    }
    /** Answer the messages that are under way; their way counts into the age. */
    async function serve() {
      for (const message of sent()) await answer(message, run(message, Date.now()));
    }
    /** Run them as they were sent; their answers are lost. */
    const lose = () => sent().forEach((message) => run(message, seen.get(message)));
    const late = []; // messages under way: a connection that the page has left delivers them later
    const delay = () => late.push(...sent().filter(({ name }) => name === "rating_keep"));
    const land = () => late.splice(0, 1 + below(3)).forEach((message) => run(message, Date.now()));
    const fills = () => Object.assign({}, ...Object.entries(server).map(([field, [value]]) => given(field === "comment" ? "comment-17" : field.replace("piece", "mark-17"), value)));
    async function live() {
      while (Socket.last.readyState > 1) await pass(1000);
      if (Socket.last.readyState === 0) await Socket.last.isLive(page(fills(), rating(17)));
      await pass(0);
    }
    async function strikeAny() {
      const control = $(["#mark-17-3", "#mark-17-4", "#comment-17"][below(3)]);
      const value = String(1 + below(25));
      if (control.value === value) return;
      await type(control, value);
      last[control.name] = value;
    }
    const isIdle = () => !$("[aria-busy]") && !$("button:disabled");
    const steps = [strikeAny, strikeAny, strikeAny, strikeAny, () => pass(1 + below(700)), serve, lose, delay, land, () => Socket.last.ends(), live,
      () => openPage({ kept: { ...localStorage }, fills: fills() }), () => isIdle() && submit()];
    await openPage();
    for (let step = 0; step < 60; step += 1) {
      await steps[below(steps.length)]();
      watch();
      await pass(1);
      watch();
    }
    for (let round = 0; round < 12 && localStorage.getItem(PLACE); round += 1) {
      await live();
      await serve();
      await pass(5000);
    }
    while (late.length) land();
    assert.deepEqual(Object.keys(last).map((field) => [field, server[field]?.[0]]), Object.entries(last));
    assert.ok(Object.keys(last).length && localStorage.getItem(PLACE) === null);
  });
}
