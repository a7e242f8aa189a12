// Commands: one key until the answer, exactly once, never lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, act, click, consoleErrors, fire, h, Socket, type } from "./browser.js";
import { stopClock } from "./clock.js";
import { dialogs } from "./dialogs.js";
import { answer, takeSent, form, openPage, page, reconnect, stamp, submit } from "./notes.js";

const answerLine = () => $("[data-answer]");
const typed = (text) => type($("[name=text]"), text);

async function sendNote(text = "Bravo") {
  await typed(text);
  await submit();
  const [[, { key }]] = takeSent();
  return key;
}

test("a form sends once, shows the busy label, and is empty after the answer", async () => {
  await openPage([form()]);
  await typed("Bravo");
  $("form button").focus();
  await submit();
  await submit(null);
  const [[target, { argument, fields, key }], ...others] = takeSent();
  assert.deepEqual([target, argument, fields, others], ["note_add", "7", { text: "Bravo" }, []]);
  assert.match(key, /^[0-9a-f]{32}$/);
  const button = $("form button");
  assert.deepEqual([button.disabled, button.getAttribute("aria-busy"), button.textContent], [true, "true", "Saving..."]);
  assert.equal($("[name=text]").value, "Bravo", "not before the answer");
  await answer(key);
  assert.deepEqual([button.disabled, button.getAttribute("aria-busy"), button.textContent], [false, null, "Leave it"]);
  assert.equal($("[name=text]").value, "");
  assert.deepEqual([answerLine().textContent, answerLine().getAttribute("role"), answerLine().parentNode], ["Kept", "status", $("form")]);
  await answer(key, { text: "Kept again" });
  assert.equal(answerLine().textContent, "Kept", "an answer that comes twice is one");
  assert.deepEqual(consoleErrors, []);
});

test("the button that submits is a field, and a form that its answer does not empty keeps its fields", async () => {
  await openPage([form({}, h("button", { name: "quick", value: "other" }, "Other"))]);
  await typed("Bravo");
  await submit($("[name=quick]"));
  const [[, { fields, key }]] = takeSent();
  assert.deepEqual(fields, { text: "Bravo", quick: "other" });
  const kept = [];
  document.addEventListener("command:done", ({ target, detail }) => kept.push([target, detail]));
  await answer(key, { empty: false, data: { lines: [3] } });
  assert.equal($("[name=text]").value, "Bravo");
  assert.deepEqual(kept, [[$("form"), { data: { lines: [3] }, same: true }]], "who draws it is told, and gets the data");
});

test("a refusal leaves what was typed, names the field, and the next try has another key", async () => {
  await openPage([form(null, h("p", { "data-answer": "", class: "small" }))]);
  const key = await sendNote();
  await answer(key, { ok: false, text: "Too plain.", field: "text" });
  const field = $("[name=text]");
  assert.deepEqual([answerLine().textContent, answerLine().getAttribute("role")], ["Too plain.", "alert"]);
  assert.equal(answerLine().className, "small message message--bad");
  assert.deepEqual([field.value, field.getAttribute("aria-invalid"), document.activeElement], ["Bravo", "true", field]);
  assert.equal(document.getElementById(field.getAttribute("aria-describedby")), answerLine());
  assert.equal(document.querySelectorAll("[data-answer]").length, 1, "the page's own place");
  assert.notEqual(await sendNote("Bravo"), key);
  assert.deepEqual([answerLine().textContent, answerLine().className, field.hasAttribute("aria-invalid")], ["", "small", false]);
});

test("an answer takes away what an earlier one has marked", async () => {
  const field = (name) => h("div", { key: name, className: "field" }, h("input", { name }));
  await openPage([form(null, field("place"), field("day"))]);
  await answer(await sendNote(), { ok: false, text: "Place is required.", field: "place", errors: { place: "Place is required." } });
  await answer(await sendNote("Again"), { ok: false, text: "Date is required.", field: "day", errors: { day: "Date is required." } });
  assert.deepEqual([...document.querySelectorAll("[aria-invalid]")].map(({ name }) => name), ["day"]);
});

