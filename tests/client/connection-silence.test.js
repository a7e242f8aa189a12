// A silent socket: time limits, and detection of a computer that has slept.

import assert from "node:assert/strict";
import { Socket, fire } from "./browser.js";
import { model, page, pass, pings, sockets, test } from "./connection.js";

test("a handshake without an answer is dropped after 10 seconds, at any attempt", async () => {
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
    await pass(9000); // until the socket is accepted; not counted
    last.open();
    for (let passed = 5000; passed < patience; passed += 5000) {
      await pass(5000);
      await last.says({ type: "pong" }); // an answer without a render
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

test("after a sleep the dead socket is noticed at once", async () => {
  await Socket.last.isLive(model);
  pass.asleep(3600000);
  await fire(document, "visibilitychange");
  await pass(0);
  assert.equal(sockets(), 2);
  assert.equal(Socket.all[0].readyState, 3);
});

test("a doubtful silence is probed, and a healthy socket stays", async () => {
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

test("a page that becomes visible while the socket opens does not restart it", async () => {
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
