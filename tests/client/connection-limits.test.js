// Limits of the socket: frames above the rate or size are dropped, and the user is informed.

import assert from "node:assert/strict";
import { $, Socket, act, h, on } from "./browser.js";
import { line, model, page, pass, sockets, test } from "./connection.js";

test("a window above the rate limit reconnects after the named delay, and shows why until then", async () => {
  await Socket.last.isLive(model);
  await Socket.last.ends(4005, "retry=5");
  await pass(4999);
  assert.deepEqual([sockets(), line()], [1, "Too much."]);
  await pass(1);
  assert.equal(sockets(), 2);
  await Socket.last.isLive(model);
  assert.equal(line(), "");
});

/** Whether the server accepts frames at these milliseconds: 40 at once, and 10 a second after that. */
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

test("a frame that is too large is not sent, and the user is informed", async () => {
  await Socket.last.isLive(model);
  assert.equal(page.page.connection.send("any", ["ł".repeat(33000)]), true);
  assert.deepEqual([Socket.last.take().length, line()], [0, "Too long."]);
});