test("errors stand below their fields, the first in the form has the focus, and each goes when it is corrected", async () => {
  const field = (name) => h("div", { key: name, className: "field" }, h("input", { name }));
  await openPage([form(null, field("place"), field("day"), h("p", { key: "answer", "data-answer": "" }))]);
  const errors = { day: "Date is required.", place: "Place is required." };
  await answer(await sendNote(), { ok: false, text: "Date is required. Place is required.", field: "day", errors });
  const [place, day] = [$("[name=place]"), $("[name=day]")];
  const said = () => [...document.querySelectorAll(".field__error")].map((each) => each.textContent);
  assert.deepEqual([said(), document.activeElement, answerLine().textContent], [["Place is required.", "Date is required."], place, ""]);
  assert.equal(document.getElementById(day.getAttribute("aria-describedby")).textContent, "Date is required.");
  await type(place, "Hall");
  assert.deepEqual([said(), place.hasAttribute("aria-invalid"), day.getAttribute("aria-invalid")], [["Date is required."], false, "true"]);
  await answer(await sendNote("Again"), { ok: false, text: "Date is required.", field: "day", errors: { day: "Date is required." } });
  assert.deepEqual([said(), document.activeElement], [["Date is required."], day], "once");
});

test("of radio buttons the first is named, and any of them corrects it", async () => {
  const radio = (value) => h("input", { key: value, type: "radio", name: "reason", value });
  await openPage([form(null, radio("spam"), radio("other"))]);
  await answer(await sendNote(), { ok: false, text: "Please choose a reason.", field: "reason" });
  const [first, second] = document.querySelectorAll("[type=radio]");
  assert.deepEqual([first.getAttribute("aria-invalid"), document.activeElement], ["true", first]);
  await fire(second, "input");
  assert.equal(first.hasAttribute("aria-invalid"), false);
});

test("with an unknown outcome the same command has the same key, another command another key", async () => {
  await openPage([form()]);
  const key = await sendNote();
  await answer(key, { ok: false, again: true, text: "Please try again in a moment." });
  assert.equal($("[name=text]").value, "Bravo");
  assert.equal(await sendNote(), key);
  await answer(key, { ok: false, again: true });
  assert.notEqual(await sendNote("Encore"), key);
});

test("the same is sent to the next socket once that is live", async (context) => {
  const pass = stopClock(context);
  await openPage([form()]);
  const key = await sendNote();
  await Socket.last.ends();
  assert.deepEqual([$("form button").textContent, $("[name=text]").value], ["Saving...", "Bravo"]);
  await pass(1500);
  Socket.last.open();
  assert.deepEqual(takeSent(), [], "nobody renders yet");
  await Socket.last.shows(page(form()));
  const [[target, { key: again, fields }], ...others] = takeSent();
  assert.deepEqual([target, again, fields, others], ["note_add", key, { text: "Bravo" }, []]);
  await answer(key);
  assert.equal($("[name=text]").value, "");
});

test("a command without a connection is sent by the next socket", async (context) => {
  const pass = stopClock(context);
  await openPage([form()]);
  await Socket.last.ends();
  await typed("Bravo");
  await submit();
  assert.equal($("form button").disabled, true);
  await pass(1500);
  await reconnect(form());
  const [[target, { fields }]] = takeSent();
  assert.deepEqual([target, fields], ["note_add", { text: "Bravo" }]);
});

test("silence on a living socket is broken by the same again", async (context) => {
  const pass = stopClock(context);
  await openPage([form()]);
  const key = await sendNote();
  await pass(14900);
  assert.deepEqual(takeSent(), []);
  await pass(200);
  const [[, { key: again }]] = takeSent();
  assert.equal(again, key);
  await answer(key);
  await pass(20000);
  assert.deepEqual(takeSent(), []);
});

test("who types on while it is saved keeps what was typed", async () => {
  await openPage([form()]);
  const key = await sendNote();
  await typed("Bravo, and");
  await answer(key);
  assert.equal($("[name=text]").value, "Bravo, and");
});

test("what no socket would carry is refused at once, and stays typed", async () => {
  await openPage([form()]);
  await typed("é".repeat(30000));
  await submit();
  assert.deepEqual([takeSent(), answerLine().textContent, $("[name=text]").value.length], [[], "Too long.", 30000]);
  await sendNote("Bravo");
  assert.equal(answerLine().textContent, "");
});

