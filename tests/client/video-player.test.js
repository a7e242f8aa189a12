// The video player: its messages to YouTube's player, and to no other window.

import assert from "node:assert/strict";
import { createRequire, registerHooks } from "node:module";
import { $, act, createElement, createRoot, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";

const react = new URL(`file://${createRequire(new URL("../../components/client/package.json", import.meta.url)).resolve("react")}`).href;
registerHooks({
  resolve(name, context, next) { // as the page's import map does
    if (name === "react") return { url: react, format: "commonjs", shortCircuit: true };
    return name.endsWith("video-player.js") ? { ...next(name, context), format: "module" } : next(name, context);
  },
});
const { Player } = await import("../../components/static/modules/video-player.js");

const YOUTUBE = "https://www.youtube-nocookie.com";
let pass;
let said;
let root;
let top;
const frame = () => $("#stage-video");
const WORDS = { gone: "Gone.", forbidden: "Forbidden.", silent: "Silent.", sound: "Sound on" };
const show = (second, seeks) => act(async () => root.render(createElement(Player, { frame: "stage-video", second, seeks, words: WORDS })));
const events = () => said.splice(0).filter(({ message }) => message.func !== "addEventListener").map(({ message, origin }) => (assert.equal(origin, YOUTUBE), message.func ? [message.func, ...message.args] : message.event));
const answers = (origin = YOUTUBE, source = frame().contentWindow, data = { event: "onReady" }) => act(async () =>
  window.dispatchEvent(Object.assign(new window.Event("message"), { data: JSON.stringify(data), origin, source })));
const tells = (event, info) => answers(YOUTUBE, frame().contentWindow, { event, info });
const words = () => $("#beside").textContent;
const loads = () => act(async () => frame().dispatchEvent(new window.Event("load")));

const test = testWith(async (context) => {
  pass = stopClock(context);
  said = [];
  top = 100;
  await open('<iframe id="stage-video"></iframe><div id="beside"></div>');
  frame().setAttribute("src", `${YOUTUBE}/embed/A`);
  frame().getBoundingClientRect = () => ({ top, bottom: top + 200 });
  frame().scrollIntoView = (how) => said.push({ message: { event: `scroll ${how.block}` }, origin: YOUTUBE });
  const player = { postMessage: (text, origin) => said.push({ message: JSON.parse(text), origin }) };
  Object.defineProperty(frame(), "contentWindow", { value: player }); // the same for every video, as in browsers
  Object.defineProperty(frame(), "contentDocument", { configurable: true, value: null }); // of another origin
  root = createRoot($("#beside"));
  context.after(() => act(async () => root.unmount()));
});

test("subscribes to the player's errors, and sends no other message before a seek", async () => {
  await show(0, 0);
  await answers();
  assert.deepEqual(said.map(({ message: { event, func, args } }) => [event, func, args]), [
    ["listening", undefined, undefined], ["command", "addEventListener", ["onError"]], ["command", "addEventListener", ["onAutoplayBlocked"]],
  ]);
  await pass(10000);
  assert.equal(words(), "");
});

test("a sentence shows why the video does not play, until another one is loaded", async () => {
  await show(0, 0);
  await answers();
  for (const [code, sentence] of [[100, "Gone."], [101, "Forbidden."], [150, "Forbidden."], [153, "Forbidden."], [5, "Silent."], [2, "Silent."]]) {
    await tells("onError", code);
    assert.equal(words(), sentence);
  }
  assert.equal($("#beside [role=status]").textContent, "Silent.");
  await loads();
  assert.equal(words(), "");
  await answers("https://evil.example", frame().contentWindow, { event: "onError", info: 100 });
  await answers(YOUTUBE, window, { event: "onError", info: 100 });
  assert.equal(words(), "", "only the player is believed");
});

test("a player without an answer, as in a network that blocks it, is reported too", async () => {
  await show(0, 0);
  await pass(11000);
  assert.equal(words(), "Silent.");
});

test("where the browser refuses sound the video starts without, and a button turns it on", async () => {
  await show(0, 0);
  await answers();
  events();
  await tells("onAutoplayBlocked");
  assert.deepEqual(events(), [["mute"], ["playVideo"]]);
  await act(async () => $("#beside button").click());
  assert.deepEqual(events(), [["unMute"], ["playVideo"]]);
  assert.equal($("#beside button"), null);
});

test("knocks until the player answers, then seeks and plays", async () => {
  await show(0, 0);
  await show(754, 1);
  await pass(500);
  assert.deepEqual(events(), ["listening", "listening", "listening", "listening"]);
  await answers();
  assert.deepEqual(events(), [["seekTo", 754, true], ["playVideo"]]);
  await pass(10000);
  assert.deepEqual(events(), []);
  await show(30, 2);
  assert.deepEqual(events(), [["seekTo", 30, true], ["playVideo"]]);
});

test("sends no message to the empty document before the player", async () => {
  Object.defineProperty(frame(), "contentDocument", { configurable: true, value: document });
  await show(754, 1);
  await pass(500);
  assert.deepEqual(events(), []);
  Object.defineProperty(frame(), "contentDocument", { configurable: true, value: null });
  await pass(250);
  assert.deepEqual(events(), ["listening"]);
});

test("only the last wish counts while the player is silent", async () => {
  await show(10, 1);
  await show(20, 2);
  await answers();
  assert.deepEqual(events().filter(Array.isArray), [["seekTo", 20, true], ["playVideo"]]);
});

test("another origin and another window are not the player", async () => {
  await show(10, 1);
  await answers("https://evil.example");
  await answers(YOUTUBE, window);
  assert.deepEqual(events().filter(Array.isArray), []);
});

test("another video waits for its own player", async () => {
  await show(10, 1);
  await answers();
  events();
  frame().setAttribute("src", `${YOUTUBE}/embed/B`);
  await show(99, 2);
  await answers(); // the previous video's last message
  await pass(1000);
  assert.deepEqual(events(), []);
  await loads();
  await answers();
  assert.deepEqual(events(), ["listening", ["seekTo", 99, true], ["playVideo"]]);
});

test("the same number of seeks sends no message", async () => {
  await show(10, 1);
  await answers();
  events();
  await show(10, 1);
  assert.deepEqual(events(), []);
});

test("stops waiting for a silent player, and removes its listeners", async () => {
  await show(10, 1);
  await pass(60000);
  assert.equal(events().length, 41);
  await act(async () => root.unmount());
  await answers();
  assert.equal(pass.waiting(), 0);
  assert.deepEqual(events(), []);
  root = createRoot($("#beside"));
});

test("brings the video into view, and takes the focus there", async () => {
  top = -900;
  await show(10, 1);
  assert.ok(events().includes("scroll center"));
  assert.equal(document.activeElement, frame());
});

test("a video in view takes neither scroll nor focus", async () => {
  await show(10, 1);
  assert.notEqual(document.activeElement, frame());
  assert.ok(!events().some((event) => String(event).startsWith("scroll")));
});
