// <time data-when>: the server writes the hall's time for everybody, the browser completes it with the viewer's own.

import { createElement, useSyncExternalStore } from "react";
import { momentWords } from "./time-words.js";

const MINUTE = 60000; // milliseconds

let now = 0; // as all times on the page know it
let timer = 0;
const watchers = new Set();

function tick() {
  now = Date.now();
  for (const watcher of watchers) watcher();
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
  }
  return () => {
    watchers.delete(watcher);
    if (watchers.size) return;
    document.removeEventListener("visibilitychange", restart);
    restart();
  };
}

export function When({ words, ...props }) {
  const at = useSyncExternalStore(watch, () => now, () => null); // null: hydration shows what the server wrote
  const replacement = at === null ? null : momentWords(props, words.join(""), at || Date.now());
  const children = replacement === null ? words : replacement.before ? [replacement.before, ...words] : [replacement];
  return createElement("time", props, ...children);
}