test("a button acts from anywhere, one wish at a time, and is answered beside it", async () => {
  const parts = { "board:en": { version: "1", model: h("div", null, stamp({ "data-busy": "Stamping..." }), stamp({ id: "two" })) } };
  await openPage([h("shared-part", { part: "board:en" })], { parts });
  await click("button");
  await click("#two");
  const [[target, { argument, fields, key }], ...others] = takeSent();
  assert.deepEqual([target, argument, fields, others], ["stamp", "7:quick", {}, []]);
  assert.equal($("button").textContent, "Stamping...");
  await Socket.last.says([["board:en", "2", [{ 0: [{}, { "aria-pressed": "true" }] }], "1"]]);
  await answer(key, { text: "Stamped" });
  assert.deepEqual([$("button").textContent, $("button").disabled, $("button").getAttribute("aria-pressed")], ["Stamp", false, "true"]);
  assert.equal($("button + [data-answer]").textContent, "Stamped");
  await click("button");
  assert.equal(takeSent().length, 1);
  assert.equal(answerLine().textContent, "", "the answer before is no longer true");
});

test("a label that the server changed in the meantime is not restored", async () => {
  const button = (label) => ({ ...stamp({ "data-busy": "Stamping..." }), children: [label] });
  await openPage([button("Stamp")]);
  await click("button");
  const [[, { key }]] = takeSent();
  await Socket.last.shows(page(button("Unstamp")));
  await answer(key, { text: "" });
  assert.equal($("button").textContent, "Unstamp");
});

test("the answer to a removed row is shown at the list's place, or at the end of the page", async () => {
  const rows = (...children) => h("section", { "data-answers": "" }, h("p", { "data-answer": "" }), h("ul", null, ...children));
  const row = h("li", { key: "row" }, stamp());
  await openPage([rows(row)]);
  await click("button");
  const [[, { key }]] = takeSent();
  await Socket.last.shows(page(rows()));
  await answer(key, { text: "Deleted" });
  assert.equal(answerLine().textContent, "Deleted");

  await openPage([h("ul", null, row)]);
  await click("button");
  const [[, { key: other }]] = takeSent();
  await Socket.last.shows(page(h("ul")));
  await answer(other, { text: "Deleted" });
  assert.equal($("main > [data-answer]").textContent, "Deleted");
  assert.equal($("[data-connection-status]").textContent, "", "that line is the connection's");
});

test("the answer to a removed button is shown on the page", async () => {
  await openPage([h("ul", null, h("li", { key: "row" }, stamp()))]);
  const heard = [];
  document.addEventListener("command:done", ({ target }) => heard.push(target));
  await click("button");
  const [[, { key }]] = takeSent();
  await Socket.last.shows(page(h("ul")));
  await answer(key, { text: "Taken back" });
  assert.deepEqual(heard, [document.body]);
});

test("the focus comes back to the button that was pressed", async () => {
  await openPage([stamp()]);
  $("button").focus();
  await click("button");
  const [[, { key }]] = takeSent();
  $("button").blur(); // browsers blur a disabled element
  await answer(key);
  assert.equal(document.activeElement, $("button"));
});

test("a double click asks once, even when the answer came in between", async () => {
  await openPage([stamp(), form()]);
  await click("main > button", { detail: 1 });
  const [[, { key }]] = takeSent();
  await answer(key);
  await click("main > button", { detail: 2 });
  assert.deepEqual(takeSent(), []);
  await typed("Bravo");
  await click("form button", { detail: 1 });
  await click("form button", { detail: 2 });
  assert.equal(takeSent().length, 1);
});

test("the second click of a double click presses no button of the page that the first has opened", async () => {
  await openPage([stamp()]);
  await click("button", { detail: 2 }); // the first click was in another document
  await reconnect(h("a", { key: "way" }, "Onward"));
  await click("a", { detail: 1 });
  await reconnect(stamp({ key: "stamp" }));
  await click("button", { detail: 2 });
  assert.deepEqual(takeSent(), []);
});

test("a quick press of another button, or after typing, is no double click", async () => {
  await openPage([stamp({ key: "one", id: "one" }), stamp({ key: "two", id: "two", "data-argument": "8:quick" }), form({ key: "form" })]);
  await click("#one", { detail: 1 });
  await click("#two", { detail: 2 });
  assert.equal(takeSent().length, 2);
  await typed("Bravo");
  await click("form button", { detail: 3 });
  assert.equal(takeSent().length, 1);
});

test("who is not signed in is led to the door", async () => {
  const { leaves } = await openPage([stamp()]);
  await click("button");
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "", leave: "/login?next=%2F" });
  assert.deepEqual(leaves, ["/login?next=%2F"]);
});

const MINUTES = 60000; // milliseconds
const applause = () => h("div", { id: "react-7", "data-wish": "" }, stamp({ "aria-pressed": "false" }));
const member = () => ({ root: 'data-account="5" data-undo="Undo"', kept: { localStorage: { ...localStorage } } });

