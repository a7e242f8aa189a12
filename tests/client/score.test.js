// Marks on a keyboard: pointers and typed digits; when the form can be submitted.

import assert from "node:assert/strict";
import { createRequire, registerHooks } from "node:module";
import { $, act, changePage, createElement, createRoot, fire, open, testWith } from "./browser.js";

const react = new URL(`file://${createRequire(new URL("../../components/client/package.json", import.meta.url)).resolve("react")}`).href;
registerHooks({
  resolve(name, context, next) { // as the page's import map does
    if (name === "react") return { url: react, format: "commonjs", shortCircuit: true };
    return /modules\/\w+\.js$/.test(name) ? { ...next(name, context), format: "module" } : next(name, context);
  },
});
const { Scores } = await import("../../components/static/modules/score.js");

const WORDS = { of: "{n} of 25", none: "no mark yet", rate: "rate" };
const score = (n) => `<div class="score" data-value="0"><div class="score__board"><span class="keys">${"<i></i>".repeat(25)}</span>
  <input type="range" id="mark-${n}" name="piece-${n}" min="0" max="25" value="0" aria-valuetext="no mark yet"><span class="score__flag">–</span></div>
  <button type="button" class="less" data-step="-1">−</button><output>–</output><button type="button" class="more" data-step="1">+</button><button type="submit" form="do" class="ask">Show</button></div>`;
const FORM = `<form class="rating">${score(3)}${score(4)}
  <span class="marks__same" data-words="the audience, of the same {n}: {mean}"></span><span class="marks__figure" hidden></span><output class="marks__average">–</output><p class="marks__far" data-words="{n} of 2 marked" hidden></p>
  <input type="radio" name="score" id="whole-4" value="4"><input type="radio" name="score" value="5">
  <div class="choice"><label><input type="radio" name="quick_rating" value="outstanding">Outstanding</label>
  <label><input type="radio" name="quick_rating" value="other">Other</label></div><textarea id="comment" name="comment"></textarea><button type="submit" disabled data-first="Submit ratings" data-changed="Send changes">Submit ratings</button>
  <p class="marks__changed" hidden>Changed, not sent</p>
  <p class="marks__needs" tabindex="-1" data-missing="Still missing:" data-piece="a piece" data-whole="the whole performance" data-comment="a comment" data-unchanged="It is submitted.">It needs more.</p></form>`;
let root;
const show = () => act(async () => root.render(createElement(Scores, WORDS)));

const range = (n = 3) => $(`[name=piece-${n}]`);
const board = () => range().closest(".score__board");
const pressedKey = () => [...range().closest(".score").querySelectorAll("i")].findIndex((key) => key.classList.contains("on")) + 1;
const at = (x, y = 0, more) => ({ clientX: x, clientY: y, pointerId: 1, pointerType: "touch", button: 0, ...more });
const hand = (type, init) => fire(board(), type, init);
const key = (name, timeStamp = 0, more) => act(async () => {
  const event = new window.KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  range().dispatchEvent(event);
});
const write = (element, value) => act(async () => {
  element.value = value;
  element.dispatchEvent(new window.Event("input", { bubbles: true }));
});
const submit = () => $("[type=submit]:not(.ask)");

const test = testWith(async (context) => {
  await open(`<main id="main">${FORM}</main><div id="beside"></div><form id="do"></form>`);
  range().getBoundingClientRect = () => ({ left: 100, width: 260 }); // ten pixels a mark
  root = createRoot($("#beside"));
  context.after(() => act(async () => root.unmount()));
  await show();
});

test("a tap strikes the key under the finger", async () => {
  await hand("pointerdown", at(335));
  assert.equal(range().value, "0", "not before the finger is lifted");
  await hand("pointerup", at(335));
  assert.equal(range().value, "23");
  assert.equal(pressedKey(), 23);
  assert.equal(range().getAttribute("aria-valuetext"), "23 of 25");
  assert.equal($(".score output").textContent, "23");
});

