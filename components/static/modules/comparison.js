// Two or three recordings of one piece: a video loads when it is pressed, one sounds at a time, and a button or Space goes on
// with another one at the same place of the piece. The place is the time since the piece begins in that recording, plus an
// offset that can be nudged and is kept in the address. YouTube's players are controlled by messages (video-player.js).

import { createElement as h, useEffect, useRef, useState } from "react";

const PLAYER = "https://www.youtube-nocookie.com";
const LISTEN_EVERY = 250; // milliseconds, until the player answers
const MOST_ATTEMPTS = 40;
const FREE = "a, button, input, select, textarea, summary, iframe, [contenteditable]"; // Space has a meaning of its own there

/** Return the conversation with the player in the iframe `id`: `time()`, `seek(second)`, `play()`, `pause()`, `end()`. */
export function converse(id, onState) {
  let seconds = null; // of the last message
  let at = 0; // when it came
  let isPlaying = false;
  let isReady = false;
  let wanted = []; // commands until the player answers
  let attempts = 0;
  let timer = 0;
  const frame = () => document.getElementById(id);
  const post = (message) => frame()?.contentWindow?.postMessage(JSON.stringify({ ...message, id, channel: "widget" }), PLAYER);
  const command = (func, args = []) => (isReady ? post({ event: "command", func, args }) : wanted.push([func, args]));
  function announce() {
    if (isReady || (attempts += 1) > MOST_ATTEMPTS) return;
    if (frame() && !frame().contentDocument) post({ event: "listening" });
    timer = setTimeout(announce, LISTEN_EVERY);
  }
  function onMessage({ origin, source, data }) {
    if (origin !== PLAYER || source !== frame()?.contentWindow) return;
    let message = {};
    try { message = JSON.parse(data); } catch { return; }
    if (!isReady) {
      isReady = true;
      clearTimeout(timer);
      const first = wanted;
      wanted = [];
      first.forEach(([func, args]) => command(func, args));
    }
    const { currentTime, playerState } = message.info ?? {};
    if (typeof currentTime === "number") [seconds, at] = [currentTime, Date.now()];
    if (typeof playerState !== "number") return;
    const now = playerState === 1;
    if (now !== isPlaying) onState(isPlaying = now);
  }
  addEventListener("message", onMessage);
  announce();
  return {
    time: () => (seconds === null ? null : seconds + (isPlaying ? (Date.now() - at) / 1000 : 0)),
    seek(second) {
      [seconds, at] = [second, Date.now()];
      command("seekTo", [Math.round(second * 1000) / 1000, true]);
    },
    play: () => command("playVideo"),
    pause: () => command("pauseVideo"),
    end() {
      clearTimeout(timer);
      removeEventListener("message", onMessage);
    },
  };
}

const begin = ({ second, offset }) => second + offset / 10;
const fill = (words, name, n) => words.replace("{name}", name).replace("{n}", n);

/** Return the sentence with the name as an element with the attributes `named`. */
const filled = (words, name, n, named) => fill(words, "\0", n).split("\0").flatMap((text, at) => (at ? [h("span", { key: at, ...named }, name), text] : [text]));

/** Write the offset of a side into the address; 0 is left out. */
function keep(field, offset) {
  const query = new URLSearchParams(location.search);
  if (offset) query.set(field, offset);
  else query.delete(field);
  history.replaceState(history.state, "", `${location.pathname}?${query}`);
}

