// The video player: controls YouTube's player in the iframe `frame` by its postMessage protocol, because the content security
// policy refuses YouTube's script. `seeks` counts the requests to seek to `second`; another video is another `src` from the
// server. An error, or a player without an answer, is shown as a sentence. If the browser refuses sound, the video starts
// muted, and a button unmutes it.

import { createElement, useEffect, useRef, useState } from "react";

const PLAYER = "https://www.youtube-nocookie.com";
const LISTEN_EVERY = 250; // milliseconds, until the player answers
const MOST_ATTEMPTS = 40;
const EVENTS = ["onError", "onAutoplayBlocked"];
const ERRORS = { 100: "gone", 101: "forbidden", 150: "forbidden", 153: "forbidden" }; // error codes of the IFrame API; others are "silent"

/**
 * Return `seek(second)`, `unmute()` and `end()` for the player in the iframe of this id. `report`
 * receives the trouble: "gone", "forbidden", "silent" or "sound", or "" when another video loads.
 */
export function converse(id, report) {
  let isReady = false; // the player that shows `lastAddress` has answered
  let lastAddress = null; // the iframe's address at the last check
  let pendingSecond = null; // seconds to seek to once the player answers
  let isUnloading = false; // the iframe still shows the previous video
  let timer = 0;
  let attempts = 0;

  const frame = () => document.getElementById(id);
  const post = (message) => frame()?.contentWindow?.postMessage(JSON.stringify({ ...message, id, channel: "widget" }), PLAYER);
  const command = (func, args) => post({ event: "command", func, args });

  function announce() {
    clearTimeout(timer);
    if (!frame() || isReady || isUnloading) return;
    if ((attempts += 1) > MOST_ATTEMPTS) return report("silent");
    // a readable document is the empty one before the player loads
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
    let message = {};
    try { message = JSON.parse(event.data); } catch { /* not a message of the player */ }
    if (message.event === "onError") report(ERRORS[message.info] || "silent");
    if (message.event !== "onAutoplayBlocked") return;
    command("mute", []);
    command("playVideo", []);
    report("sound");
  }
  function onLoad(event) {
    const element = frame();
    if (!element || event.target !== element) return;
    lastAddress = element.src;
    isReady = isUnloading = false;
    attempts = 0;
    report("");
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
        isUnloading = true; // until its load event: earlier messages come from the previous video
      }
      lastAddress = src ?? null;
      attempts = 0;
      if (isReady) seekNow();
      else announce();
    },
    unmute() {
      command("unMute", []);
      command("playVideo", []);
      report("");
    },
    end() {
      clearTimeout(timer);
      removeEventListener("message", onMessage);
      document.removeEventListener("load", onLoad, true);
    },
  };
}

/** Scroll the video into view and focus it, so that Tab continues there. A visible video takes neither scroll nor focus. */
export function reveal(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  element.focus({ preventScroll: true });
  try { element.scrollIntoView({ block: "center" }); } catch { element.focus(); } // also scrolls
}

/** `words` contains the sentences for errors, and the button's label. */
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