test("a slide follows the finger and is announced at its end", async () => {
  const heard = [];
  document.addEventListener("change", ({ target }) => heard.push(target.value));
  await hand("pointerdown", at(155));
  await hand("pointermove", at(158));
  assert.equal(range().value, "0", "a finger trembles");
  await hand("pointermove", at(175));
  assert.equal(range().value, "7");
  assert.ok(range().closest(".score").classList.contains("is-active"));
  await hand("pointermove", at(999, 300));
  assert.equal(range().value, "25");
  await hand("pointerup", at(999));
  assert.deepEqual(heard, ["25"]);
  assert.ok(!range().closest(".score").classList.contains("is-active"));
});

test("a scroll over the keys has no effect", async () => {
  await hand("pointerdown", at(200));
  await hand("pointermove", at(204, 30));
  await hand("pointermove", at(260, 60));
  await hand("pointerup", at(260, 60));
  assert.equal(range().value, "0");
});

test("a slide that the browser takes for a scroll is undone", async () => {
  await write(range(), 9);
  await hand("pointerdown", at(200));
  await hand("pointermove", at(230, 8));
  assert.equal(range().value, "13");
  await hand("pointercancel", at(230, 8));
  assert.equal(range().value, "9");
  assert.equal(pressedKey(), 9);
});

test("a second finger and other buttons are ignored", async () => {
  await hand("pointerdown", at(200, 0, { pointerType: "mouse", button: 2 }));
  await hand("pointerdown", at(200));
  await hand("pointerup", at(300, 0, { pointerId: 2 }));
  assert.equal(range().value, "0");
  await hand("pointerup", at(200));
  assert.equal(range().value, "10");
});

test("the mouse strikes at once and takes the focus", async () => {
  await hand("pointerdown", at(145, 0, { pointerType: "mouse" }));
  assert.equal(range().value, "4");
  assert.equal(document.activeElement, range());
});

test("two digits within a moment make a number", async () => {
  await key("2", 1000);
  assert.equal(range().value, "2");
  await key("3", 1500);
  assert.equal(range().value, "23");
  await key("1", 5000);
  assert.equal(range().value, "1");
  await key("9", 7000);
  assert.equal(range().value, "9");
  await key("9", 7100); // there is no 99
  assert.equal(range().value, "25");
  await key("2", 8000);
  await key("6", 8100); // nor a 26, and 6 is not intended
  assert.equal(range().value, "25");
  await key("1", 8200); // another number begins
  assert.equal(range().value, "1");
  await key("3", 10000);
  await key("0", 10100);
  assert.equal(range().value, "25");
  await key("0", 12000);
  assert.equal(range().value, "0");
});

test("digits for two pieces are two numbers", async () => {
  await key("2", 1000);
  await act(async () => {
    const event = new window.KeyboardEvent("keydown", { key: "3", bubbles: true });
    Object.defineProperty(event, "timeStamp", { value: 1100 });
    range(4).dispatchEvent(event);
  });
  assert.deepEqual([range(3).value, range(4).value], ["2", "3"]);
});

test("a missing pointerup does not block the keys", async () => {
  await hand("pointerdown", at(155));
  await hand("pointermove", at(175));
  await hand("pointerdown", at(205, 0, { pointerId: 5 }));
  await hand("pointerup", at(205, 0, { pointerId: 5 }));
  assert.equal(range().value, "7", "a second finger");
  await hand("pointerdown", at(205, 0, { pointerId: 6, isPrimary: true }));
  await hand("pointerup", at(205, 0, { pointerId: 6, isPrimary: true }));
  assert.equal(range().value, "10");
  assert.ok(!range().closest(".score").classList.contains("is-active"));
});

test("Backspace is the rest; what is meant for the browser stays the browser's", async () => {
  await key("7");
  await key("1", 5000, { ctrlKey: true });
  assert.equal(range().value, "7");
  await key("Backspace");
  assert.equal(range().value, "0");
  assert.equal($(".score output").textContent, "–");
  assert.equal(range().getAttribute("aria-valuetext"), "no mark yet");
});

test("the buttons go by one, stay within 0 and 25, and are heard", async () => {
  await fire($(".less"), "click");
  assert.equal(range().value, "0");
  await fire($(".more"), "click");
  assert.equal(range().value, "1");
  assert.equal($(".score output").getAttribute("aria-live"), "polite");
  await write(range(), 25);
  await fire($(".more"), "click");
  assert.equal(range().value, "25");
});

