// The video stage: talks to the YouTube player in the iframe `frame` by its postMessage protocol (the policy refuses
// YouTube's own script). `seeks` counts the requests: one more asks for `second`; another video is another `src` from the server.
// Where the player reports an error, or never answers, a sentence says so; where the browser refuses sound, the video
// starts without, and a button turns it on.

import { createElement, useEffect, useRef, useState } from "react";

const PLAYER = "https://www.youtube-nocookie.com";
const LISTEN_EVERY = 250; // milliseconds, until the player answers
const MOST_ATTEMPTS = 40;
const EVENTS = ["onError", "onAutoplayBlocked"];
const ERRORS = { 100: "gone", 101: "forbidden", 150: "forbidden", 153: "forbidden" }; // of the IFrame API; others are "silent"

/**
 * Return `seek(second)`, `unmute()` and `end()` for the player in the iframe of this id. `tell` hears what stands in the
 * way: "gone", "forbidden", "silent" or "sound"; "" when another video is loaded.
 */
export function converse(id, tell) {
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
    if (!frame() || isReady || isUnloading) return;
    if ((attempts += 1) > MOST_ATTEMPTS) return tell("silent");
    // a document that we can look into is the empty one before the player
    if (!frame().contentDocument) post({ event: "listening" });
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
    if (!isReady) EVENTS.forEach((name) => command("addEventListener", [name]));
    isReady = true;
    seekNow();
    let said = {};
    try { said = JSON.parse(event.data); } catch { /* not for us */ }
    if (said.event === "onError") tell(ERRORS[said.info] || "silent");
    if (said.event !== "onAutoplayBlocked") return;
    command("mute", []);
    command("playVideo", []);
    tell("sound");
  }
  function onLoad(event) {
    const element = frame();
    if (!element || event.target !== element) return;
    lastAddress = element.src;
    isReady = isUnloading = false;
    attempts = 0;
    tell("");
    announce();
  }
  announce();
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
    unmute() {
      command("unMute", []);
      command("playVideo", []);
      tell("");
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

/** `words` are the sentences for what stands in the way, and the button's. */
export function Player({ frame, second, seeks, words = {} }) {
  const conversation = useRef(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    conversation.current = converse(frame, setTrouble);
    return () => conversation.current.end();
  }, [frame]);
  useEffect(() => {
    const element = document.getElementById(frame);
    if (!seeks || !element) return;
    conversation.current.seek(Number(second) || 0);
    reveal(element);
  }, [frame, seeks]);
  const sound = trouble === "sound" && createElement(
    "button", { type: "button", className: "button button--small", onClick: () => conversation.current.unmute() }, words.sound,
  );
  return createElement("span", { role: "status" }, sound || words[trouble] || "");
}
