// The session page: its tabs, the line to the current performer, the docked player.

import assert from "node:assert/strict";
import { createRequire, registerHooks } from "node:module";
import { $, act, changePage, click, createElement, createRoot, fire, open, testWith } from "./browser.js";

const react = new URL(`file://${createRequire(new URL("../../components/client/package.json", import.meta.url)).resolve("react")}`).href;
registerHooks({
  resolve(name, context, next) { // as the page's import map does
    if (name === "react") return { url: react, format: "commonjs", shortCircuit: true };
    return /modules\/[\w-]+\.js$/.test(name) ? { ...next(name, context), format: "module" } : next(name, context);
  },
});
const { SessionPage } = await import("../../components/static/modules/session-page.js");

const PAGE = `<main id="main"><div class="stand"><div class="stand__stage"><div class="stand__seat"></div><div class="stand__now"></div>
  <button class="undock">×</button></div>
  <div class="stand__pane"><div class="stand__tabs"><div class="tabs"><a id="interval-tab" href="#interval" hidden>Interval</a><a id="programme-tab" href="#programme">Programme</a>
  <a id="comments-tab" href="#comments">Comments</a></div><a class="stand__bring" href="#appearance-1" hidden>Now: Jan</a></div>
  <section id="interval"></section><section id="programme"><div class="order__whole"><span class="order__marker"></span><ol class="order"><li id="appearance-1" class="is-now"><a href="#1">Jan</a></li>
  <li id="appearance-2"><a href="#2">Ewa</a></li></ol></div></section><section id="comments"><p id="comment-7">Bravo</p></section></div></div></main>
  <div id="beside"></div>`;
const tab = (name) => $(`#${name}-tab`);
const isShown = (name) => !$(`#${name}`).hasAttribute("data-off");
let resized;
let root;

const test = testWith(async (context) => {
  await open(PAGE);
  const { matchMedia } = globalThis;
  globalThis.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
  const { scrollIntoView } = window.Element.prototype;
  window.Element.prototype.scrollIntoView = () => {};
  globalThis.ResizeObserver = class {
    constructor(notice) { resized = notice; }
    observe() {}
    disconnect() {}
  };
  root = createRoot($("#beside"));
  context.after(async () => {
    await act(async () => root.unmount());
    globalThis.matchMedia = matchMedia;
    window.Element.prototype.scrollIntoView = scrollIntoView;
    delete globalThis.ResizeObserver;
  });
  await act(async () => root.render(createElement(SessionPage)));
});
const plays = (name, top) => changePage(() => {
  $(".is-now").classList.remove("is-now");
  const row = $(`#${name}`);
  $(".stand__bring").setAttribute("href", `#${name}`);
  row.classList.add("is-now");
  row.getBoundingClientRect = () => ({ top, bottom: top + 40 });
});

test("one marker is behind the current performer: the same element, moved by its transform only", async () => {
  const marker = $(".order__marker");
  const rows = [...document.querySelectorAll(".order > li")];
  const stands = async (row, top, height) => {
    row.getBoundingClientRect = () => ({ top, bottom: top + height, height });
    for (const each of rows) each.classList.toggle("is-now", each === row);
    $(".stand__bring").setAttribute("href", `#${row.id}`);
  };
  $(".order__whole").getBoundingClientRect = () => ({ top: 100 });
  await changePage(() => stands(rows[0], 140, 44));
  assert.deepEqual([marker.style.cssText, marker.dataset.stands], ["transform: translateY(40px) scaleY(44);", ""]);
  await changePage(() => stands(rows[1], 184, 44));
  assert.deepEqual([marker.style.cssText, marker.dataset.stands], ["transform: translateY(84px) scaleY(44);", "moving"]);
  await changePage(() => {});
  assert.equal(marker.dataset.stands, "moving", "another change does not stop it");
  stands(rows[1], 300, 80);
  resized();
  assert.deepEqual([marker.style.cssText, marker.dataset.stands], ["transform: translateY(200px) scaleY(80);", ""], "a row that opens");
  await changePage(() => rows[1].classList.remove("is-now"));
  assert.deepEqual([marker.style.transform, marker.dataset.stands], ["", undefined], "an interval");
  assert.equal($(".order__marker"), marker);
});

test("one panel is shown, and the tabs say which", async () => {
  assert.deepEqual([isShown("programme"), isShown("comments")], [true, false]);
  await click("#comments-tab");
  assert.deepEqual([isShown("programme"), isShown("comments")], [false, true]);
  assert.deepEqual([tab("comments").getAttribute("aria-selected"), tab("programme").tabIndex], ["true", -1]);
});

test("arrow keys walk between the tabs", async () => {
  await fire(tab("programme"), "keydown", { key: "ArrowRight" });
  assert.equal(document.activeElement, tab("comments"));
  assert.equal(isShown("comments"), true);
});

