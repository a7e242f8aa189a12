// What leaves the browser: never what somebody types into a password field.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, Socket, fire, h, load, on, open, type } from "./browser.js";

const { formFields, serialise } = await load("page/events");
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

test("an ordinary field tells its value and keys", async () => {
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
  assert.deepEqual(formFields($("form")), { a: ["1", "2"], b: "3" });
});

test("only plain data passes", () => {
  assert.deepEqual([null, undefined, 5, "x", { a: 1 }, () => 1, new Map()].map(serialise), [null, null, 5, "x", { a: 1 }, null, null]);
});

test("halves of characters, which the server takes from nobody, leave as the sign for what cannot be shown", async () => {
  await open("", { model: h("p") });
  await Socket.last.isLive(on(h("input", { id: "n" }), "onInput", "edit"));
  await type($("#n"), "half \ud83c, whole \ud83c\udfb9, typed \\ud83c");
  const [{ data: [{ target }] }] = Socket.last.take();
  assert.equal(target.value, "half \ufffd, whole \ud83c\udfb9, typed \\ud83c");
});
