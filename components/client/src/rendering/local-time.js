// <time data-when>: the server renders the venue's time, the browser adds the viewer's own time.

import { createElement, startTransition, useEffect, useState } from "react";
import { momentWords } from "../times.js";

const MINUTE = 60000; // milliseconds

let now = null; // the present time for all times on the page; null during hydration, which shows the server's text
let timer = 0;
const watchers = new Set();

/** Show the server's text during hydration. */
export const holdTimes = () => { now = null; };

/** Hydration is done: a new time shows the viewer's text at once. */
export const startTimes = () => { now ??= Date.now(); };

function tick() {
  now = Date.now();
  startTransition(() => watchers.forEach((watcher) => watcher(now))); // a page of times would block input
}
function restart() {
  clearInterval(timer);
  if (!watchers.size || document.visibilityState === "hidden") return;
  tick();
  timer = setInterval(tick, MINUTE);
}

function watch(watcher) {
  watchers.add(watcher);
  if (watchers.size === 1) {
    document.addEventListener("visibilitychange", restart);
    restart();
  } else startTransition(() => watcher(now));
  return () => {
    watchers.delete(watcher);
    if (watchers.size) return;
    document.removeEventListener("visibilitychange", restart);
    restart();
  };
}

export function When({ props, content }) {
  const [at, setAt] = useState(now);
  useEffect(() => watch(setAt), []);
  const replacement = at === null ? null : momentWords(props, content.join(""), at);
  const children = replacement === null ? content : replacement.before ? [replacement.before, ...content] : [replacement];
  return createElement("time", props, ...children);
}
