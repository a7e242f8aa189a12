// A network that blocks sockets: the page polls and posts, and returns to a stable socket.

import assert from "node:assert/strict";
import { $, Socket, act, click, fire, fixRandom, h, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";

const SENTENCE = "Live updates are not available on this network.";
const ROOT = `data-account="5" data-polling="${SENTENCE}" data-reload="Reload" data-too-long="Too long." data-unsent="Not sent yet."`;
const shared = (key) => h("shared-part", { part: key });
const note = h("form", { "data-command": "note_add", "data-argument": "7" }, h("input", { name: "text" }), h("button", { type: "submit", "data-live-only": "" }, "Keep"));
const model = (text, ...more) => h("", null, h("p", null, text), shared("p:1"), note, ...more);
const part = (version, text) => ([["p:1", version, h("b", null, text)]]);
const layout = (...made) => ({ type: "layout-update", path: "", model: model(...made) });
const line = () => $("[data-connection-status]").textContent;

let pass;
let page;
let asked; // [address, options] of each request
let site; // answers a request: { status, body, etag }, or fails

const polls = () => asked.filter(([path]) => path.includes("parts=1")).map(([path]) => new URL(path, location.href));
const posts = () => asked.filter(([path]) => path.startsWith("/do/"));
const versions = (url) => url.searchParams.get("versions");
const polled = (frames = [], more = {}) => ({ body: { account: 5, page: "v1", frames, ...more }, etag: `"${asked.length}"` });
/** Let fetches and imports resolve. */
const arrive = () => act(async () => { for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate); });
async function wait(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    await pass(500);
    await arrive();
  }
}

const test = testWith(async (context) => {
  pass = stopClock(context);
  fixRandom(context, 0.5);
  asked = [];
  site = (path) => (path.includes("parts=1") ? polled() : { body: { ok: true, text: "Kept", empty: true } });
  context.mock.method(globalThis, "fetch", async (path, options) => {
    asked.push([path, options]);
    const { status = 200, body, etag = "", retry = "" } = site(path, options) || { status: 0 };
    if (!status) throw new TypeError("Failed to fetch");
    const headers = new Map([["ETag", etag], ["Retry-After", retry]]);
    return { status, ok: status < 300, headers, json: async () => JSON.parse(JSON.stringify(body)) };
  });
  page = await open('<p>Hello</p><b>one</b><form data-command="note_add" data-argument="7"><input name="text"><button type="submit" data-live-only="">Keep</button></form>', {
    model: model("Hello"), parts: { "p:1": { version: "a", model: h("b", null, "one") } }, url: "https://hall.example/sessions/4?watch=7", root: ROOT,
  });
  document.body.insertAdjacentHTML("beforeend", '<form id="do"><input name="csrfmiddlewaretoken" value="token"></form>');
});

/** Refuse each further socket. */
async function refused(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    if (Socket.last.readyState === 0) await Socket.last.ends();
    await wait(500);
  }
}
/** Each socket opens and ends a second later. */
async function shortLived(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += 1000) {
    if (Socket.last.readyState === 0) await Socket.last.isLive(model("by socket"));
    await wait(1000);
    if (Socket.last.readyState === 1) await Socket.last.ends();
  }
}
/** Each socket opens and stays silent. */
async function swallowed(milliseconds) {
  for (let passed = 0; passed < milliseconds; passed += 500) {
    if (Socket.last.readyState === 0) Socket.last.open();
    await wait(500);
  }
}

