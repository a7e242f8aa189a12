// Recordings side by side: one video until a press, one sound at a time, the same place of the piece, and kept offsets.

import assert from "node:assert/strict";
import { $, act, createElement, createRoot, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";
import { webModule } from "./modules.js";

const { Duo } = await webModule("comparison");
const YOUTUBE = "https://www.youtube-nocookie.com";
const WORDS = {
  play: "Play: {name}", other: "Hear the other from here", next: "Hear the next from here", key: "Space", sounds: "Now sounding: {name}",
  later: "{name} begins {n} s later", earlier: "{name} begins {n} s earlier", together: "{name} begins at its second",
  less: "Earlier: {name}", more: "Later: {name}", only: "Sound only", novideo: "No video.",
};
const side = (name, second, more = {}) => ({ name, source: `${YOUTUBE}/embed/${name}`, second, offset: 0, field: "", ...more });
let pass;
let sent;
let root;

const test = testWith(async (context) => {
  pass = stopClock(context);
  sent = [];
  await open('<div id="place"></div>', { url: "https://hall.example/pieces/4/compare?a=1&b=2" });
  root = createRoot($("#place"));
  context.after(() => act(async () => root.unmount()));
});
const shows = (sides, more = {}) => act(async () => root.render(createElement(Duo, { sides, words: WORDS, covered: false, most: 600, ...more })));
const two = (more = {}) => shows([side("A", 60), side("B", 100, { field: "offset" })], more);
const button = (words) => [...document.querySelectorAll("button")].find((each) => (each.getAttribute("aria-label") || each.textContent).startsWith(words));
const click = (words) => act(async () => button(words).click());
const frames = () => [...document.querySelectorAll("iframe")].map(({ id }) => id);
/** Let the player of this side answer; from then on its commands are noted. */
async function answers(index, info = {}) {
  const { contentWindow } = $(`#duo-${index}`);
  contentWindow.postMessage = (text) => {
    const { event, func, args } = JSON.parse(text);
    if (event === "command") sent.push([index, func, ...args]);
  };
  await act(async () => window.dispatchEvent(Object.assign(new window.Event("message"), { data: JSON.stringify({ event: "infoDelivery", info }), origin: YOUTUBE, source: contentWindow })));
}
const heard = () => sent.splice(0);

test("no video is there before a press, and then the pressed one", async () => {
  await two();
  assert.deepEqual(frames(), []);
  await click("Play: B");
  assert.deepEqual(frames(), ["duo-1"]);
  await answers(1);
  assert.deepEqual(heard(), [[1, "seekTo", 100, true], [1, "playVideo"]]);
  assert.equal($("[role=status]").textContent, "Now sounding: B");
});

test("translation programs leave each name, and translate what stands for a hidden one", async () => {
  for (const covered of [false, true]) {
    await two({ covered });
    if (!covered) await click("Play: B");
    const names = [...document.querySelectorAll("#place *")].filter((each) => each.title === "B" || (!each.children.length && /^[AB]$/.test(each.textContent)));
    assert.deepEqual(names.map((each) => each.localName), ["p", "iframe", "p", "span", "span"]);
    assert.deepEqual(names.map((each) => each.getAttribute("translate")), names.map(() => (covered ? null : "no")));
  }
});

test("the other goes on at the same place of the piece, and the first one stops", async () => {
  await two();
  await click("Play: A");
  await answers(0, { currentTime: 72.5, playerState: 1 });
  heard();
  await click("Hear the other");
  assert.deepEqual(heard(), [[0, "pauseVideo"]]);
  await answers(1);
  assert.deepEqual(heard(), [[1, "seekTo", 112.5, true], [1, "playVideo"]]);
});

test("Space is the button, except where Space has a meaning of its own", async () => {
  await two();
  const space = (target) => {
    const event = new window.KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.equal(space(document.body), false, "nothing plays yet: the page scrolls");
  await click("Play: A");
  await answers(0, { currentTime: 60, playerState: 1 });
  let taken = true;
  await act(async () => { taken = space(button("Hear the other")); });
  assert.equal(taken, false);
  await act(async () => { taken = space(document.body); });
  assert.equal(taken, true);
  assert.deepEqual(frames(), ["duo-0", "duo-1"]);
});

test("an offset is nudged by tenths, moves what plays, and is in the address", async () => {
  await two();
  assert.match(document.body.textContent, /B begins at its second/);
  await click("Play: B");
  await answers(1, { currentTime: 110, playerState: 1 });
  heard();
  await click("Later: B");
  await click("Later: B");
  assert.deepEqual(heard(), [[1, "seekTo", 110.1, true], [1, "seekTo", 110.2, true]]);
  assert.match(document.body.textContent, /B begins 0.2 s later/);
  assert.equal(location.search, "?a=1&b=2&offset=2");
  await click("Earlier: B");
  await click("Earlier: B");
  assert.equal(location.search, "?a=1&b=2");
});

test("offsets of the address are used, and end at the largest", async () => {
  await shows([side("A", 60), side("B", 100, { field: "offset", offset: 600 })]);
  await click("Later: B");
  assert.match(document.body.textContent, /B begins 60.0 s later/);
  await click("Play: B");
  await answers(1);
  assert.deepEqual(heard()[0], [1, "seekTo", 160, true]);
});

test("what is started in a player stops the others", async () => {
  await two();
  await click("Play: A");
  await answers(0, { currentTime: 60, playerState: 1 });
  await click("Play: B");
  await answers(1, { currentTime: 100, playerState: 1 });
  heard();
  await answers(0, { currentTime: 61, playerState: 2 });
  await answers(0, { currentTime: 61, playerState: 1 });
  assert.deepEqual(heard(), [[1, "pauseVideo"]]);
  assert.equal($("[role=status]").textContent, "Now sounding: A");
});

test("three go round, and one without a video is left out", async () => {
  await shows([side("A", 60), side("B", 0, { source: "", field: "offset" }), side("C", 20, { field: "offset_c" })]);
  assert.match(document.body.textContent, /No video/);
  await click("Play: A");
  await answers(0, { currentTime: 65, playerState: 1 });
  await click("Hear the next");
  await answers(2);
  assert.deepEqual(heard().slice(-2), [[2, "seekTo", 25, true], [2, "playVideo"]]);
});

test("sound only covers the players", async () => {
  await two({ covered: true });
  await act(async () => $("[type=checkbox]").click());
  assert.ok($(".duo__stage--covered"));
  await two();
  assert.equal($("[type=checkbox]"), null);
});
