// Color scheme and the phone's menu: before React, without a socket.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { JSDOM, testWith } from "./browser.js";

const SCRIPT = readFileSync(new URL("../../components/static/lights.js", import.meta.url), "utf8");
const HTML = `<button class="lights" aria-pressed="false">Lights down</button>
  <button class="menu" aria-expanded="false" aria-controls="nav"><b>Menu</b></button><nav id="nav"></nav>`;
let listeners;
let system;

/** Build the page as a browser does: the script in the head, the body after it. */
function openPage({ remembered, forbidden } = {}) {
  listeners = [];
  const dom = new JSDOM(`<!doctype html><html><head><script>${SCRIPT}</script></head><body>${HTML}</body></html>`, {
    url: "https://hall.example/",
    runScripts: "dangerously",
    beforeParse(window) {
      system = { matches: false, addEventListener: (_, listener) => listeners.push(listener) };
      window.matchMedia = () => system;
      if (remembered) window.localStorage.setItem("lights", remembered);
      if (forbidden) Object.defineProperty(window, "localStorage", { get() { throw new window.Error("forbidden"); } });
    },
  });
  const { document } = dom.window;
  const find = (selector) => document.querySelector(selector);
  return {
    window: dom.window, document, find,
    theme: () => document.documentElement.dataset.theme,
    pressed: () => find(".lights").getAttribute("aria-pressed"),
    expanded: () => find(".menu").getAttribute("aria-expanded"),
  };
}
const untilLoaded = (page) => new Promise((done) => (page.document.readyState === "complete" ? done() : page.window.addEventListener("load", done)));

let page;
const test = testWith(async () => { await untilLoaded((page = openPage())); });

test("without a memory the system decides, and the button follows it", () => {
  assert.equal(page.theme(), undefined);
  assert.equal(page.pressed(), "false");
  system.matches = true;
  listeners.forEach((listener) => listener());
  assert.equal(page.pressed(), "true");
  assert.equal(page.theme(), undefined);
});

test("the button turns the lights down and up, and it is remembered", () => {
  page.find(".lights").click();
  assert.deepEqual([page.theme(), page.pressed(), page.window.localStorage.getItem("lights")], ["dark", "true", "dark"]);
  page.find(".lights").click();
  assert.deepEqual([page.theme(), page.pressed(), page.window.localStorage.getItem("lights")], ["light", "false", "light"]);
});

test("what is remembered is there before the body, and the system no longer counts", async () => {
  page = openPage({ remembered: "dark" });
  assert.equal(page.theme(), "dark");
  await untilLoaded(page);
  assert.equal(page.pressed(), "true");
  listeners.forEach((listener) => listener());
  assert.equal(page.pressed(), "true");
});

test("nonsense in the memory and forbidden storage do no harm", async () => {
  await untilLoaded((page = openPage({ remembered: '"><script>' })));
  assert.equal(page.theme(), undefined);
  await untilLoaded((page = openPage({ forbidden: true })));
  page.find(".lights").click();
  assert.equal(page.theme(), "dark");
});

test("another window's choice is followed", () => {
  page.window.localStorage.setItem("lights", "dark");
  page.window.dispatchEvent(new page.window.StorageEvent("storage", { key: "lights" }));
  assert.deepEqual([page.theme(), page.pressed()], ["dark", "true"]);
});

test("the menu opens and closes; Escape closes it and gives the focus back", () => {
  page.find(".menu b").click();
  assert.equal(page.expanded(), "true");
  page.find("b").click();
  assert.equal(page.expanded(), "false");
  page.find("b").click();
  page.document.dispatchEvent(new page.window.KeyboardEvent("keydown", { key: "Escape" }));
  assert.equal(page.expanded(), "false");
  assert.equal(page.document.activeElement, page.find(".menu"));
});

test("another page closes the menu and sets a new button right", () => {
  page.find(".lights").click();
  page.find("b").click();
  page.find(".lights").setAttribute("aria-pressed", "false");
  page.document.dispatchEvent(new page.window.Event("page:shown"));
  assert.deepEqual([page.pressed(), page.expanded()], ["true", "false"]);
});

test("a picture that never comes is marked until another one does", () => {
  page.document.body.insertAdjacentHTML("beforeend", '<span class="disc">A<img alt=""></span>');
  const happens = (type) => page.find("img").dispatchEvent(new page.window.Event(type));
  happens("error");
  assert.ok(page.find("img").hasAttribute("data-missing"));
  happens("load");
  assert.ok(!page.find("img").hasAttribute("data-missing"));
});

/** A form of components/ui/posted_forms.py; `go` submits it and returns whether the browser would post it. */
function form(attributes, button) {
  page.document.body.insertAdjacentHTML("beforeend", `<div id="app" data-processing="Processing..."><form ${attributes}><button type="submit" ${button}>Save changes</button></form></div>`);
  const sent = page.find("form");
  return {
    button: page.find("form button"),
    go: () => sent.dispatchEvent(new page.window.SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: page.find("form button") })),
  };
}

for (const [button, label] of [['data-busy="Saving..."', "Saving..."], ["", "Processing..."]]) {
  test(`a form that is on its way says ${label} and is not sent twice, until nothing has come for ten seconds`, () => {
    const later = [];
    page.window.setTimeout = (call, delay) => later.push([call, delay]);
    const one = form("data-once", button);
    assert.ok(one.go());
    assert.deepEqual([one.button.textContent, one.button.getAttribute("aria-busy")], [label, "true"]);
    assert.ok(!one.go());
    assert.deepEqual(later.map(([, delay]) => delay), [10000]);
    later[0][0]();
    assert.deepEqual([one.button.textContent, one.button.getAttribute("aria-busy")], ["Save changes", null]);
    assert.ok(one.go());
  });
}

test("forms that bring a file, and those that a script sends, are left alone", () => {
  const one = form("", "");
  assert.ok(one.go() && one.go());
  page.find("form").setAttribute("data-once", "");
  page.find("form").addEventListener("submit", (event) => event.preventDefault());
  assert.ok(!one.go());
  assert.equal(one.button.textContent, "Save changes");
});

test("the script is ES5", () => {
  assert.doesNotMatch(SCRIPT.replace(/\/\/.*$/gm, ""), /=>|\b(let|const|class)\s|`|\?\./);
});

test("the theater is pressed and left, and remembered for every page", () => {
  const { body, documentElement } = page.document;
  body.insertAdjacentHTML("beforeend", '<button class="theater" aria-pressed="false"></button>');
  const theater = page.find(".theater");
  theater.click();
  assert.equal(theater.getAttribute("aria-pressed"), "true");
  assert.ok(documentElement.hasAttribute("data-theater"));
  assert.equal(page.window.localStorage.getItem("theater"), "on");
  assert.equal(page.theme(), undefined, "the lights are another button's");
  const escape = () => page.document.dispatchEvent(new page.window.KeyboardEvent("keydown", { key: "Escape" }));
  page.find(".menu").click();
  escape();
  assert.ok(documentElement.hasAttribute("data-theater"), "Escape closes the menu first");
  escape();
  assert.ok(!documentElement.hasAttribute("data-theater"));
  theater.click();
  theater.click();
  assert.ok(!documentElement.hasAttribute("data-theater"));
  assert.equal(page.window.localStorage.getItem("theater"), "");
  page.window.localStorage.setItem("theater", "on");
  page.window.dispatchEvent(new page.window.StorageEvent("storage", { key: "theater" }));
  assert.equal(theater.getAttribute("aria-pressed"), "true");
});
