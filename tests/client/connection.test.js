// The socket: reconnects, close codes that stop it, the status line.

import assert from "node:assert/strict";
import { $, Socket, click, fire, h, load, fixRandom } from "./browser.js";
import { line, model, page, pass, sockets, test } from "./connection.js";

const { delayBefore, versionsText } = await load("connection");

test("requests the browser's address, with the protocol's version", () => {
  const { protocol, pathname, searchParams } = Socket.last.url;
  assert.equal(protocol, "wss:");
  assert.equal(pathname, "/live/");
  assert.deepEqual(Object.fromEntries(searchParams), { half: "9-a", protocol: "3", attempt: "0", path: "/sessions", query: "?show=past", versions: "" });
});

test("of many parts as many versions are sent as the address of a socket or a poll may have", () => {
  const held = Object.fromEntries(Array.from({ length: 600 }, (_, number) => [`piece_strings:39:${number}:en`, "40033a96"]));
  const sent = versionsText(held);
  assert.ok(sent.startsWith("piece_strings:39:0:en~40033a96,piece_strings:39:1:en~"));
  assert.ok(encodeURIComponent(sent).length < 7000, "a proxy takes 8 kB with the rest of the request");
});

test("reconnects after 1, 2, 5, 10 and 10 seconds, and after 1 again once a socket has lasted for 10", async () => {
  for (const wait of [1000, 2000, 5000, 10000, 10000]) {
    const before = sockets();
    await Socket.last.ends();
    await pass(wait - 1);
    assert.equal(sockets(), before);
    await pass(1);
    assert.equal(sockets(), before + 1);
  }
  for (const [lasts, wait] of [[9999, 10000], [10000, 1000]]) {
    const before = sockets();
    await Socket.last.isLive(model);
    await pass(lasts);
    await Socket.last.ends();
    await pass(wait - 1);
    assert.equal(sockets(), before);
    await pass(1);
    assert.equal(sockets(), before + 1);
  }
});

test("draws each step from half to one and a half of it, and a named delay from 0.7 to 1.3", (context) => {
  for (const [share, step, named] of [[0, 500, 7000], [0.999999999, 1500, 13000]]) {
    fixRandom(context, share);
    assert.equal(Math.round(delayBefore(0, "")), step);
    assert.equal(Math.round(delayBefore(2, "retry=10")), named);
  }
  fixRandom(context, 0.5);
  assert.equal(delayBefore(0, "retry=99999"), 1000);
});

test("a busy server names the delay", async () => {
  await Socket.last.ends(4002, "retry=37");
  await pass(36999);
  assert.equal(sockets(), 1);
  await pass(1);
  assert.equal(sockets(), 2);
});

test("the page stays when the first connection is refused, and recovers", async () => {
  await Socket.last.ends();
  assert.equal(page.root.innerHTML, "<p>Hello</p>");
  await pass(1000);
  await Socket.last.isLive(h("", null, h("p", null, "Good evening")));
  assert.equal(page.root.textContent, "Good evening");
  assert.equal(page.root.dataset.connection, "live");
});

test("actions that must not be delayed are disabled while the loss is shown", async () => {
  const shown = h("", null, h("button", { type: "button", "data-command": "next", "data-live-only": "" }, "Next"), h("button", { type: "button", "data-command": "note" }, "Note"));
  await Socket.last.isLive(shown);
  const out = () => [...document.querySelectorAll("[aria-disabled=true]")].map(({ textContent }) => textContent);
  await Socket.last.ends();
  await pass(699);
  assert.deepEqual(out(), []);
  await pass(1);
  assert.deepEqual(out(), ["Next"]);
  await click("[data-command=next]");
  assert.equal($("[aria-busy]"), null);
  await pass(1000);
  await Socket.last.isLive(shown);
  assert.deepEqual(out(), []);
  assert.deepEqual(Socket.last.take(), []);
  await click("[data-command=next]");
  assert.deepEqual(Socket.last.take().map(({ name }) => name), ["next"]);
});

test("the status line is empty at first, Reconnecting after 700 ms, and empty when live", async () => {
  await pass(5000);
  assert.equal(line(), "");
  await Socket.last.isLive(model);
  assert.equal(line(), "");
  await Socket.last.ends();
  await pass(699);
  assert.equal(line(), "");
  await pass(1);
  assert.equal(line(), "Reconnecting…");
  await pass(1000);
  await Socket.last.isLive(model);
  assert.equal(line(), "");
});

