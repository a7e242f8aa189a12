// Fault reports: few, once each, without any input.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { JSDOM, Socket, h, open, testWith } from "./browser.js";

const SCRIPT = readFileSync(new URL("../../components/static/faults.js", import.meta.url), "utf8");
let page;

/** Open a page with this script; returns its reports too. */
function openPage({ beacons = true } = {}) {
  const sent = [];
  const { window } = new JSDOM(`<!doctype html><script>${SCRIPT}</script><input type="password" value="typed-secret">`, {
    url: "https://hall.example/reset-password?key=s3cret#more",
    runScripts: "dangerously",
    beforeParse(window) {
      if (beacons) window.navigator.sendBeacon = (place, text) => sent.push({ place, ...JSON.parse(text) });
    },
  });
  const failed = (message, filename = "https://hall.example/static/client.js") => {
    const error = new window.Error(message);
    window.dispatchEvent(new window.ErrorEvent("error", { message, filename, lineno: 7, error }));
  };
  return { window, sent, failed };
}
const test = testWith(() => { page = openPage(); });

test("an error is reported with its page's path, without the query", () => {
  page.failed("No seat here");
  const [{ place, stack, ...told }] = page.sent;
  assert.equal(place, "/error-log");
  assert.deepEqual(told, { kind: "error", message: "No seat here", page: "/reset-password" });
  assert.match(stack, /^Error: No seat here\n/);
  assert.ok(!JSON.stringify(page.sent).includes("s3cret"));
  assert.ok(!JSON.stringify(page.sent).includes("typed-secret"));
});

test("each fault is reported once, and at most five", () => {
  for (const name of "aabbccddeeffgg") page.failed(name);
  assert.deepEqual(page.sent.map(({ message }) => message), [..."abcde"]);
});

test("an unhandled rejection is reported, with any reason", () => {
  for (const reason of [new page.window.Error("late"), "a word", undefined, null]) {
    page.window.dispatchEvent(Object.assign(new page.window.Event("unhandledrejection"), { reason }));
  }
  assert.deepEqual(page.sent.map(({ kind, message }) => [kind, message]), [
    ["rejection", "late"], ["rejection", "a word"], ["rejection", "undefined"], ["rejection", "null"],
  ]);
});

test("a script that cannot be fetched is reported, a picture is not", () => {
  for (const [tag, src] of [["script", "/static/client.js"], ["img", "/avatar.png"]]) {
    const element = page.window.document.createElement(tag);
    page.window.document.body.append(element);
    Object.defineProperty(element, "src", { value: src });
    element.dispatchEvent(new page.window.Event("error"));
  }
  assert.deepEqual(page.sent.map(({ kind, message }) => [kind, message]), [["script", "/static/client.js"]]);
});

test("faults of browser extensions are not reported", () => {
  page.failed("theirs", "chrome-extension://abc/content.js");
  page.failed("Script error.", "");
  assert.deepEqual(page.sent, []);
});

test("errors that React or the client caught are reported", () => {
  const detail = { kind: "hydration", error: new page.window.Error("Not the same text") };
  page.window.document.dispatchEvent(new page.window.CustomEvent("page:fault", { detail }));
  assert.deepEqual([page.sent[0].kind, page.sent[0].message], ["hydration", "Not the same text"]);
});

test("a long story is cut so that the site takes it", () => {
  page.failed("ę".repeat(9000));
  assert.ok(new TextEncoder().encode(JSON.stringify(page.sent[0])).length < 8192);
  assert.equal(page.sent[0].message.length, 500);
});

test("a browser without beacons fails no further", () => {
  page = openPage({ beacons: false });
  page.failed("nobody hears this");
  assert.deepEqual(page.sent, []);
});

test("the script is ES5, so that browsers report that are too old for the client", () => {
  assert.doesNotMatch(SCRIPT.replace(/\/\/.*$/gm, ""), /=>|\b(let|const|class)\s|`|\?\./);
});

test("the client reports caught errors: other HTML, a failed component, a missing module", async () => {
  const caught = [];
  const listen = () => document.addEventListener("page:fault", ({ detail }) => caught.push(detail));
  await open("<p>server</p>", { model: h("p", null, "browser"), before: listen });
  assert.deepEqual(caught.map(({ kind }) => kind), ["hydration"]);
  assert.match(caught[0].error.message, /[Hh]ydrat/);
  await open("<p>a</p>", { model: h("p", null, "a"), before: listen });
  await Socket.last.isLive(h("br", null, "a void element has no children"));
  assert.equal(caught.at(-1).kind, "component");
  const imported = { ...h("Player"), importSource: { source: "https://evil.example/x.js", sourceType: "URL", fallback: "Loading" } };
  await open("<div>Loading</div>", { model: h("div", null, imported), before: listen });
  assert.equal(caught.at(-1).kind, "module");
  assert.match(caught.at(-1).error, /not of our origin/);
});
