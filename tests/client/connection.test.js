// The socket: when it comes back, when it gives up, what it says meanwhile.

import assert from "node:assert/strict";
import { $, Socket, act, click, fire, h, load, fixRandom, on, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";

const { delayBefore } = await load("connection/backoff");
const model = h("", null, h("p", null, "Hello"));
const line = () => $("[data-connection-status]").textContent;
const sockets = () => Socket.all.length;
const pings = () => Socket.last.sent.filter(({ type }) => type === "ping").length;

const ROOT = 'data-stopped="Closed." data-stopped-4504="Too many." data-waiting-4005="Too much." data-too-fast="Too fast." data-too-long="Too long."';

let pass;
let page;
const test = testWith(async (context) => {
  pass = stopClock(context);
  fixRandom(context, 0.5); // the middle of every spread
  page = await open("<p>Hello</p>", { model, url: "https://hall.example/sessions?show=past", root: ROOT });
});

test("asks for the address that the browser shows, and says which protocol it speaks", () => {
  const { protocol, pathname, searchParams } = Socket.last.url;
  assert.equal(protocol, "wss:");
  assert.equal(pathname, "/live/");
  assert.deepEqual(Object.fromEntries(searchParams), { protocol: "2", attempt: "0", path: "/sessions", query: "?show=past", versions: "" });
});

test("comes back after 1, 2, 5, 10 and 10 seconds, and begins anew once it was live", async () => {
  for (const wait of [1000, 2000, 5000, 10000, 10000]) {
    const before = sockets();
    await Socket.last.ends();
    await pass(wait - 1);
    assert.equal(sockets(), before);
    await pass(1);
    assert.equal(sockets(), before + 1);
  }
  await Socket.last.isLive(model);
  await Socket.last.ends(1012);
  assert.equal(sockets(), 6);
  await pass(1000);
  assert.equal(sockets(), 7);
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

test("a window that sent too much comes back after the delay that is named, and says why until then", async () => {
  await Socket.last.isLive(model);
  await Socket.last.ends(4005, "retry=5");
  await pass(4999);
  assert.deepEqual([sockets(), line()], [1, "Too much."]);
  await pass(1);
  assert.equal(sockets(), 2);
  await Socket.last.isLive(model);
  assert.equal(line(), "");
});

/** Whether the server would take frames that come at these milliseconds: 40 at once, and 10 a second after that. */
function isTaken(times) {
  let left = 40;
  let at = 0;
  return times.every((time) => {
    left = Math.min(40, left + (time - at) / 100) - 1;
    at = time;
    return left >= 0;
  });
}

for (const [kind, gap] of [["15 clicks a second", 66], ["a held key", 33]]) {
  test(`${kind} for 15 seconds send what the server takes, drop the rest with a sentence, and leave room for a way elsewhere`, async () => {
    const buttons = h("div", null, on(h("button", { id: "b" }, "More"), "onClick", "more"), h("a", { id: "a", "data-page-event": "older", href: "/" }, "Older"),
      on(h("page-navigation", { path: "/sessions", title: "", number: 0 }), "onNavigate", "go"), { ...h("page-events"), eventHandlers: { older: { target: "older" } } });
    await Socket.last.isLive(buttons);
    const times = [];
    for (let now = 0; now < 15000; now += gap) {
      await act(async () => $(now % 2 ? "#a" : "#b").click());
      times.push(...Socket.last.take().map(() => now));
      await pass(gap);
    }
    assert.ok(isTaken(times), `${times.length} frames`);
    assert.ok(times.length > 100, `${times.length} frames`);
    assert.equal(line(), "Too fast.");
    assert.deepEqual(page.leaves, []);
    await act(async () => $("#b").click());
    Socket.last.take();
    assert.equal(page.page.connection.send("go", [{ path: "/news" }]), true);
    assert.equal(Socket.last.take().length, 1);
  });
}

test("what is larger than the server takes stays here, and that is said", async () => {
  await Socket.last.isLive(model);
  assert.equal(page.page.connection.send("any", ["ł".repeat(33000)]), true);
  assert.deepEqual([Socket.last.take().length, line()], [0, "Too long."]);
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

test("what must not be done later is out of use from when the loss is said until it is over", async () => {
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

test("says nothing at first, Reconnecting after 700 ms, and nothing again when live", async () => {
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

test("a remark of the server stands for six seconds", async () => {
  await Socket.last.isLive(model);
  await Socket.last.says({ type: "notice", text: "That was a little fast." });
  await pass(5999);
  assert.equal(line(), "That was a little fast.");
  await pass(1);
  assert.equal(line(), "");
});

test("a remark does not outlive the connection, nor wipe away what is said of that", async () => {
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

test("whoever is signed out loads the page anew, after a moment for the way that is already taken", async () => {
  await Socket.last.isLive(model);
  await Socket.last.ends(4503);
  assert.equal(line(), "Closed.");
  await pass(499);
  assert.deepEqual(page.leaves, []);
  await pass(1);
  assert.deepEqual(page.leaves, ["again"]);
  assert.equal(sockets(), 1);
});

test("a socket says how many came before it", async (context) => {
  fixRandom(context, 0);
  assert.equal(new URL(Socket.last.url).searchParams.get("attempt"), "0");
  await Socket.last.ends(1006);
  await pass(500);
  assert.equal(new URL(Socket.last.url).searchParams.get("attempt"), "1");
});

test("a handshake that nobody accepts is given up after 10 seconds, whichever attempt it is", async () => {
  for (const wait of [1000, 2000, 5000, 10000]) {
    const { last } = Socket;
    await pass(9999);
    assert.equal(last.readyState, 0);
    await pass(1);
    assert.equal(last.readyState, 3);
    await pass(wait);
    assert.notEqual(Socket.last, last);
  }
});

test("an accepted socket waits 15, 30, 60 and 60 seconds for what it shows", async () => {
  for (const [patience, wait] of [[15000, 1000], [30000, 2000], [60000, 5000], [60000, 10000]]) {
    const { last } = Socket;
    await pass(9000); // to be accepted; that is not counted
    last.open();
    for (let passed = 5000; passed < patience; passed += 5000) {
      await pass(5000);
      await last.says({ type: "pong" }); // which is an answer, but shows nothing
    }
    await pass(4999);
    assert.equal(last.readyState, 1);
    await pass(1);
    assert.equal(last.readyState, 3);
    await pass(wait);
    assert.notEqual(Socket.last, last);
  }
});

test("heartbeats go every 25 seconds; without an answer the socket is given up after 10 more", async () => {
  await Socket.last.isLive(model);
  await pass(25000);
  assert.equal(pings(), 1);
  await Socket.last.says({ type: "pong" });
  await pass(25000);
  assert.equal(pings(), 2);
  await pass(9999);
  assert.equal(page.root.dataset.connection, "live");
  await pass(1);
  assert.equal(page.root.dataset.connection, "waiting");
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

test("after a sleep the dead socket is noticed at once", async () => {
  await Socket.last.isLive(model);
  pass.asleep(3600000);
  await fire(document, "visibilitychange");
  await pass(0);
  assert.equal(sockets(), 2);
  assert.equal(Socket.all[0].readyState, 3);
});

test("a doubtful silence is asked about, and a healthy socket stays", async () => {
  await Socket.last.isLive(model);
  pass.asleep(20000);
  await fire(document, "visibilitychange");
  assert.equal(pings(), 0);
  await fire(window, "online");
  assert.equal(pings(), 1);
  await Socket.last.says({ type: "pong" });
  await pass(3000);
  assert.equal(sockets(), 1);
  await fire(window, "online");
  await pass(3000);
  assert.equal(sockets(), 2, "unanswered: a new one at once");
});

test("looking at the page while the socket opens does not begin it anew", async () => {
  await fire(document, "visibilitychange");
  await fire(window, "online");
  await pass(5000);
  assert.equal(sockets(), 1);
});

test("a heartbeat that comes long after the last one finds out that the machine has slept", async () => {
  await Socket.last.isLive(model);
  pass.asleep(3600000);
  await pass(25000);
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

test("an update for an unknown path begins anew", async () => {
  await Socket.last.isLive(model);
  await Socket.last.shows("x", "/children/9");
  assert.equal(page.root.textContent, "Hello");
  await pass(1000);
  assert.equal(sockets(), 2);
});
