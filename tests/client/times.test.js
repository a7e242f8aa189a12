// Times: the venue's in the HTML, the viewer's own after hydration.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, Socket, act, consoleErrors, fire, h, load, open } from "./browser.js";
import { stopClock } from "./clock.js";

const { momentWords } = await load("times");
const HALL = "Tuesday, 12 October 2027, 17:00 in the hall";
const at = {
  dateTime: "2027-10-12T17:00:00+02:00", "data-when": "moment", "data-zone": "Europe/Warsaw", "data-language": "en",
  "data-yours": "{time} your time", "data-hall": "{time} in the hall", "data-today": "TODAY - ",
};
const before = Date.parse("2027-10-01T12:00:00Z");
const words = (zone, now = before, attributes = {}) => momentWords({ ...at, ...attributes }, HALL, now, zone);
const date = (words) => words.replace(/(\d+) (\S+) (\d{4})/, "$1\u00a0$2\u00a0$3").replace("Tue 1", "Tue\u00a01"); // they stay on one line

test("in the hall's zone the hall's words stand", () => {
  assert.equal(words("Europe/Warsaw"), null);
  assert.equal(words("Europe/Berlin"), null);
});

test("in another time zone both times are shown", () => {
  assert.equal(words("Europe/London"), date("Tuesday, 12 October 2027, 16:00 your time, 17:00 in the hall"));
  assert.equal(words("Asia/Tokyo"), date("Wednesday, 13 October 2027, 00:00 your time, Tue 17:00 in the hall"));
});

test("today is today at the viewer's place", () => {
  const hallDay = Date.parse("2027-10-12T06:00:00Z");
  const tokyoDay = Date.parse("2027-10-12T15:30:00Z");
  assert.deepEqual(words("Europe/Warsaw", hallDay), { before: "TODAY - " });
  assert.equal(words("Asia/Tokyo", hallDay), date("Wednesday, 13 October 2027, 00:00 your time, Tue 17:00 in the hall"));
  assert.equal(words("Asia/Tokyo", tokyoDay), date("TODAY - Wednesday, 13 October 2027, 00:00 your time, Tue 17:00 in the hall"));
});

test("where the viewer's clock is the hall's, no format is constructed", () => {
  const { DateTimeFormat } = Intl;
  const { TZ } = process.env;
  const hallDay = Date.parse("2027-10-12T06:00:00Z");
  const both = (attributes, now) => [words(undefined, now, attributes), words("Europe/Berlin", now, attributes)];
  process.env.TZ = "Europe/Berlin";
  const equal = [["moment", before], ["moment", hallDay], ["clock", before], ["date", hallDay]].map(([kind, now]) => both({ "data-when": kind }, now));
  Intl.DateTimeFormat = function refused() { throw new Error("a format was constructed"); };
  try {
    for (const [own, named] of equal) assert.deepEqual(own, named);
    assert.deepEqual(words(undefined, hallDay, { "data-language": "cs" }), { before: "TODAY - " });
    process.env.TZ = "America/St_Johns"; // half an hour beside the hour, west of UTC
    const there = { dateTime: "2027-10-12T12:30:00-02:30", "data-language": "cs" };
    assert.deepEqual(words(undefined, hallDay, there), { before: "TODAY - " });
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test("a clock shows the viewer's own time before the hall's if it differs", () => {
  const clock = (zone) => momentWords({ ...at, "data-when": "clock" }, "17:00 in the hall", before, zone);
  const shown = ["Europe/Berlin", "Europe/London", "Asia/Tokyo"].map(clock).map((words) => words && words.replaceAll("\u00a0", " "));
  assert.deepEqual(shown, [null, "16:00 your time, 17:00 in the hall", "Wed 00:00 your time, Tue 17:00 in the hall"]);
});

test("a date is another one only where the day is", () => {
  const day = { "data-when": "date" };
  assert.equal(momentWords({ ...at, ...day }, "12 October 2027", before, "Europe/London"), null);
  assert.equal(momentWords({ ...at, ...day }, "12 October 2027", before, "Asia/Tokyo"), date("13 October 2027"));
  assert.equal(momentWords({ ...at, ...day }, "Tuesday, 12 October 2027", before, "Asia/Tokyo"), date("Wednesday, 13 October 2027"));
});

test("a recent time is shown in relative words", () => {
  const said = (seconds) => words("Europe/London", Date.parse(at.dateTime) + seconds * 1000, { "data-when": "ago" });
  assert.deepEqual(
    [-5, 59, 60, 119, 3599, 3600, 86399, 86400, 604799, 604800].map(said),
    ["now", "now", "1 minute ago", "1 minute ago", "59 minutes ago", "1 hour ago", "23 hours ago", "1 day ago", "6 days ago", "12\u00a0Oct\u00a02027,\u00a016:00"],
  );
});

test("another language has its own words", () => {
  assert.equal(words("Asia/Tokyo", before, { "data-language": "pl", "data-yours": "{time} u ciebie", "data-hall": "{time} na sali" }),
    date("środa, 13 października 2027, 00:00 u ciebie, wt. 17:00 na sali"));
});

test("an unreadable moment keeps its words", () => assert.equal(words("Asia/Tokyo", before, { dateTime: "soon" }), null));

test("hydrates the server's words, then shows the viewer's, once a minute, not while hidden", async (context) => {
  const pass = stopClock(context, Date.parse(at.dateTime) + 90_000);
  const ago = { ...at, "data-when": "ago" };
  const html = '<time datetime="2027-10-12T17:00:00+02:00" data-when="ago" data-zone="Europe/Warsaw" data-language="en" ' +
    `data-yours="{time} your time" data-hall="{time} in the hall" data-today="TODAY - ">${HALL}</time>`;
  await open(html.repeat(2), { model: h("", null, h("time", ago, HALL), h("time", ago, HALL)) });
  assert.equal($("time").textContent, "1 minute ago");
  assert.equal($("time").dateTime, at.dateTime);
  assert.deepEqual(consoleErrors, []);
  await Socket.last.ends(4500); // leaves one timer, which detects blocked sockets
  assert.equal(pass.waiting(), 1 + 1, "one for all");
  await pass(60_000);
  assert.deepEqual([...document.querySelectorAll("time")].map((time) => time.textContent), ["2 minutes ago", "2 minutes ago"]);
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
  await fire(document, "visibilitychange");
  assert.equal(pass.waiting(), 1);
  await pass(600_000);
  assert.equal($("time").textContent, "2 minutes ago");
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "visible" });
  await fire(document, "visibilitychange");
  assert.equal($("time").textContent, "12 minutes ago");
});

test("today precedes the venue's own text", async (context) => {
  stopClock(context, Date.parse(at.dateTime));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await open("<time>x</time>", { model: h("p") });
  await Socket.last.isLive(h("p", null, h("time", { ...at, "data-zone": zone }, HALL)));
  await act(async () => {});
  assert.equal($("time").textContent, `TODAY - ${HALL}`);
});
