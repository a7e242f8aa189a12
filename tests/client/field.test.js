// Fields: the browser owns the text while the user types; no input is lost or overwritten.

import assert from "node:assert/strict";
import { $, Socket, act, consoleErrors, fire, h, on, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";

const field = (value, ack, wire = {}) =>
  on(h("input", { id: "f", value, ...(ack !== undefined && { _reactpy_ack_seq: ack }) }), "onInput", "edit", wire);
const HTML = '<input id="f" value="">';
const takeEdits = () => Socket.last.take().map(({ data: [{ target }], seq }) => [target.value, seq]);
const input = () => $("#f");

let pass;
const test = testWith((context) => { pass = stopClock(context); });

async function live(model = field("")) {
  await open(HTML, { model: h("input", { id: "f", value: "" }) });
  await Socket.last.isLive(model);
}

test("one edit is under way at a time, each with its number; the newest goes when the last one is acknowledged", async () => {
  await live();
  await type(input(), "a");
  assert.deepEqual(takeEdits(), [["a", 1]]);
  await type(input(), "ab");
  await type(input(), "abc");
  await pass(500);
  assert.deepEqual(takeEdits(), []);
  await Socket.last.shows(field("a", 1));
  assert.deepEqual(takeEdits(), [["abc", 3]]);
  assert.equal(input().value, "abc");
});

test("an edit without an acknowledgement delays the next one by a second", async () => {
  await live();
  await type(input(), "a");
  await type(input(), "ab");
  await pass(999);
  assert.deepEqual(takeEdits(), [["a", 1]]);
  await pass(1);
  assert.deepEqual(takeEdits(), [["ab", 2]]);
});

test("a key that is held for ten seconds makes five edits a second, and the server has the whole text", async () => {
  await live();
  const told = [];
  let text = "";
  for (let step = 0; step < 300; step += 1) {
    await type(input(), (text += "x"));
    for (const [value, seq] of takeEdits()) {
      told.push(value);
      await Socket.last.shows(field(value, seq));
    }
    await pass(33);
  }
  await pass(1000);
  told.push(...takeEdits().map(([value]) => value));
  assert.ok(told.length > 40 && told.length <= 51, String(told.length));
  assert.equal(told.at(-1), text);
  assert.equal(input().value, text);
});

test("what a field still holds back goes before another event", async () => {
  const model = (value, ack) => h("div", null, field(value, ack), on(h("button", { id: "b" }, "Add"), "onClick", "add"));
  await open("", { model: h("div") });
  await Socket.last.isLive(model(""));
  await type(input(), "a");
  await type(input(), "ab");
  await act(async () => $("#b").click());
  const frames = Socket.last.take().map(({ target, data: [event], seq }) => [target, event.target.value, seq]);
  assert.deepEqual(frames.map(([target, value]) => (target === "edit" ? value : target)), ["a", "ab", "add"]);
  await pass(2000);
  assert.deepEqual(Socket.last.take(), []);
});

test("an update that does not know the last edit leaves the text alone", async () => {
  await live();
  await type(input(), "a");
  await type(input(), "ab");
  await Socket.last.shows(field("A", 1));
  assert.equal(input().value, "ab");
  await Socket.last.shows(field("AB", 2));
  assert.equal(input().value, "AB");
});

test("a server that rewrites the text keeps the caret", async () => {
  await live();
  input().focus();
  await type(input(), "abc");
  input().setSelectionRange(1, 1);
  await Socket.last.shows(field("ABC", 1));
  assert.equal(input().value, "ABC");
  assert.equal(input().selectionStart, 1);
});

test("uncontrolled text belongs to the browser after any update", async () => {
  await open(HTML, { model: h("input", { id: "f", defaultValue: "" }) });
  await Socket.last.isLive(h("input", { id: "f", defaultValue: "" }));
  await type(input(), "mine");
  await Socket.last.shows(h("input", { id: "f", defaultValue: "theirs" }));
  assert.equal(input().value, "mine");
});

test("an edit without a connection stays and is sent after the reconnect", async () => {
  await live();
  await type(input(), "a");
  await Socket.last.ends();
  await type(input(), "abc");
  await pass(1500);
  await Socket.last.isLive(field(""));
  assert.equal(input().value, "abc");
  assert.deepEqual(takeEdits(), [["abc", 1]]);
  await Socket.last.shows(field("abc", 1));
  await type(input(), "abcd");
  await pass(200);
  assert.deepEqual(takeEdits(), [["abcd", 2]]);
});

test("an edit between the socket's opening and the first handlers is sent with them", async () => {
  await open(HTML, { model: h("input", { id: "f", value: "" }) });
  await act(async () => { // the edit precedes React's render of the page that has just arrived
    Socket.last.open();
    Socket.last.onmessage({ data: JSON.stringify({ type: "layout-update", path: "", model: field("") }) });
    input().value = "early";
    input().dispatchEvent(new window.Event("input", { bubbles: true }));
  });
  assert.equal(input().value, "early");
  assert.deepEqual(takeEdits(), [["early", 1]]);
});

test("an edit that the lost server had received is sent to the next one", async () => {
  await live();
  await type(input(), "a");
  await Socket.last.shows(field("a", 1));
  await Socket.last.ends();
  await pass(1500);
  await Socket.last.isLive(field(""));
  assert.equal(input().value, "a");
  assert.deepEqual(takeEdits(), [["a", 1]]);
});

test("an edit before hydration survives it and is sent", async () => {
  await open(HTML);
  input().value = "early";
  const { mount } = await import(new URL("../../components/client/src/main.js", import.meta.url));
  document.body.insertAdjacentHTML("beforeend", `<script type="application/json" id="app-model">${JSON.stringify(h("input", { id: "f", value: "" }))}</script>`);
  let mounted;
  await act(async () => { mounted = mount($("#app")); });
  await Socket.last.isLive(field(""));
  assert.equal(input().value, "early");
  assert.deepEqual(takeEdits(), [["early", 1]]);
  assert.deepEqual(consoleErrors.filter((text) => !text.includes("controlled")), []);
  await act(async () => mounted.unmount());
});

test("a choice and a box follow the server, and go with their numbers", async () => {
  const model = (country, checked) => h("div", null,
    on(h("select", { id: "s", value: country }, h("option", { value: "a" }, "A"), h("option", { value: "b" }, "B")), "onChange", "choose"),
    on(h("input", { id: "c", type: "checkbox", checked }), "onChange", "tick"));
  await open("", { model: h("div") });
  await Socket.last.isLive(h("div"));
  await Socket.last.shows(model("b", true));
  assert.equal($("#s").value, "b");
  assert.equal($("#c").checked, true);
  await Socket.last.shows(model("a", false));
  assert.equal($("#s").value, "a");
  assert.equal($("#c").checked, false);
  await act(async () => { $("#s").value = "b"; });
  await fire($("#s"), "change");
  const [{ target, seq, data: [event] }] = Socket.last.take();
  assert.deepEqual([target, seq, event.target.value], ["choose", 1, "b"]);
});

test("a debounced edit is sent once, after the pause, with the last text", async () => {
  await live(field("", undefined, { debounce: 200 }));
  for (const text of ["a", "ab", "abc"]) {
    await type(input(), text);
    await pass(199);
  }
  assert.deepEqual(takeEdits(), []);
  await pass(1);
  assert.deepEqual(takeEdits(), [["abc", 3]]);
});

test("a debounced edit waits for its pause only, with or without an acknowledgement of the last one", async () => {
  await live(field("", undefined, { debounce: 200 }));
  await type(input(), "a");
  await pass(200);
  await type(input(), "ab");
  await pass(200);
  assert.deepEqual(takeEdits(), [["a", 1], ["ab", 2]]);
});

test("a submit first sends the debounced edits", async () => {
  const model = on(h("form", { id: "form" }, field("", undefined, { debounce: 500 })), "onSubmit", "save", { preventDefault: true });
  await open("", { model: h("form") });
  await Socket.last.isLive(model);
  await type(input(), "last word");
  await fire($("#form"), "submit");
  assert.deepEqual(Socket.last.take().map(({ target }) => target), ["edit", "save"]);
  await pass(1000);
  assert.deepEqual(Socket.last.take(), []);
});

test("a throttled handler fires at once and then at most once a period", async () => {
  await open("", { model: h("p") });
  await Socket.last.isLive(on(h("p", { id: "p" }, "x"), "onMouseMove", "move", { throttle: 100 }));
  for (let step = 0; step < 25; step += 1) {
    await fire($("#p"), "mousemove");
    await pass(10);
  }
  assert.equal(Socket.last.take().length, 3);
});
