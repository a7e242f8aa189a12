// <time data-when>: the server writes the hall's time for everybody, the browser completes it with the viewer's own.

import { createElement, startTransition, useEffect, useState } from "react";
import { momentWords } from "./time-words.js";

const MINUTE = 60000; // milliseconds

let now = null; // as all times on the page know it; null: hydration shows what the server wrote
let timer = 0;
const watchers = new Set();

/** While a page is hydrated its times show what the server wrote. */
export const holdTimes = () => { now = null; };

/** From now on a time that comes shows the viewer's own words at once. */
export const startTimes = () => { now ??= Date.now(); };

function tick() {
  now = Date.now();
  startTransition(() => watchers.forEach((watcher) => watcher(now))); // a page of them takes longer than a key may wait
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

export function When({ props, words }) {
  const [at, setAt] = useState(now);
  useEffect(() => watch(setAt), []);
  const replacement = at === null ? null : momentWords(props, words.join(""), at);
  const children = replacement === null ? words : replacement.before ? [replacement.before, ...words] : [replacement];
  return createElement("time", props, ...children);
}