for (const [kind, network, patience] of [["refused", refused, 9000], ["short-lived", shortLived, 30000], ["swallowed", swallowed, 9000]]) {
  test(`where sockets are ${kind} the page says so, polls, and posts what a person does`, async () => {
    site = (path) => (path.includes("parts=1") ? polled([part("b", "two"), layout("by poll")]) : { body: { ok: true, text: "Kept", empty: true } });
    await network(patience);
    assert.equal(line(), `${SENTENCE}Reload`);
    assert.equal($("b").textContent, "two");
    assert.equal($("p").textContent, "by poll");
    assert.equal($("[aria-disabled]"), null, "what must not be done late is done at once");
    await type($("[name=text]"), "Bravo");
    await fire($("form"), "submit", { submitter: $("form button") });
    await arrive();
    const [[path, { method, headers, body }], ...others] = posts();
    assert.deepEqual([path, method, others], ["/do/note_add?from=%2Fsessions%2F4%3Fwatch%3D7", "POST", []]);
    assert.equal(headers["X-CSRFToken"], "token");
    const { key, ...frame } = JSON.parse(body);
    assert.deepEqual(frame, { type: "command", name: "note_add", argument: "7", fields: { text: "Bravo" } });
    assert.match(key, /^[0-9a-f]{32}$/);
    assert.deepEqual([$("[data-answer]").textContent, $("[name=text]").value], ["Kept", ""]);
    const before = polls().length;
    await network(1000);
    assert.equal(polls().length, before + 1, "what was done is seen soon");
    await network(60000);
    assert.ok(polls().length - before <= 1 + 60 / 12, "slowly");
    assert.ok(polls().length - before >= 60 / 15 - 1);
    assert.equal(line(), `${SENTENCE}Reload`, "and does not go back and forth");
  });
}

test("a poll sends the page's versions and the ETag", async () => {
  site = () => polled([part("b", "two"), layout("by poll")]);
  await refused(9000);
  const [first] = polls();
  assert.equal(first.pathname, "/sessions/4");
  assert.ok(first.search.startsWith("?watch=7&parts=1&half=9-a&versions="));
  assert.equal(versions(first), "page~,p:1~a");
  site = () => polled();
  await refused(30000);
  const [, second] = polls();
  assert.equal(versions(second), "page~v1,p:1~b");
  assert.deepEqual(asked.slice(0, 3).map(([, { headers }]) => headers["If-None-Match"]), [undefined, undefined, '"2"']);
  site = () => ({ status: 304 });
  await refused(30000);
  assert.equal(line(), `${SENTENCE}Reload`);
});

test("what was typed and had the focus stays through polls", async () => {
  site = () => polled([part(`v${asked.length}`, `part ${asked.length}`), layout(`by poll ${asked.length}`)]);
  await refused(9000);
  $("[name=text]").focus();
  await type($("[name=text]"), "half a sen");
  await refused(30000);
  assert.match($("p").textContent, /by poll [2-9]/);
  assert.deepEqual([document.activeElement.name, $("[name=text]").value], ["text", "half a sen"]);
});

test("a command that was lost with a socket is posted under its key, and repeated without an answer", async () => {
  await Socket.last.isLive(model("by socket"));
  await type($("[name=text]"), "Bravo");
  await fire($("form"), "submit", { submitter: $("form button") });
  const [{ key }] = Socket.last.take();
  site = (path) => (path.includes("parts=1") ? polled() : null);
  await Socket.last.ends();
  await refused(9000);
  assert.deepEqual(posts().map(([, { body }]) => JSON.parse(body).key), [key]);
  for (const status of [503, 429]) site = (path) => (path.includes("parts=1") ? polled() : { status });
  await refused(15000);
  assert.deepEqual([$("form [aria-busy]"), $("[data-answer]").textContent], [null, "Not sent yet."]);
  site = (path) => (path.includes("parts=1") ? polled() : { body: { ok: true, text: "Kept" } });
  await refused(16000);
  assert.deepEqual(new Set(posts().map(([, { body }]) => JSON.parse(body).key)), new Set([key]));
  assert.equal($("[data-answer]").textContent, "Kept");
});

test("a refused post shows the error", async () => {
  await refused(9000);
  for (const [status, sentence] of [[413, "Too long."], [403, "It failed."]]) {
    site = (path) => (path.includes("parts=1") ? polled() : { status });
    await type($("[name=text]"), `Bravo ${status}`);
    await fire($("form"), "submit", { submitter: $("form button") });
    await arrive();
    assert.deepEqual([$("[data-answer]").textContent, $("[name=text]").value], [sentence, `Bravo ${status}`]);
  }
});