/** Press as an anonymous visitor; returns the command's key. */
async function wishes() {
  const { leaves } = await openPage([applause()], { root: "" });
  await click("button");
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "", leave: "/login?next=%2Fcommunity" });
  assert.deepEqual(leaves, ["/login?next=%2Fcommunity%23react-7"], "nothing of the wish is in the address");
  return key;
}

test("a wish without a place of its own leads back to its section", async () => {
  const { leaves } = await openPage([h("section", { id: "next" }, h("div", { "data-wish": "" }, stamp()))], { root: "" });
  await click("button");
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "", leave: "/login?next=%2F" });
  assert.deepEqual(leaves, ["/login?next=%2F%23next"]);
});

test("what a visitor pressed is done once after the sign-in, under its key, and may be taken back", async () => {
  const key = await wishes();
  await openPage([applause()], member());
  assert.deepEqual(takeSent(), [["stamp", { argument: "7:quick", fields: { wish: "1" }, key }]]);
  await answer(key, { text: "Your applause was added.", undo: ["stamp", "7:none"] });
  assert.equal($("main > [data-answer]").textContent, "Your applause was added. Undo");
  await click("main > [data-answer] button");
  const [[, { argument, key: another }]] = takeSent();
  assert.equal(argument, "7:none");
  await answer(another, { text: "" });
  assert.equal($("main > [data-answer]").textContent, "");
  await openPage([applause()], member());
  assert.deepEqual(takeSent(), [], "it is one action");
});

test("a wish is forgotten after fifteen minutes, and only the last one is kept", async (context) => {
  const pass = stopClock(context);
  await wishes();
  await pass(15 * MINUTES + 1);
  await openPage([applause()], member());
  assert.deepEqual(takeSent(), []);
  await wishes();
  document.dispatchEvent(new window.CustomEvent("command:wish", { detail: { name: "reaction_add", argument: "3:heart" } }));
  await pass(15 * MINUTES - 1000);
  await openPage([applause()], member());
  assert.deepEqual(takeSent().map(([name, { argument }]) => [name, argument]), [["reaction_add", "3:heart"]]);
});

test("a command of a member with an ended session does not become a wish", async () => {
  await openPage([applause()]);
  await click("button");
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "", leave: "/login?next=%2F" });
  await openPage([applause()], member());
  assert.deepEqual(takeSent(), []);
});

test("an irreversible command is confirmed by name, and only yes means yes", async () => {
  const asking = { "data-confirm": "Delete “Bravo”?", "data-confirm-words": "It cannot be brought back.", "data-confirm-yes": "Delete" };
  await openPage([stamp(asking)]);
  dialogs();
  await click("button");
  const dialog = $("dialog");
  assert.deepEqual([...dialog.querySelectorAll("h2, p, button")].map((place) => place.textContent),
    ["Delete “Bravo”?", "It cannot be brought back.", "Cancel", "Delete"]);
  assert.equal(document.getElementById(dialog.getAttribute("aria-labelledby")).tagName, "H2");
  await act(async () => dialog.close());
  assert.deepEqual(takeSent(), [], "Escape");
  assert.equal(document.activeElement, $("[data-command]"));
  await click("[data-command]");
  await act(async () => dialog.close(""));
  assert.deepEqual(takeSent(), [], "Cancel");
  await click("[data-command]");
  await act(async () => dialog.close("yes"));
  assert.equal(takeSent().length, 1);
  await click("[data-command]");
  assert.equal(document.querySelectorAll("dialog").length, 1);
});

test("the confirmed command is sent, even if the button has got another command", async () => {
  await openPage([stamp({ "data-confirm": "Close?", "data-confirm-yes": "Close", "data-argument": "7" })]);
  dialogs();
  await click("button");
  const { command } = $("[data-command]").dataset;
  Object.assign($("[data-command]").dataset, { command: "open", argument: "8", confirm: "Open?" });
  await act(async () => $("dialog").close("yes"));
  assert.deepEqual(takeSent().map(([name, { argument }]) => [name, argument]), [[command, "7"]]);
});

test("clicks with a modifier key and other forms are left to the browser", async () => {
  await openPage([stamp(), h("form", { method: "get", action: "/elsewhere" }, h("button", null, "Go"))]);
  await click("[data-command]", { ctrlKey: true });
  const event = new window.Event("submit", { bubbles: true, cancelable: true });
  await act(async () => $("form").dispatchEvent(event));
  assert.equal(event.defaultPrevented, false);
  assert.deepEqual(takeSent(), []);
});