test("failing attempts do not put the sentence off", async (context) => {
  fixRandom(context, 0); // half a second, one second
  await Socket.last.isLive(model);
  await Socket.last.ends();
  await pass(500);
  await Socket.last.ends();
  await pass(200);
  assert.equal(line(), "Reconnecting…");
});

test("a notice is shown for six seconds", async () => {
  await Socket.last.isLive(model);
  await Socket.last.says({ type: "notice", text: "That was a little fast." });
  await pass(5999);
  assert.equal(line(), "That was a little fast.");
  await pass(1);
  assert.equal(line(), "");
});

test("a notice ends with the connection, and does not remove the text about it", async () => {
  await Socket.last.isLive(model);
  await Socket.last.says({ type: "notice", text: "That was a little fast." });
  await Socket.last.ends(4504);
  await pass(60000);
  assert.equal(line(), "Too many.");
});

test("a short loss is not mentioned", async (context) => {
  fixRandom(context, 0); // back after half a second
  await Socket.last.isLive(model);
  await Socket.last.ends(1012);
  await pass(500);
  await Socket.last.isLive(model);
  await pass(20000);
  assert.equal(line(), "");
});

for (const [code, sentence] of [[4504, "Too many."], [4500, "Closed."], [4999, "Closed."]]) {
  test(`stays away after ${code} and says why`, async () => {
    await Socket.last.isLive(model);
    await Socket.last.ends(code);
    assert.equal(line(), sentence);
    await fire(window, "online");
    await pass(600000);
    assert.equal(sockets(), 1);
  });
}

test("a signed-out window reloads, after a delay for a navigation in progress", async () => {
  await Socket.last.isLive(model);
  await Socket.last.ends(4503);
  assert.equal(line(), "Closed.");
  await pass(499);
  assert.deepEqual(page.leaves, []);
  await pass(1);
  assert.deepEqual(page.leaves, ["again"]);
  assert.equal(sockets(), 1);
});

test("a socket's address contains the number of attempts before it", async (context) => {
  fixRandom(context, 0);
  assert.equal(new URL(Socket.last.url).searchParams.get("attempt"), "0");
  await Socket.last.ends(1006);
  await pass(500);
  assert.equal(new URL(Socket.last.url).searchParams.get("attempt"), "1");
});

test("the network's return brings the attempt forward, spread over two seconds, once", async (context) => {
  for (const wait of [1000, 2000]) {
    await Socket.last.ends();
    await pass(wait);
  }
  await Socket.last.ends(); // the next in 5 s
  fixRandom(context, 0.1);
  await fire(window, "online");
  await fire(window, "online");
  await pass(199);
  assert.equal(sockets(), 3);
  await pass(1);
  assert.equal(sockets(), 4);
  fixRandom(context, 0.5);
  await Socket.last.ends(); // the next in 10 s
  await fire(window, "online");
  await pass(9999);
  assert.equal(sockets(), 4);
  await pass(1);
  assert.equal(sockets(), 5);
});

test("a viewer who looks again does not wait", async () => {
  await Socket.last.ends();
  await fire(document, "visibilitychange");
  await pass(0);
  assert.equal(sockets(), 2);
});

test("closes for the browser's page cache and comes back from it", async () => {
  await Socket.last.isLive(model);
  await fire(window, "pagehide");
  assert.equal(Socket.last.readyState, 3);
  await pass(60000);
  assert.equal(sockets(), 1);
  await fire(window, "pageshow", { persisted: true });
  assert.equal(sockets(), 2);
});

test("an older socket has no say", async () => {
  const [first] = Socket.all;
  await first.ends();
  await pass(1000);
  await Socket.last.isLive(model);
  await first.says({ type: "layout-update", path: "", model: h("", null, "stale") });
  await first.ends(4500);
  assert.equal(page.root.textContent, "Hello");
  assert.equal(page.root.dataset.connection, "live");
});

test("an update for an unknown path opens a new socket", async () => {
  await Socket.last.isLive(model);
  await Socket.last.shows("x", "/children/9");
  assert.equal(page.root.textContent, "Hello");
  await pass(1000);
  assert.equal(sockets(), 2);
});