test("a socket that lasts and answers takes its place back, with all it has brought", async () => {
  await refused(9000);
  const before = Socket.all.length;
  for (let second = 0; Socket.all.length === before; second += 1) {
    assert.ok(second < 60, "it is tried, slowly");
    await wait(1000);
  }
  await Socket.last.isLive(model("by socket"));
  await Socket.last.says(part("c", "three"));
  assert.notEqual($("p").textContent, "by socket", "it has yet to last");
  await wait(10000);
  assert.equal(Socket.last.sent.filter(({ type: kind }) => kind === "ping").length, 1);
  assert.equal(line(), `${SENTENCE}Reload`);
  await Socket.last.says({ type: "pong" });
  assert.deepEqual([$("p").textContent, $("b").textContent, line(), page.root.dataset.connection], ["by socket", "three", "", "live"]);
  const count = asked.length;
  await wait(20000);
  assert.equal(asked.length, count);
  await type($("[name=text]"), "Bravo");
  await fire($("form"), "submit", { submitter: $("form button") });
  assert.deepEqual(Socket.last.take().map(({ name }) => name), ["note_add"]);
  const socketCount = Socket.all.length;
  await Socket.last.ends();
  await wait(1000);
  assert.equal(Socket.all.length, socketCount + 1, "at the usual pace again");
});

test("a hidden page does not poll; it does when it is looked at", async () => {
  await refused(9000);
  const count = asked.length;
  Object.defineProperty(document, "hidden", { configurable: true, value: true });
  await refused(120000);
  assert.ok(asked.length <= count);
  Object.defineProperty(document, "hidden", { configurable: true, value: false });
  await fire(document, "visibilitychange");
  await refused(2000);
  assert.equal(asked.length, count + 1);
});

test("a site without any answer is unavailable: the page waits, and does not blame the network", async () => {
  site = () => null;
  await refused(60000);
  assert.equal(line(), "Reconnecting…");
  assert.ok(asked.length <= 5);
  site = () => polled();
  await refused(16000);
  assert.equal(line(), `${SENTENCE}Reload`);
  site = () => null;
  await refused(16000);
  assert.equal(line(), "Reconnecting…");
  site = () => polled();
  await refused(16000);
  assert.equal(line(), `${SENTENCE}Reload`);
});

for (const [code, reason] of [[4002, "retry=30"], [1012, ""]]) {
  test(`a site that closes sockets itself (${code}) is not polled: the network lets them through`, async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      if (Socket.last.readyState === 0) await Socket.last.ends(code, reason);
      await wait(2000);
    }
    assert.deepEqual(asked, []);
  });
}

test("one short loss is no network that blocks", async () => {
  await Socket.last.isLive(model("by socket"));
  await Socket.last.ends();
  await wait(1500);
  await Socket.last.isLive(model("by socket"));
  await wait(24000); // until its heartbeat
  assert.deepEqual(asked, []);
});

test("too many polls are taken back", async () => {
  site = () => ({ status: 429, retry: "40" });
  await refused(8000);
  assert.equal(asked.length, 1);
  await refused(32000);
  assert.equal(asked.length, 1);
  await refused(10000);
  assert.equal(asked.length, 2);
});

test("a signed-out viewer gets the page again, one without permission another page", async () => {
  site = () => ({ body: { account: null, leave: "/login" } });
  await refused(9000);
  await wait(1000);
  assert.deepEqual(page.leaves, ["again"]);
  const count = asked.length;
  await refused(60000);
  assert.equal(asked.length, count);
});

test("a page that is closed to its viewer is left", async () => {
  site = () => ({ body: { account: 5, leave: "/profile/two-factor" } });
  await refused(9000);
  assert.deepEqual(page.leaves, ["/profile/two-factor"]);
});

test("a hotel's own page in place of an answer is none", async () => {
  site = () => ({ body: undefined });
  await refused(20000);
  assert.equal(line(), "Reconnecting…");
});

