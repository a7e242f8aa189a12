// The video stage: talks to the YouTube player in the iframe `frame` by its postMessage protocol (the policy refuses
// YouTube's own script). `seeks` counts the requests: one more asks for `second`; another video is another `src` from the server.

import { useEffect, useRef } from "react";

const PLAYER = "https://www.youtube-nocookie.com";
const LISTEN_EVERY = 250; // milliseconds, until the player answers
const MOST_ATTEMPTS = 40;

/** Return `seek(second)` and `end()` for the player in the iframe of this id; the first `seek` contacts it. */
export function converse(id) {
  let isReady = false; // the player that shows `lastAddress` has answered
  let lastAddress = null; // the address that the iframe had when it was last looked at
  let pendingSecond = null; // seconds to seek to once the player answers; only the last one counts
  let isUnloading = false; // the iframe still holds the video before this one
  let timer = 0;
  let attempts = 0;

  const frame = () => document.getElementById(id);
  const post = (message) => frame()?.contentWindow?.postMessage(JSON.stringify({ ...message, id, channel: "widget" }), PLAYER);
  const command = (func, args) => post({ event: "command", func, args });

  function announce() {
    clearTimeout(timer);
    if (pendingSecond === null || isUnloading || (attempts += 1) > MOST_ATTEMPTS) return;
    // a document that we can look into is the empty one before the player
    if (frame() && !frame().contentDocument) post({ event: "listening" });
    timer = setTimeout(announce, LISTEN_EVERY);
  }
  function seekNow() {
    clearTimeout(timer);
    const second = pendingSecond;
    pendingSecond = null;
    if (second === null) return;
    command("seekTo", [second, true]);
    command("playVideo", []);
  }
  function onMessage(event) {
    const element = frame();
    if (event.origin !== PLAYER || !element || event.source !== element.contentWindow || isUnloading) return;
    isReady = true;
    seekNow();
  }
  function onLoad(event) {
    const element = frame();
    if (!element || event.target !== element) return;
    lastAddress = element.src;
    isReady = isUnloading = false;
    attempts = 0;
    announce();
  }
  addEventListener("message", onMessage);
  document.addEventListener("load", onLoad, true); // load does not bubble

  return {
    seek(second) {
      pendingSecond = second;
      const { src } = frame() || {};
      if (lastAddress !== null && src !== lastAddress) {
        isReady = false;
        isUnloading = true; // until its load event: what answers before that is the old video
      }
      lastAddress = src ?? null;
      attempts = 0;
      if (isReady) seekNow();
      else announce();
    },
    end() {
      clearTimeout(timer);
      removeEventListener("message", onMessage);
      document.removeEventListener("load", onLoad, true);
    },
  };
}

/** Bring the video into view; focus follows only then, so that Tab goes on where the viewer looks. */
export function reveal(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  element.focus({ preventScroll: true });
  try {
    const noMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView({ behavior: noMotion ? "auto" : "smooth", block: "center" });
  } catch { element.focus(); } // which scrolls there too
}

export function Player({ frame, second, seeks }) {
  const conversation = useRef(null);
  useEffect(() => {
    conversation.current = converse(frame);
    return () => conversation.current.end();
  }, [frame]);
  useEffect(() => {
    const element = document.getElementById(frame);
    if (!seeks || !element) return;
    conversation.current.seek(Number(second) || 0);
    reveal(element);
  }, [frame, seeks]);
  return null;
}
