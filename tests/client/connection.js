// A page with one paragraph and one socket, on a clock that the test moves.

import { $, Socket, fixRandom, h, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";

const ROOT = 'data-stopped="Closed." data-stopped-4504="Too many." data-waiting-4005="Too much." data-too-fast="Too fast." data-too-long="Too long."';

export const model = h("", null, h("p", null, "Hello"));
export const line = () => $("[data-connection-status]").textContent;
export const sockets = () => Socket.all.length;
export const pings = () => Socket.last.sent.filter(({ type }) => type === "ping").length;

export let pass;
export let page;
export const test = testWith(async (context) => {
  pass = stopClock(context);
  fixRandom(context, 0.5); // the middle of every jitter
  page = await open("<p>Hello</p>", { model, url: "https://hall.example/sessions?show=past", root: ROOT });
});
