// Presence: the socket of a page of forms, and the page loads that it causes.

import assert from "node:assert/strict";
import { Socket, fire, h, load, fixRandom, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";

const { watchViewerState } = await load("presence");
const sockets = () => Socket.all.length;

let pass;
let page;
const test = testWith(async (context) => {
  pass = stopClock(context);
  fixRandom(context, 0.5); // the middle of every jitter
  page = await open("<form></form>", { url: "https://hall.example/profile/passkeys/name?key=7#top", root: 'data-presence="/live/?viewer_state=4-10"' });
  watchViewerState(page.root);
});

test("sends the page's viewer state in the socket's address", () => {
  const { protocol, pathname, searchParams } = Socket.last.url;
  assert.equal(protocol, "wss:");
  assert.equal(pathname, "/live/");
  assert.deepEqual(Object.fromEntries(searchParams), {
    viewer_state: "4-10", protocol: "3", attempt: "0", path: "/profile/passkeys/name", query: "?key=7", versions: "",
  });
});

test("no frame changes the page", async () => {
  await Socket.last.isLive(h(""));
  await Socket.last.says({ type: "pong" });
  await Socket.last.says({ type: "notice", text: "That was a little fast." });
  assert.equal(page.root.innerHTML, "<form></form>");
  assert.equal(page.root.dataset.connection, "live");
  assert.equal(document.querySelector("[data-connection-status]").textContent, "");
});

test("loads the page again when its viewer is signed out, and never posts its form again", async () => {
  await Socket.last.isLive(h(""));
  await Socket.last.ends(4503);
  await pass(1000);
  assert.deepEqual(page.leaves, ["/profile/passkeys/name?key=7"]);
  await pass(600000);
  assert.equal(sockets(), 1);
});

test("comes back with the same words when other things may be done, and after every loss", async () => {
  await Socket.last.isLive(h(""));
  for (const code of [1012, 1006]) {
    const before = sockets();
    await Socket.last.ends(code);
    await pass(1000);
    assert.equal(sockets(), before + 1);
    assert.equal(Socket.last.url.searchParams.get("viewer_state"), "4-10");
    await Socket.last.isLive(h(""));
    await pass(10000);
  }
  assert.deepEqual(page.leaves, []);
});

test("probes a doubtful connection and detects a dead one", async () => {
  await Socket.last.isLive(h(""));
  await pass(25000);
  assert.deepEqual(Socket.last.sent, [{ type: "ping" }]);
  await pass(10000);
  assert.equal(page.root.dataset.connection, "waiting");
  await fire(window, "online");
  await pass(1000);
  assert.equal(sockets(), 2);
});

test("stays away when too many windows are open", async () => {
  await Socket.last.isLive(h(""));
  await Socket.last.ends(4504);
  await pass(600000);
  assert.equal(sockets(), 1);
  assert.equal(page.root.dataset.connection, "stopped");
});