test("a reaction is posted, without a page load", async () => {
  site = (path) => (path.includes("parts=1") ? polled([layout("by poll", h("button", { type: "submit", form: "do", formAction: "/do/reaction_add?argument=4%3Aheart", "data-react": "heart" }, "Heart"))]) : { body: { ok: true, text: "" } });
  await refused(9000);
  document.addEventListener("click", (event) => event.preventDefault(), { once: true }); // as the page's module does
  await click("[data-react]");
  const [[path, { body }]] = posts();
  assert.equal(path.split("?")[0], "/do/reaction_add");
  assert.equal(JSON.parse(body).argument, "4:heart");
});

test("marks that wait in the storage are posted once the page polls, and those struck later after their pause", async () => {
  const rating = h("form", { "data-command": "ratings_submit", "data-argument": "17", "data-draft": "rating:17" }, h("input", { type: "range", name: "piece-3", max: 25, defaultValue: "0" }));
  const kept = () => posts().map(([path, { body }]) => [path.split("?")[0], JSON.parse(body).argument, JSON.parse(body).fields["piece-3"]]);
  localStorage.setItem("draft:5:rating:17", JSON.stringify({ marks: { "piece-3": ["7", Date.now()] }, at: Date.now() }));
  site = (path) => (path.includes("parts=1") ? polled([layout("by poll", rating)]) : { body: { ok: true, text: "" } });
  await refused(9000);
  assert.deepEqual(kept(), [["/do/rating_keep", "17", "7"]]);
  assert.equal(localStorage.getItem("draft:5:rating:17"), null);
  await type($("[name=piece-3]"), "9");
  await refused(500);
  assert.deepEqual(kept()[1], ["/do/rating_keep", "17", "9"]);
});

test("commands are posted one after the other", async () => {
  let end;
  site = (path) => (path.includes("parts=1") ? polled([layout("by poll", h("button", { type: "button", id: "stamp", "data-command": "stamp", "data-argument": "7" }, "Stamp"))]) : { body: { ok: true, text: "" } });
  await refused(9000);
  const { fetch: answered } = globalThis;
  globalThis.fetch = async (path, options) => {
    const response = await answered(path, options);
    if (path.startsWith("/do/note_add")) await new Promise((resolve) => { end = resolve; });
    return response;
  };
  await type($("[name=text]"), "Bravo");
  await click("[data-live-only]");
  await click("#stamp");
  await arrive();
  assert.deepEqual(posts().map(([path]) => path.split("?")[0]), ["/do/note_add"]);
  end();
  await arrive();
  assert.deepEqual(posts().map(([path]) => path.split("?")[0]), ["/do/note_add", "/do/stamp"]);
});

test("a search is answered by the poll of its address", async () => {
  const search = h("form", { method: "get", action: "/sessions/4", "data-navigate": "" }, h("input", { name: "q" }));
  const navigation = (path) => h("page-navigation", { path, title: "Title" });
  site = (path) => polled([layout(path.includes("q=chopin") ? "found" : "all", search, navigation(path.split(/[?&]parts/)[0]))]);
  await refused(9000);
  assert.equal($("p").textContent, "all");
  await type($("[name=q]"), "chopin");
  await wait(1500);
  assert.equal(location.search, "?q=chopin");
  assert.equal($("p").textContent, "found");
});

test("a web module's search becomes the page's address, after the last edit", async () => {
  const search = (value) => act(async () => document.dispatchEvent(new CustomEvent("page:search", { detail: { name: "participant_find", value } })));
  await search("early");
  assert.equal(location.search, "?watch=7");
  await refused(9000);
  const before = polls().length;
  for (const value of ["s", "se", "seong jin"]) await search(value);
  await refused(1000);
  assert.equal(location.search, "?watch=7&participant_find=seong+jin");
  assert.deepEqual(polls().slice(before).map(({ searchParams }) => searchParams.get("participant_find")), ["seong jin"]);
});

test("the button Reload reloads the page", async () => {
  await refused(9000);
  await click("[data-connection-status] button");
  assert.deepEqual(page.leaves, ["again"]);
});