test("the tab of an interval comes without being chosen, and leaves to the programme", async () => {
  await changePage(() => { tab("interval").hidden = false; });
  assert.deepEqual([isShown("interval"), isShown("programme")], [false, true]);
  await fire(tab("programme"), "keydown", { key: "ArrowLeft" });
  assert.deepEqual([isShown("interval"), isShown("programme")], [true, false]);
  await changePage(() => { tab("interval").hidden = true; });
  assert.deepEqual([isShown("interval"), isShown("programme")], [false, true]);
  await fire(tab("programme"), "keydown", { key: "ArrowLeft" });
  assert.equal(isShown("programme"), true);
});

test("a performer out of sight gets a line, a visible one none", async () => {
  await plays("appearance-2", 5000);
  assert.equal($(".stand__bring").hidden, false);
  await click(".stand__bring");
  assert.equal($(".stand__bring").hidden, true);
  assert.equal(document.activeElement, $("#appearance-2 a"));
  await plays("appearance-1", 100);
  assert.equal($(".stand__bring").hidden, true);
});

const keys = (...marks) => marks.map((mark, piece) => `<li><input id="mark-${piece + 1}" type="range" min="0" max="25" value="${mark}"></li>`).join("");
const opens = (...marks) => changePage(() => $("#appearance-2").insertAdjacentHTML("beforeend", `<ol class="marks" id="keys-2">${keys(...marks)}</ol>`));
const way = () => changePage(() => $(".stand__stage").insertAdjacentHTML("beforeend", '<a id="way" href="/sessions/7?open=2#keys-2" data-page-event="keys_open">Rate</a>'));

test("a link to the keys waits for the form and leads to its first key without a mark", async () => {
  await way();
  await click("#comments-tab");
  await click("#way");
  assert.deepEqual([isShown("programme"), document.activeElement], [false, document.body], "nothing to show yet");
  await opens(17, 0, 0);
  assert.deepEqual([isShown("programme"), document.activeElement], [true, $("#mark-2")]);
  tab("programme").focus();
  await changePage(() => {});
  assert.equal(document.activeElement, tab("programme"), "once only");
  await click("#way");
  assert.equal(document.activeElement, $("#mark-2"), "in a row that is open");
});

test("of keys that all have a mark the first is shown, and after another press none", async () => {
  await way();
  await click("#way");
  await click("#comments-tab");
  await opens(17, 18);
  assert.deepEqual([isShown("programme"), document.activeElement === $("#mark-1")], [false, false]);
  await click("#way");
  assert.deepEqual([isShown("programme"), document.activeElement], [true, $("#mark-1")]);
});

test("an address with the keys leads to them, one with a row shows it only", async () => {
  await opens(0, 0);
  for (const [hash, focused] of [["#appearance-2", document.body], ["#keys-2", $("#mark-1")]]) {
    await click("#comments-tab");
    await act(async () => {
      history.replaceState(null, "", hash);
      window.dispatchEvent(new Event("hashchange"));
    });
    assert.deepEqual([isShown("programme"), document.activeElement], [true, focused], hash);
  }
});

test("the player docks once it has left the screen at its top, and can be closed until it is back in view", async () => {
  const stand = $(".stand");
  const scrolled = async (bottom) => {
    $(".stand__seat").getBoundingClientRect = () => ({ bottom });
    await fire(document, "scroll");
    return stand.hasAttribute("data-docked");
  };
  assert.equal(await scrolled(300), false);
  assert.equal(await scrolled(-300), true);
  await changePage(() => { $(".stand__seat").getBoundingClientRect = () => ({ bottom: 900 }); });
  assert.equal(stand.hasAttribute("data-docked"), false, "the page has changed above it");
  assert.equal(await scrolled(-300), true);
  await click(".undock");
  assert.equal(stand.hasAttribute("data-docked"), false);
  assert.equal(await scrolled(-400), false);
  assert.equal(await scrolled(300), false);
  assert.equal(await scrolled(-300), true);
});

test("what is over keeps its room, also when it begins again", async () => {
  const room = $(".stand__now");
  Object.defineProperty(room, "offsetHeight", { get: () => (room.firstChild ? 40 : 300), configurable: true });
  await changePage(() => {});
  await changePage(() => { room.innerHTML = '<p data-over><a href="/sessions/7" data-reload>To the summary</a></p>'; });
  assert.equal(room.style.minBlockSize, "300px");
  await changePage(() => { room.innerHTML = ""; });
  assert.equal(room.style.minBlockSize, "300px");
});

test("the line leads to the summary by a page load once the session has ended, and is hidden where the stage says so", async () => {
  const line = $(".stand__bring");
  await changePage(() => {
    $(".is-now").classList.remove("is-now");
    line.setAttribute("href", "/sessions/7");
  });
  assert.equal(line.hidden, false);
  let isPrevented;
  document.addEventListener("click", (event) => { isPrevented = event.defaultPrevented; event.preventDefault(); }, { once: true });
  await click(".stand__bring");
  assert.equal(isPrevented, false);
  await changePage(() => {
    $(".stand__now").innerHTML = "<p data-over></p>";
    $("[data-over]").getBoundingClientRect = () => ({ top: 300, bottom: 340 });
  });
  assert.equal(line.hidden, true);
});
