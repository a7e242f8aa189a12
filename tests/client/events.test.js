// Events as data: they never contain a password.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { $, Socket, fire, h, load, on, open, type } from "./browser.js";

const { serialise } = await load("events");
const { formFields } = await load("fields");
const SECRET = "correct horse";
const everything = ["onInput", "onChange", "onKeyDown", "onKeyUp", "onFocus", "onBlur", "onClick"];
const heard = (node) => everything.reduce((with_, name) => on(with_, name, name), node);

for (const attributes of [{ type: "password" }, { type: "text", autoComplete: "current-password" }, { type: "text", autoComplete: "new-password" }]) {
  test(`no frame holds the secret or its keys: ${JSON.stringify(attributes)}`, async () => {
    const secret = heard(h("input", { id: "s", name: "secret", ...attributes }));
    const form = on(heard(h("form", { id: "form" }, secret, heard(h("input", { id: "n", name: "name", defaultValue: "Ewa" })))), "onSubmit", "save", { preventDefault: true });
    await open("", { model: h("form") });
    await Socket.last.isLive(form);
    await type($("#s"), SECRET);
    for (const kind of ["keydown", "keyup"]) {
      const event = new window.KeyboardEvent(kind, { key: "Q", code: "KeyQ", bubbles: true });
      $("#s").dispatchEvent(event);
    }
    await fire($("#s"), "input", { data: "Q", inputType: "insertText" });
    await fire($("#form"), "submit");
    const frames = Socket.last.take();
    const text = JSON.stringify(frames);
    assert.ok(frames.length > 5);
    assert.ok(!text.includes(SECRET), text);
    assert.ok(!/"(key|code|data)":"/.test(text), text);
    assert.deepEqual(frames.at(-1).data[0].form, { name: "Ewa" });
  });
}

test("an ordinary field sends its value and keys", async () => {
  await open("", { model: h("p") });
  await Socket.last.isLive(heard(h("input", { id: "n", name: "name" })));
  await type($("#n"), "Ewa");
  $("#n").dispatchEvent(new window.KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  const frames = Socket.last.take();
  assert.equal(frames[0].data[0].target.value, "Ewa");
  assert.equal(frames.at(-1).data[0].key, "Enter");
});

test("form fields: a list where a name repeats", async () => {
  await open('<form><input name="a" value="1"><input name="a" value="2"><input name="b" value="3"></form>');
  assert.deepEqual({ ...formFields($("form")) }, { a: ["1", "2"], b: "3" });
});

test("only plain data passes", () => {
  assert.deepEqual([null, undefined, 5, "x", { a: 1 }, () => 1, new Map()].map(serialise), [null, null, 5, "x", { a: 1 }, null, null]);
});

test("lone surrogates, which the server refuses, become replacement characters", async () => {
  await open("", { model: h("p") });
  await Socket.last.isLive(on(h("input", { id: "n" }), "onInput", "edit"));
  await type($("#n"), "half \ud83c, whole \ud83c\udfb9, typed \\ud83c");
  const [{ data: [{ target }] }] = Socket.last.take();
  assert.equal(target.value, "half \ufffd, whole \ud83c\udfb9, typed \\ud83c");
});

const ODD = ["constructor", "toString", "__proto__", "hasOwnProperty"];

test("fields of any name arrive, in an event and in a command", async () => {
  await open("", { model: h("p") });
  const inputs = ODD.flatMap((name) => [h("input", { key: `${name}1`, name, defaultValue: "1" }), h("input", { key: `${name}2`, name, defaultValue: "2" })]);
  await Socket.last.isLive(h("div", null,
    on(h("form", { id: "event" }, ...inputs), "onSubmit", "save", { preventDefault: true }),
    h("form", { id: "command", "data-command": "note_add" }, ...inputs)));
  await fire($("#event"), "submit");
  await fire($("#command"), "submit");
  const [event, command] = Socket.last.take();
  for (const found of [event.data[0].form, command.fields]) {
    assert.deepEqual(Object.keys(found), ODD);
    for (const name of ODD) assert.deepEqual(Object.getOwnPropertyDescriptor(found, name).value, ["1", "2"]);
  }
  const { key } = command;
  await Socket.last.says({ type: "answer", key, ok: false, text: "Too short.", field: "constructor", errors: { constructor: "", __proto__: "" } });
  assert.equal(document.activeElement, $("#command [name=constructor]"));
});

// The names in React's events, from the sources of the client's React.
const dom = readFileSync(createRequire(new URL("../../components/client/package.json", import.meta.url)).resolve("react-dom").replace("index.js", "cjs/react-dom-client.production.js"), "utf8");
const OBJECTS = new Set(["view", "relatedTarget", "getModifierState", "dataTransfer", "clipboardData", "touches", "targetTouches", "changedTouches"]);

/** Return the names of an interface, with the inherited ones. */
function namesOf(kind) {
  const begin = dom.search(new RegExp(`\\b${kind} = (assign|\\{)`));
  assert.ok(begin >= 0, kind);
  const body = dom.slice(begin, dom.indexOf(/\b\w+ = \{/.test(dom.slice(begin, begin + 40)) ? "\n  }" : "})", begin) + 1);
  const [, parent] = body.match(/assign\(\{\}, (\w+)/) || [];
  const own = [...body.matchAll(/^ {4}(\w+):|[{,] (\w+): 0/gm)].map(([, one, two]) => one || two);
  return [...new Set([...(parent ? namesOf(parent) : []), ...own])].filter((name) => !OBJECTS.has(name));
}

const KINDS = {
  MouseEventInterface: ["onClick", "click"], PointerEventInterface: ["onPointerDown", "pointerdown"], WheelEventInterface: ["onWheel", "wheel"],
  KeyboardEventInterface: ["onKeyDown", "keydown"], DragEventInterface: ["onDrop", "drop"], ClipboardEventInterface: ["onPaste", "paste"],
  CompositionEventInterface: ["onCompositionEnd", "compositionend"], AnimationEventInterface: ["onAnimationEnd", "webkitAnimationEnd"],
  TransitionEventInterface: ["onTransitionEnd", "transitionend"], TouchEventInterface: ["onTouchStart", "touchstart"],
  ToggleEventInterface: ["onToggle", "toggle"], FocusEventInterface: ["onFocus", "focusin"], UIEventInterface: ["onScroll", "scroll"],
};
const TEXTS = /^(key|code|data|pointerType|animationName|pseudoElement|propertyName|newState|oldState|locale)$/;
const COMPUTED = /^(charCode|which|bubbles|cancelable|eventPhase|isTrusted|defaultPrevented|timeStamp)$/;

test("the table of React's events is whole", () => {
  const kinds = new Set([...dom.matchAll(/(\w+EventInterface) = /g)].map(([, kind]) => kind));
  assert.deepEqual(kinds, new Set(["EventInterface", ...Object.keys(KINDS)].filter((kind) => kinds.has(kind))));
  assert.ok(kinds.size > 10);
});

for (const [kind, [handler, type_]] of Object.entries(KINDS)) {
  test(`all scalars of ${kind} arrive`, async () => {
    await open("", { model: h("p") });
    await Socket.last.isLive(on(h("details", { id: "n", tabIndex: 0 }), handler, "it"));
    const sent = Object.fromEntries(namesOf(kind).filter((name) => !COMPUTED.test(name)).map((name, number) => [name, TEXTS.test(name) ? `t${number}` : number + 0.5]));
    const data = { types: ["text/plain"], files: [], getData: () => "x".repeat(20000), dropEffect: "copy" };
    const event = new window.Event(type_, { bubbles: true });
    for (const [name, value] of Object.entries({ ...sent, clipboardData: data, dataTransfer: data })) Object.defineProperty(event, name, { value });
    $("#n").dispatchEvent(event);
    const [{ data: [heard_] }] = Socket.last.take();
    for (const name in sent) assert.deepEqual([name, heard_[name]], [name, sent[name]]);
    for (const name of namesOf(kind)) assert.ok(name in heard_, name);
    assert.ok(namesOf(kind).length > 5);
    const carried = heard_[{ DragEventInterface: "dataTransfer", ClipboardEventInterface: "clipboardData" }[kind]];
    assert.deepEqual(carried && [carried.text.length, carried.types], /Drag|Clip/.test(kind) ? [10000, ["text/plain"]] : undefined);
  });
}

test("what is pasted into a password's field stays there", async () => {
  await open("", { model: h("p") });
  await Socket.last.isLive(on(h("input", { id: "n", type: "password" }), "onPaste", "it"));
  const event = new window.Event("paste", { bubbles: true });
  Object.defineProperty(event, "clipboardData", { value: { types: [], files: [], getData: () => SECRET } });
  $("#n").dispatchEvent(event);
  assert.ok(!JSON.stringify(Socket.last.take()).includes(SECRET));
});

test("a DOM event sends its scalars and none of its constants", () => {
  const found = serialise(new window.MouseEvent("click", { clientX: 7, detail: 2 }));
  assert.deepEqual([found.clientX, found.detail, found.type], [7, 2, "click"]);
  assert.ok(!Object.keys(found).some((name) => /^[A-Z_]/.test(name)));
  assert.deepEqual(serialise(new window.CustomEvent("x", { detail: { a: 1 } })).detail, { a: 1 });
});

test("what a command's form posts by itself is no field of it; another form may call its fields so", async () => {
  const inputs = ["csrfmiddlewaretoken", "key", "from", "to"].map((name) => `<input name="${name}" value="x">`).join("");
  await open(`<form id="a" data-command="note_add">${inputs}</form><form id="b">${inputs}</form>`);
  assert.deepEqual([Object.keys(formFields($("#a"))), Object.keys(formFields($("#b")))], [["to"], ["key", "from", "to"]]);
});
