// A button shows its busy label only while a request is on its way: after each close code, in each state of the site.

import assert from "node:assert/strict";
import { $, Socket, act, fire, fixRandom, h, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";

/** Close codes of browsers and of the site (project/limits/rates.py), and unknown ones. */
const CODES = [1000, 1001, 1006, 1011, 1012, 4002, 4003, 4005, 4006, 4100, 4500, 4503, 4504, 4999];
const ENDED = { 4003: "A new version.", 4500: "Closed.", 4503: "Signed out.", 4504: "Too many windows.", 4999: "Closed." };
const POLLED = [1000, 1001, 1006, 1011, 4006]; // the site is polled if its sockets end so
const WAITS = "Not sent yet.";
const ROOT = `data-account="5" data-polling="Not live." data-reload="Reload" data-failed="It failed." data-unsent="${WAITS}" data-stopped="Closed."
  data-waiting-4003="A new version." data-waiting-4005="Too much." data-stopped-4503="Signed out." data-stopped-4504="Too many windows."`;
const model = h("", null, h("form", { "data-command": "note_add", "data-argument": "7" }, h("input", { name: "text" }), h("button", { type: "submit", "data-busy": "Saving..." }, "Post")));
const STEP = 500; // milliseconds
const PATIENCE = 1000; // milliseconds without a request

const button = () => $("form button");
const isBusy = () => button().hasAttribute("aria-busy") || button().textContent !== "Post";
const isOnItsWay = () => hanging > 0 || (Socket.last.readyState === 1 && Socket.last.sent.some(({ type: kind }) => kind === "command"));
const arrive = () => act(async () => { for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate); });

let pass;
let page;
let site; // "reachable", "away", "busy" (429) or "slow" (posts get no answer)
let hanging; // posts without an answer
let posted;

const test = testWith(async (context) => {
  pass = stopClock(context);
  fixRandom(context, 0.5);
  context.mock.method(globalThis, "fetch", async (path) => {
    const isPoll = path.includes("parts=1");
    if (site === "away") throw new TypeError("Failed to fetch");
    const status = site === "busy" ? 429 : 200;
    if (!isPoll) posted += 1;
    if (!isPoll && site === "slow") {
      hanging += 1;
      await new Promise(() => {});
    }
    const body = isPoll ? { account: 5, page: "v1", frames: [] } : { ok: true, text: "Kept" };
    return { status, ok: status < 300, headers: new Map(), json: async () => body };
  });
});

async function begin() {
  hanging = posted = 0;
  pass.clear(); // those of the page before
  page = await open("", { model, url: "https://hall.example/sessions/4", root: ROOT });
  await Socket.last.isLive(model);
}
async function post() {
  if (button().disabled) return;
  await type($("[name=text]"), "Bravo");
  await fire($("form"), "submit", { submitter: button() });
}

/** Let time pass while each new socket is closed by `end`; returns the longest busy time without a request, in milliseconds. */
async function longestLie(milliseconds, end) {
  let lie = 0;
  let longest = 0;
  for (let passed = 0; passed < milliseconds; passed += STEP) {
    await pass(STEP);
    if (Socket.last.readyState === 0) await end();
    await arrive();
    lie = isBusy() && !isOnItsWay() ? lie + STEP : 0;
    longest = Math.max(longest, lie);
  }
  return longest;
}

for (const isPressedBefore of [true, false]) {
  test(`no busy label stays without a request, whatever closes the socket (pressed ${isPressedBefore ? "before" : "after"} it)`, async () => {
    const offenders = [];
    for (site of ["reachable", "away", "busy", "slow"]) {
      for (const code of CODES) {
        await begin();
        if (isPressedBefore) await post();
        await Socket.last.ends(code, code === 4006 ? "retry=60" : "");
        if (!isPressedBefore) await post();
        const lie = await longestLie(20000, () => Socket.last.ends(code));
        const text = $("form [data-answer]")?.textContent || "";
        const isPosted = POLLED.includes(code) && (site === "reachable" || site === "slow"); // the success has vanished
        const isUnderWay = isPosted && site === "slow";
        const expected = ENDED[code] || (isPosted ? "" : WAITS);
        if (lie > PATIENCE || text !== expected || button().disabled !== isUnderWay || (posted > 0) !== isPosted) {
          offenders.push(`${code}, ${site}: ${lie} ms, “${text}”, ${button().disabled ? "disabled" : "free"}, ${posted} posts`);
        }
      }
    }
    assert.deepEqual(offenders, []);
  });
}

test("what waits is sent by the next socket, and its sentence goes", async () => {
  site = "away";
  await begin();
  await post();
  await Socket.last.ends(1012);
  await longestLie(1000, () => {});
  assert.deepEqual([button().textContent, $("form [data-answer]").textContent], ["Post", WAITS]);
  await longestLie(500, () => Socket.last.isLive(model));
  assert.deepEqual([button().textContent, $("form [data-answer]").textContent], ["Saving...", ""]);
});

test("a page of a crowded address polls, with the sentence of a network without sockets", async () => {
  site = "reachable";
  await begin();
  await Socket.last.ends(4006, "retry=60");
  await longestLie(8000, () => Socket.last.ends(4006, "retry=60"));
  assert.equal($("[data-connection-status]").textContent, "Not live.Reload");
  const sockets = Socket.all.length;
  await longestLie(55000, () => Socket.last.ends(4006, "retry=60"));
  assert.ok(Socket.all.length - sockets <= 1, "sockets are tried seldom");
});

test("a page from the browser's cache sends again, and shows no busy label until then", async () => {
  site = "away";
  await begin();
  await post();
  await fire(window, "pagehide");
  await fire(window, "pageshow", { persisted: true });
  assert.ok(await longestLie(20000, () => Socket.last.ends(1006)) <= PATIENCE);
  assert.equal(page.leaves.length, 0);
});