/** `sides` have name, source, second, offset (tenths) and its field; `covered`: offer sound only; `most`: the largest offset. */
export function Duo({ sides, words, covered, most }) {
  const [loaded, setLoaded] = useState([]); // indexes of the sides whose video is there
  const [active, setActive] = useState(-1);
  const [offsets, setOffsets] = useState(() => sides.map(({ offset }) => offset));
  const [only, setOnly] = useState(false);
  const players = useRef([]);
  const now = useRef({});
  now.current = { active, offsets };
  const at = (index) => begin({ second: sides[index].second, offset: now.current.offsets[index] });
  // a narrow screen has no room for the third (duo.css)
  const playable = () => sides.map((side, index) => index).filter((index) => sides[index].source && (index < 2 || !matchMedia("(width < 80rem)").matches));

  /** Let this side sound from `place`, the seconds since the piece began; null is where it is. */
  function sound(index, place) {
    players.current.forEach((player, other) => other !== index && player?.pause());
    if (!players.current[index]) {
      setLoaded((before) => [...before, index]);
      players.current[index] = converse(`duo-${index}`, (isPlaying) => {
        if (!isPlaying) return;
        players.current.forEach((player, other) => other !== index && player?.pause());
        setActive(index);
      });
      place ??= 0;
    }
    if (place !== null) players.current[index].seek(Math.max(0, at(index) + place));
    players.current[index].play();
    setActive(index);
  }
  function switchOver() {
    const from = now.current.active;
    const order = playable();
    if (!order.length) return;
    const next = order[(order.indexOf(from) + 1) % order.length];
    const time = from < 0 ? null : players.current[from]?.time() ?? null;
    sound(next, time === null ? null : time - at(from));
  }
  function nudge(index, by) {
    const offset = Math.max(-most, Math.min(most, offsets[index] + by));
    if (offset === offsets[index]) return;
    keep(sides[index].field, offset);
    setOffsets(offsets.map((before, other) => (other === index ? offset : before)));
    const time = players.current[index]?.time() ?? null;
    if (time !== null) players.current[index].seek(Math.max(0, time + (offset - offsets[index]) / 10));
  }
  useEffect(() => {
    const onKey = (event) => {
      if (event.key !== " " || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (now.current.active < 0 || event.target.closest?.(FREE)) return;
      event.preventDefault(); // Space would scroll
      switchOver();
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      players.current.forEach((player) => player?.end());
      players.current = [];
    };
  }, []);

  const named = covered ? {} : { translate: "no" }; // translation programs leave names
  const seats = sides.map(({ name, source }, index) => h("div", { key: index, className: `duo__seat${active === index ? "" : " is-still"}`, "data-side": index },
    !source ? h("p", { className: "muted" }, words.novideo)
      : h("div", { className: "video" }, loaded.includes(index)
        ? h("iframe", { id: `duo-${index}`, src: source, title: name, ...named, allow: "autoplay; encrypted-media; fullscreen; picture-in-picture", referrerPolicy: "strict-origin-when-cross-origin" })
        : h("button", { type: "button", className: "duo__play", "aria-label": fill(words.play, name), onClick: () => sound(index, null) }, h("span", { className: "video__play" }))),
    h("p", { className: "duo__name", ...named }, name)));
  const steps = sides.map(({ name, field, known }, index) => field && h("p", { key: field, className: "duo__step" },
    h("button", { type: "button", className: "score__step", "aria-label": fill(words.less, name), onClick: () => nudge(index, -1) }, "−"),
    h("span", { className: "small muted" }, filled(offsets[index] ? words[offsets[index] > 0 ? "later" : "earlier"] : words[known === false ? "unknown" : "together"], name, (Math.abs(offsets[index]) / 10).toFixed(1), named)),
    h("button", { type: "button", className: "score__step", "aria-label": fill(words.more, name), onClick: () => nudge(index, 1) }, "+")));
  return h("div", { className: `duo__stage${only ? " duo__stage--covered" : ""}` },
    h("div", { className: "duo__seats" }, seats),
    h("div", { className: "duo__acts" },
      sides.filter(({ source }) => source).length > 1 && h("button", { type: "button", className: "button", onClick: switchOver }, sides.length > 2 ? words.next : words.other, " ", h("kbd", null, words.key)),
      h("div", { className: "duo__steps" }, steps),
      covered && h("label", { className: "check" }, h("input", { type: "checkbox", checked: only, onChange: (event) => setOnly(event.target.checked) }), " ", words.only)),
    h("p", { className: "visually-hidden", role: "status" }, active < 0 ? "" : filled(words.sounds, sides[active].name, "", named)));
}
