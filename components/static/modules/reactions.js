// Live reactions. The bar and its counts are a shared part; this floats what the audience taps and sends what this
// viewer taps: at once for the eye, at most once a second over the socket, each message under a key of its own. The
// part's running totals say how much is new, so a frame that is late, repeated or lost floats nothing twice.

import { createElement, useEffect, useRef } from "react";

const EVERY = 1000; // milliseconds from an answer to the next message
const PATIENCE = 4000; // milliseconds until a message without an answer is sent again
const TRIES = 5;
const PER_SECOND = 5;
const RISE = 3000; // milliseconds in the air: `--rise` in reactions.css
const SPREAD = 300; // milliseconds over which those that arrive together start
const IN_THE_AIR = 40;

function newKey() {
  const bytes = new Uint8Array(16).map(() => Math.random() * 256);
  try { crypto.getRandomValues(bytes); } catch { /* refused: those will do */ }
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** This viewer's taps on their way: `send({ key, types })` writes a message, `onRefusal(type)` hears what was not taken; `most` is how many taps one message holds, and how many are taken at once. */
export function createSender(send, onRefusal, most) {
  let unsent = []; // taps that no message holds yet
  let message = null; // the one that has no answer yet
  let left = most;
  let filled = performance.now();
  let last = -EVERY; // when something was sent or answered
  let timer = 0;

  function write(now) {
    last = now;
    message.tries += 1;
    send({ key: message.key, types: message.types });
  }
  function flush() {
    timer = 0;
    const now = performance.now();
    if (message?.tries >= TRIES) settle(0); // the moment is over
    if (!message && unsent.length) message = { key: newKey(), types: unsent.splice(0, most), tries: 0 };
    if (message && (!message.tries || now - last >= PATIENCE)) write(now);
    plan();
  }
  function settle(taken) {
    const { types } = message;
    message = null;
    types.slice(taken).forEach(onRefusal);
  }
  function plan() {
    if (timer || (!message && !unsent.length)) return;
    const due = last + (message ? PATIENCE : EVERY) - performance.now();
    timer = setTimeout(flush, Math.max(0, due));
  }
  return {
    /** Whether one more tap is taken now. */
    tap(type) {
      const now = performance.now();
      left = Math.min(most, left + ((now - filled) / 1000) * PER_SECOND);
      filled = now;
      if (left < 1) return false;
      left -= 1;
      unsent.push(type);
      plan();
      return true;
    },
    /** The server has stored the first `taken` taps of this message. */
    onAnswer({ key, taken }) {
      if (message?.key !== key) return;
      settle(taken);
      last = performance.now();
      clearTimeout(timer);
      timer = 0;
      plan();
    },
    end: () => clearTimeout(timer),
  };
}

/** How many of each type are new since the last look, this viewer's own not counted again. */
export function createTotals() {
  const known = new Map();
  const own = new Map();
  const change = (type, by) => own.set(type, Math.max(0, (own.get(type) || 0) + by));
  return {
    countOwn: (type) => change(type, 1),
    onRefusal: (type) => change(type, -1),
    takeNew(totals) {
      const found = [];
      for (const [type, total] of Object.entries(totals)) {
        const before = known.get(type);
        known.set(type, total);
        const more = before === undefined ? 0 : Math.max(0, total - before);
        const mine = Math.min(more, own.get(type) || 0);
        change(type, -mine);
        for (let n = mine; n < more; n += 1) found.push(type);
      }
      return found;
    },
  };
}

/** Whether the connection is lost, so that what is tapped now goes nowhere. */
const isAway = () => ["waiting", "stopped"].includes(document.querySelector("[data-connection]")?.dataset.connection);

/** Let a sign of this type rise once, `delay` milliseconds from now. */
function float(air, type, delay) {
  const sign = document.querySelector(`[data-react="${type}"] svg`)?.cloneNode(true);
  if (!sign || air.childElementCount >= IN_THE_AIR) return;
  sign.style.setProperty("--x", Math.random());
  sign.style.setProperty("--delay", `${delay}ms`);
  air.append(sign);
  setTimeout(() => sign.remove(), RISE + delay);
}

export function Reactions({ bar, most, leave, answer, onTaps }) {
  const air = useRef(null);
  const props = useRef(null);
  props.current = { leave, onTaps };
  const sending = useRef(null);

  useEffect(() => {
    const totals = createTotals();
    const sender = createSender((message) => props.current.onTaps?.(message), totals.onRefusal, most);
    function isStill() {
      try { return document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches; } catch { return true; }
    }
    const rise = (type, delay) => isStill() || float(air.current, type, delay);

    function floatNew() {
      const shown = document.getElementById(bar)?.dataset.totals;
      for (const type of totals.takeNew(JSON.parse(shown || "{}"))) rise(type, Math.random() * SPREAD);
    }
    function click(event) {
      const type = event.target.closest?.("[data-react]")?.dataset.react;
      if (!type) return;
      event.preventDefault(); // without this module the browser posts it
      if (props.current.leave) {
        const { search } = new URL(event.target.closest("[data-react]").getAttribute("formaction"), location);
        const argument = new URLSearchParams(search).get("argument");
        document.dispatchEvent(new CustomEvent("command:wish", { detail: { name: "reaction_add", argument } }));
        document.querySelector(`a[href="${props.current.leave}"]`).click();
      } else if (isAway()) return; // without a connection; the status line says why
      else if (sender.tap(type)) {
        totals.countOwn(type);
        rise(type, 0);
      }
    }
    document.addEventListener("page:changed", floatNew);
    document.addEventListener("click", click);
    sending.current = sender;
    floatNew();
    return () => {
      document.removeEventListener("page:changed", floatNew);
      document.removeEventListener("click", click);
      sender.end();
    };
  }, [bar]);
  useEffect(() => {
    if (answer) sending.current.onAnswer(answer);
  }, [answer]);
  return createElement("div", { className: "floaters", "aria-hidden": true, ref: air });
}