test("the form can be submitted with a piece, the performance and a comment with text", async () => {
  const wish = [
    () => write(range(), 23),
    () => act(async () => { $("[name=score]").checked = true; $("[name=score]").dispatchEvent(new window.Event("change", { bubbles: true })); }),
    () => write($("textarea"), "   "),
  ];
  for (const step of wish) {
    await step();
    assert.ok(submit().disabled);
  }
  await write($("textarea"), "The silences.");
  assert.ok(!submit().disabled);
  await write(range(), 0);
  assert.ok(submit().disabled);
});

test("stored values are not submitted again, and the sentence beside the button shows why", async () => {
  const needs = () => $(".marks__needs").textContent;
  assert.equal(needs(), "Still missing: a piece, the whole performance, a comment");
  await write(range(), 23);
  await act(async () => { $("[name=score]").checked = true; });
  await write($("textarea"), "The silences.");
  assert.ok(!submit().disabled);
  submit().focus();
  await changePage(() => { // the submitted values return as stored values
    $("[name=score]").defaultChecked = true;
    $("textarea").defaultValue = "The silences.";
    range().defaultValue = "23";
  });
  assert.ok(submit().disabled);
  assert.equal(needs(), "It is submitted.");
  assert.equal(document.activeElement, $(".marks__needs"), "the focus does not fall off the button");
  await write(range(4), 12);
  assert.ok(!submit().disabled, "another piece");
  await write(range(4), 0);
  assert.ok(submit().disabled);
  await write($("textarea"), "The silences. And the end.");
  assert.ok(!submit().disabled);
  await write($("textarea"), "The silences.");
  await write(range(), 0);
  assert.equal(needs(), "Still missing: a piece");
});

test("each missing thing is a link that focuses its control", async () => {
  const links = () => [...document.querySelectorAll(".marks__needs a")].map((link) => [link.textContent, link.getAttribute("href")]);
  assert.deepEqual(links(), [["a piece", "#mark-3"], ["the whole performance", "#whole-4"], ["a comment", "#comment"]]);
  for (const id of ["mark-3", "whole-4", "comment"]) {
    const event = new window.MouseEvent("click", { bubbles: true, cancelable: true });
    await act(async () => $(`[href="#${id}"]`).dispatchEvent(event));
    assert.equal(document.activeElement.id, id);
    assert.ok(event.defaultPrevented, "the history stays");
  }
  const [, , comment] = document.querySelectorAll(".marks__needs a");
  await write(range(4), 7);
  assert.deepEqual(links().map(([words]) => words), ["the whole performance", "a comment"]);
  await write($("textarea"), "The silences.");
  assert.equal($(".marks__needs").textContent, "Still missing: the whole performance");
  assert.ok(!comment.isConnected);
});

const own = (state) => changePage(() => { $("form").dataset.own = state; });
async function complete() {
  await write(range(), 23);
  await act(async () => { $("[name=score]").checked = true; });
  await write($("textarea"), "The silences.");
}
const stored = () => changePage(() => {
  $("[name=score]").defaultChecked = true;
  $("textarea").defaultValue = $("textarea").value;
  for (const mark of [range(3), range(4)]) mark.defaultValue = mark.value;
});
const button = () => [submit().textContent, submit().disabled, !$(".marks__changed").hidden];

test("kept marks are submitted although the form has no edit", async () => {
  await complete();
  await stored();
  await own("first");
  assert.deepEqual(button(), ["Submit ratings", true, false]);
  await own("marked");
  assert.deepEqual(button(), ["Submit ratings", false, false]);
  await write($("textarea"), "");
  assert.deepEqual(button(), ["Submit ratings", true, false]);
});

