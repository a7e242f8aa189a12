// Live reactions. The bar and its counts are a shared part; this module animates the audience's taps and sends this viewer's
// taps. A tap shows at once; messages are sent at most once a second, each under its own idempotency key. New taps are the
// difference between the part's running totals, so late, repeated or lost frames animate no tap twice.

import { createElement, useEffect, useRef } from "react";

const EVERY = 1000; // milliseconds from an answer to the next message
const PATIENCE = 4000; // milliseconds until a message without an answer is sent again
const TRIES = 5;
const PER_SECOND = 5;
const RISE = 3000; // milliseconds of the animation: `--rise` in reactions.css
const SPREAD = 300; // milliseconds over which taps of one frame start
const IN_THE_AIR = 40;

/** Return 32 hexadecimal digits. They only tell this viewer's messages apart: pseudo-random ones suffice. */
const newKey = () => Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join("");

/**
 * The queue of this viewer's taps. `send({ key, types })` writes a message, `onRefusal(type)` reports a refused tap. A message
 * holds at most `most` taps, and so does the queue.
 */
export function createSender(send, onRefusal, most) {
  let unsent = []; // taps that are in no message
  let message = null; // the message without an answer
  let left = most;
  let filled = performance.now();
  let last = -EVERY; // time of the last message or answer
  let timer = 0;

  function write(now) {
    last = now;
    message.tries += 1;
    send({ key: message.key, types: message.types });
  }
  function flush() {
    timer = 0;
    const now = performance.now();
    if (message?.tries >= TRIES) settle(0); // too late for a reaction
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
    /** Add a tap; returns whether the queue has room. */
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

/** Count the new taps since the last call, from pairs of type and running total, without this viewer's own. */
export function createTotals() {
  const known = new Map();
  const own = new Map();
  const change = (type, by) => own.set(type, Math.max(0, (own.get(type) || 0) + by));
  return {
    countOwn: (type) => change(type, 1),
    onRefusal: (type) => change(type, -1),
    takeNew(totals) {
      const newTypes = [];
      for (const [type, total] of totals) {
        const before = known.get(type);
        known.set(type, total);
        const more = before === undefined ? 0 : Math.max(0, total - before);
        const mine = Math.min(more, own.get(type) || 0);
        change(type, -mine);
        for (let n = mine; n < more; n += 1) newTypes.push(type);
      }
      return newTypes;
    },
  };
}

/** Whether the connection is lost, so that a tap cannot be sent. */
const isAway = () => ["waiting", "stopped"].includes(document.querySelector("[data-connection]")?.dataset.connection);

/** Animate one reaction of this type after `delay` milliseconds. */
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
      const shown = document.getElementById(bar);
      const running = JSON.parse(shown?.dataset.totals || "[]").map((total, place) => [shown.querySelectorAll("[data-react]")[place].dataset.react, total]);
      for (const type of totals.takeNew(running)) rise(type, Math.random() * SPREAD);
    }
    function click(event) {
      const type = event.target.closest?.("[data-react]")?.dataset.react;
      if (!type) return;
      event.preventDefault(); // without this module the browser posts the form
      if (props.current.leave) {
        const { search } = new URL(event.target.closest("[data-react]").getAttribute("formaction"), location);
        const argument = new URLSearchParams(search).get("argument");
        document.dispatchEvent(new CustomEvent("command:wish", { detail: { name: "reaction_add", argument } }));
        document.querySelector(`a[href="${props.current.leave}"]`).click();
      } else if (isAway()) return; // without a connection; the status line shows why
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
