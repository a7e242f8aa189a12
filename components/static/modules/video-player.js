// The video stage: talks to the YouTube player in the iframe `frame` by its postMessage protocol (the policy refuses
// YouTube's own script). `seeks` counts the wishes: one more asks for `second`; another video is another `src` from the server.

import { useEffect, useRef } from "react";

const PLAYER = "https://www.youtube-nocookie.com";
const KNOCK_EVERY = 250; // milliseconds, until the player answers
const KNOCKS = 40;

/** The conversation with the player in the iframe of this id; it begins with the first `seek`. */
export function converse(id) {
  let ready = false; // the player that shows `known` has answered
  let known = null; // the address that the iframe had when it was last looked at
  let wanted = null; // seconds to seek to once the player answers; only the last wish counts
  let unloading = false; // the iframe still holds the video before this one
  let timer = 0;
  let knocks = 0;

  const frame = () => document.getElementById(id);
  const post = (message) => frame()?.contentWindow?.postMessage(JSON.stringify({ ...message, id, channel: "widget" }), PLAYER);
  const command = (func, args) => post({ event: "command", func, args });

  function knock() {
    clearTimeout(timer);
    if (wanted === null || unloading || (knocks += 1) > KNOCKS) return;
    // a document that we can look into is the empty one before the player
    if (frame() && !frame().contentDocument) post({ event: "listening" });
    timer = setTimeout(knock, KNOCK_EVERY);
  }
  function perform() {
    clearTimeout(timer);
    const second = wanted;
    wanted = null;
    if (second === null) return;
    command("seekTo", [second, true]);
    command("playVideo", []);
  }
  function heard(event) {
    const element = frame();
    if (event.origin !== PLAYER || !element || event.source !== element.contentWindow || unloading) return;
    ready = true;
    perform();
  }
  function loaded(event) {
    const element = frame();
    if (!element || event.target !== element) return;
    known = element.src;
    ready = unloading = false;
    knocks = 0;
    knock();
  }
  addEventListener("message", heard);
  document.addEventListener("load", loaded, true); // load does not bubble

  return {
    seek(second) {
      wanted = second;
      const { src } = frame() || {};
      if (known !== null && src !== known) {
        ready = false;
        unloading = true; // until its load event: what answers before that is the old video
      }
      known = src ?? null;
      knocks = 0;
      if (ready) perform();
      else knock();
    },
    end() {
      clearTimeout(timer);
      removeEventListener("message", heard);
      document.removeEventListener("load", loaded, true);
    },
  };
}

/** Bring the video into view; focus follows only then, so that Tab goes on where the viewer looks. */
export function reveal(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "center" });
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