test("a change after the submission is sent by a button with another label", async () => {
  await complete();
  await stored();
  await own("submitted");
  assert.deepEqual(button(), ["Submit ratings", true, false]);
  await write(range(4), 7);
  assert.deepEqual(button(), ["Send changes", false, true], "before the server has kept it");
  await stored();
  await own("changed");
  assert.deepEqual(button(), ["Send changes", false, true]);
  await write($("textarea"), " ");
  assert.deepEqual(button(), ["Send changes", true, true]);
  assert.equal($(".marks__needs").textContent, "Still missing: a comment");
  await write($("textarea"), "The silences.");
  await own("submitted");
  await stored();
  assert.deepEqual(button(), ["Submit ratings", true, false]);
  assert.equal($(".marks__needs").textContent, "It is submitted.");
});

test("a button that is busy is left alone, and looked at when it is free", async () => {
  submit().setAttribute("aria-busy", "true");
  submit().disabled = true;
  await write(range(), 23);
  await changePage(() => { submit().disabled = false; submit().removeAttribute("aria-busy"); });
  assert.ok(submit().disabled, "nothing is there to submit");
});

test("the audience's mean of the same pieces is shown beside the own one, once all are known", async () => {
  const same = () => $(".marks__same").textContent;
  range(3).closest(".score").querySelector(".keys").dataset.mean = "18.4";
  await write(range(3), 20);
  assert.equal(same(), "", "of one piece it stands at the piece");
  await write(range(4), 25);
  assert.equal(same(), "", "nobody has marked the other");
  range(4).closest(".score").querySelector(".keys").dataset.mean = "17.1";
  await changePage(() => {});
  assert.deepEqual([same(), $(".marks__figure").hidden], ["", false], "of all pieces it is the performance's figure");
  await changePage(() => $("form.rating").insertAdjacentHTML("afterbegin", score(5)));
  assert.deepEqual([same(), $(".marks__figure").hidden], ["the audience, of the same 2: 17.8", true]);
  await write(range(4), 0);
  assert.equal(same(), "", "blind until the viewer has rated");
});

test("the audience's keys over the plain ones show the own mark too", async () => {
  board().insertAdjacentHTML("beforeend", `<span class="keys score__heard">${"<i></i>".repeat(25)}</span>`);
  await write(range(), 23);
  const struck = [...board().querySelectorAll("i")].map((key, index) => (key.classList.contains("on") ? index : -1)).filter((index) => index >= 0);
  assert.deepEqual(struck, [22, 47]);
});

test("a button of another command in the form stays as it is", async () => {
  await write(range(), 23);
  assert.deepEqual([$(".ask").textContent, $(".ask").disabled], ["Show", false]);
});

test("the average and how far one is", async () => {
  assert.ok($(".marks__far").hidden);
  await write(range(3), 20);
  assert.equal($(".marks__far").textContent, "1 of 2 marked");
  assert.ok(!$(".marks__far").hidden);
  await write(range(4), 25);
  assert.equal($(".marks__average").textContent, "22.5");
  assert.ok($(".marks__far").hidden);
});

test("a form that is reset is drawn again", async () => {
  await write(range(), 23);
  await act(async () => $("form").reset());
  assert.equal(pressedKey(), 0);
  assert.equal($(".score output").textContent, "–");
});

test("the quick rating that is chosen is taken back by the same press, and by Delete; another is chosen", async () => {
  const [first, other] = document.querySelectorAll("[name=quick_rating]");
  const heard = [];
  $("form").addEventListener("input", ({ target }) => heard.push([target.value, target.checked]));
  const press = async (radio) => {
    await fire(radio.parentNode, "pointerdown", at(0));
    await act(async () => radio.parentNode.click());
  };
  await press(first);
  assert.deepEqual([first.checked, other.checked], [true, false]);
  await press(other);
  assert.deepEqual([first.checked, other.checked], [false, true]);
  heard.length = 0;
  await press(other);
  assert.deepEqual([first.checked, other.checked], [false, false]);
  assert.deepEqual(heard[0], ["other", false], "a draft is kept without it");
  await press(first);
  await act(async () => first.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Delete", bubbles: true })));
  assert.equal(first.checked, false);
});

test("a mark that was taken off is the one that was given before again once the form is kept: it was not sent", async () => {
  await changePage(() => { range().defaultValue = range().value = "18"; });
  assert.equal(pressedKey(), 18);
  await write(range(), 0);
  await write(range(4), 7);
  await fire($("form"), "command:done", { detail: { same: true } });
  assert.deepEqual([range().value, pressedKey(), range(4).value], ["18", 18, "7"]);
  assert.equal($(".marks__average").textContent, "12.5");
});

test("a form that comes later is drawn as well", async () => {
  await changePage(() => { $("#main").innerHTML = FORM.replace('max="25" value="0"', 'max="25" value="18"'); });
  assert.equal(pressedKey(), 18);
});

test("the listeners are removed", async () => {
  await act(async () => root.render(null));
  await key("7");
  assert.equal(range().value, "0");
});

const item = (n, isLast) => `<li id="item-${n}"><button type="button" class="items__name" aria-expanded="false">Work ${n}</button>
  <span class="items__own"><span data-slot="own_mark:1-${n}">rate</span></span>${score(n)}<div class="items__ways">${isLast ? "" : `<button type="button" class="items__next">Next</button>`}</div></li>`;
const items = (count) => { document.querySelector("#main").innerHTML = `<form class="rating"><ol class="items">${Array.from({ length: count }, (_, n) => item(n + 1, n + 1 === count)).join("")}</ol>
  <input type="radio" name="score" id="whole-4" value="4"><textarea name="comment"></textarea><button type="submit" data-first="Submit">Submit</button>
  <p class="marks__changed" hidden></p><p class="marks__needs" tabindex="-1" data-missing="Still missing:" data-piece="a piece" data-whole="x" data-comment="y" data-unchanged="z"></p></form>`; };
const opened = () => [...document.querySelectorAll(".items > li")].filter((each) => each.classList.contains("is-open")
  && each.querySelector(".items__name").getAttribute("aria-expanded") === "true").map(({ id }) => id);
const press = (selector) => act(async () => $(selector).click());

for (const count of [1, 12, 40]) {
  test(`of ${count} items at most one is open, and the line shows its mark`, async () => {
    await changePage(() => items(count));
    assert.deepEqual(opened(), []);
    await press("#item-1 .items__name");
    assert.deepEqual(opened(), ["item-1"]);
    range(1).value = "17";
    await act(async () => range(1).dispatchEvent(new window.Event("input", { bubbles: true })));
    const own = $("#item-1 .items__own > [data-slot]");
    assert.deepEqual([own.textContent, own.dataset.own], ["17", "17"]);
    for (let n = 2; n <= count; n += 1) {
      await press(`#item-${n - 1} .items__next`);
      assert.deepEqual(opened(), [`item-${n}`]);
      assert.equal(document.activeElement, range(n));
    }
    await changePage(() => {}); // a live change: what is open stays open
    assert.deepEqual(opened(), [`item-${count}`]);
    await press(`#item-${count} .items__name`);
    assert.deepEqual(opened(), []);
    range(1).value = "0";
    await act(async () => range(1).dispatchEvent(new window.Event("input", { bubbles: true })));
    assert.deepEqual([own.textContent, own.dataset.own], ["rate", undefined]);
    await press(".marks__needs a");
    assert.deepEqual([opened(), document.activeElement], [["item-1"], range(1)]);
  });
}

test("the next item's button comes to the place of the pressed one", async () => {
  await changePage(() => items(3));
  const page = document.documentElement;
  const heights = { open: 300, closed: 44 };
  for (const each of document.querySelectorAll(".items > li")) { // the way on is at the end of the open item
    const top = () => [...each.parentElement.children].slice(0, [...each.parentElement.children].indexOf(each)).reduce((sum, { className }) => sum + heights[className === "is-open" ? "open" : "closed"], 0) - page.scrollTop;
    for (const way of each.querySelectorAll(".items__next, .items__ways")) way.getBoundingClientRect = () => ({ top: top() + 260 });
    each.querySelector(".items__name").getBoundingClientRect = () => ({ top: top() });
  }
  page.scrollTop = 500;
  await press("#item-1 .items__name");
  await press("#item-1 .items__next");
  assert.equal(page.scrollTop, 544);
  await press("#item-2 .items__next");
  assert.equal(page.scrollTop, 588);
  await press("#item-1 .items__name"); // above the open item: nothing moves
  assert.equal(page.scrollTop, 588);
});
