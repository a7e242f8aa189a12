// Marks on keys: each `.score` is a range from 0 (the rest: no mark yet) to 25 whose keys, number and flag follow it
// without the server. Fingers tap or slide sideways; what moves up or down is scrolling and changes nothing. The forms
// show what the viewer gave before, and their button waits until there is something to submit.

import { useEffect, useLayoutEffect, useRef } from "react";

const PAUSE = 900; // milliseconds between two digits of one number
const SLACK = 10; // pixels that a finger may tremble
const FORM = "form.rating";
const RANGE = ".score input";
const QUICK = ".rating .choice input";
const NONE = "–";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
/** Writes only what differs: what is written is observed. */
const write = (node, text) => { if (node && node.textContent !== text) node.textContent = text; };
const hide = (node, hidden) => { if (node && node.hidden !== hidden) node.hidden = hidden; };

/** Draw the keys as the range says. */
export function draw(range, words) {
  const score = range.closest(".score");
  const value = Number(range.value);
  score.dataset.value = value;
  score.style.setProperty("--v", value);
  range.setAttribute("aria-valuetext", value ? words.of.replace("{n}", value) : words.none);
  all(".keys i", score).forEach((key, index) => key.classList.toggle("on", index + 1 === value));
  for (const place of all(".score__flag, output", score)) write(place, value ? String(value) : NONE);
}

/** Say how far the form is, and whether it may be submitted: a piece, the whole and a comment. */
export function check(form) {
  const marks = all(RANGE, form).map((range) => Number(range.value)).filter(Boolean);
  const mean = marks.reduce((sum, mark) => sum + mark, 0) / marks.length;
  write(form.querySelector(".marks__average"), marks.length ? (Math.round(mean * 10) / 10).toFixed(1) : NONE);
  const far = form.querySelector(".marks__far");
  if (far) write(far, far.dataset.words.replace("{n}", marks.length).replace("{all}", far.dataset.all));
  hide(far, !marks.length || marks.length === Number(far?.dataset.all));
  const submit = form.querySelector("[type=submit]");
  if (!submit || submit.ariaBusy === "true" || submit.getAttribute("aria-busy") === "true") return;
  const { score, comment } = form.elements;
  const ready = Boolean(marks.length && score.value && comment.value.trim());
  if (submit.disabled === ready) submit.disabled = !ready;
}

/** Put what was given before into the form, as its own values: what was changed since stays changed. */
export function give(form, given = {}) {
  const controls = [...form.elements].filter(({ name }) => name);
  const isChanged = (control) => (control.type === "radio" ? control.checked !== control.defaultChecked : control.value !== control.defaultValue);
  const changed = new Set(controls.filter(isChanged).map(({ name }) => name));
  for (const control of controls) {
    const value = given[control.name] ?? "";
    if (control.type === "radio") {
      const { checked } = control;
      control.defaultChecked = control.value === value;
      control.checked = changed.has(control.name) ? checked : control.defaultChecked;
    } else {
      const now = control.value;
      control.defaultValue = control.type === "range" ? value || "0" : value;
      control.value = changed.has(control.name) ? now : control.defaultValue;
    }
  }
}

function set(range, value) {
  const next = String(Math.max(0, Math.min(Number(range.max), value)));
  if (range.value === next) return;
  range.value = next;
  range.dispatchEvent(new Event("input", { bubbles: true }));
}

/** One's own marks among everybody's: rules, for the figures belong to a part that is the same for all. */
function rulesOf(own, yours) {
  const rule = (name, nth, mark) =>
    `[data-hall="${name}"] i:nth-child(${Number(nth)}){--key-white:var(--key-struck);--key-black:var(--key-struck);` +
    "--brass-fill:var(--key-struck);--brass:var(--key-struck-ink)}" +
    `[data-hall="${name}"] .own::after{content:${JSON.stringify(`, ${yours.replace("{n}", Number(mark))}`)}}`;
  return Object.entries(own).flatMap(([place, { fields }]) => Object.entries(fields).flatMap(([name, value]) => {
    const what = name === "score" ? "whole" : name.match(/^piece-(\d+)$/)?.[1];
    return what ? [rule(`${Number(place)}-${what}`, value, value)] : [];
  })).join("");
}

/** Listen to hands and keys; returns the function that ends it. */
export function listen(redraw) {
  let held = null; // the finger or mouse that is down on a keyboard
  let chosen = null; // the quick rating that is chosen already where a hand comes down
  let typed = { range: null, number: "", at: 0 }; // the digits of one number

  const at = ({ clientX }, { range }) => {
    const { left, width } = range.getBoundingClientRect();
    return Math.floor(((clientX - left) / width) * (Number(range.max) + 1));
  };
  function hold(sliding) {
    held.sliding = sliding;
    held.range.closest(".score").classList.toggle("is-held", sliding);
  }
  function release(radio) {
    radio.checked = false;
    radio.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function down(event) {
    const quick = event.target.closest?.("label")?.querySelector("input");
    chosen = quick?.matches(QUICK) && quick.checked ? quick : null;
    const board = event.target.closest?.(".score__board");
    if (!board || event.button || (held && !event.isPrimary)) return;
    if (held) hold(false); // its end was never heard
    const range = board.querySelector("input");
    held = { board, range, id: event.pointerId, x: event.clientX, y: event.clientY, before: range.value };
    if (event.pointerType !== "mouse") return;
    event.preventDefault(); // no text is selected
    begin(event);
  }
  function begin(event) {
    held.range.focus({ preventScroll: true });
    held.board.setPointerCapture?.(held.id);
    hold(true);
    set(held.range, at(event, held));
  }
  function move(event) {
    if (event.pointerId !== held?.id) return;
    const [x, y] = [Math.abs(event.clientX - held.x), Math.abs(event.clientY - held.y)];
    if (held.sliding) set(held.range, at(event, held));
    else if (y > SLACK && y >= x) held = null; // it scrolls
    else if (x > SLACK) begin(event);
  }
  function up(event) {
    if (event.pointerId !== held?.id) return;
    if (!held.sliding) begin(event); // a tap
    hold(false);
    held.range.dispatchEvent(new Event("change", { bubbles: true }));
    held = null;
  }
  function cancel(event) {
    if (event.pointerId !== held?.id) return;
    set(held.range, Number(held.before));
    hold(false);
    held = null;
  }
  function pressed(event) {
    const range = event.target;
    if (range.matches?.(QUICK) && /^(Backspace|Delete)$/.test(event.key)) release(range);
    if (!range.matches?.(RANGE) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Backspace" || event.key === "Delete") set(range, 0);
    else if (!/^\d$/.test(event.key)) return;
    else {
      const goesOn = typed.range === range && event.timeStamp - typed.at < PAUSE;
      const number = Number((goesOn ? typed.number : "") + event.key);
      typed = { range, number: number > Number(range.max) ? event.key : String(number), at: event.timeStamp };
      if (number <= Number(range.max) || event.key !== "0") set(range, Number(typed.number));
    }
    event.preventDefault();
  }
  function clicked(event) {
    if (event.target === chosen) release(chosen);
    const step = event.target.closest?.("[data-step]");
    const score = step?.closest(".score");
    if (!score) return;
    const value = score.querySelector("output");
    value.setAttribute("aria-live", "polite"); // nobody hears the range now
    set(score.querySelector("input"), Number(score.querySelector("input").value) + Number(step.dataset.step));
  }
  function edited({ target }) {
    if (target.matches?.(`${RANGE}:focus`)) target.closest(".score").querySelector("output").setAttribute("aria-live", "off");
    if (target.form?.matches(FORM)) redraw(target.form);
  }
  /** A mark that was taken off was not sent: the one that was given before holds. */
  function kept({ target }) {
    if (!target.matches(FORM)) return;
    for (const range of all(RANGE, target)) if (range.value === "0") range.value = range.defaultValue;
    redraw(target);
  }
  const reset = ({ target }) => target.matches(FORM) && queueMicrotask(() => redraw(target)); // the values follow the event
  const heard = {
    pointerdown: down, pointermove: move, pointerup: up, pointercancel: cancel, keydown: pressed, click: clicked, input: edited, change: edited, reset,
    "act:kept": kept,
  };
  for (const [type, listener] of Object.entries(heard)) document.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of Object.entries(heard)) document.removeEventListener(type, listener);
  };
}

/** `own` is null until the server has read it: after a reconnect what was known before holds until then. */
export function Scores({ own: read, words }) {
  const shown = useRef({ own: {} });
  const own = read ?? shown.current.own;
  shown.current = { own, words };

  function redraw(form) {
    for (const range of all(RANGE, form)) draw(range, shown.current.words);
    check(form);
  }
  function votes() {
    for (const button of all(".vote[data-argument]")) {
      const [place, which] = button.dataset.argument.split(":");
      const pressed = String(shown.current.own[place]?.recommendation === which);
      if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
    }
  }
  useEffect(() => {
    const stop = listen(redraw);
    const known = new WeakSet();
    function look() {
      for (const form of all(FORM)) {
        if (known.has(form)) check(form);
        else {
          known.add(form);
          give(form, shown.current.own[form.dataset.place]?.fields);
          redraw(form);
        }
      }
      votes();
    }
    const observer = new MutationObserver(look); // parts come and change; a button that was busy is free again
    observer.observe(document.getElementById("main"), { subtree: true, childList: true, attributeFilter: ["aria-busy"] });
    look();
    return () => {
      stop();
      observer.disconnect();
    };
  }, []);
  const given = JSON.stringify(own);
  useEffect(() => {
    for (const form of all(FORM)) {
      const mine = own[form.dataset.place];
      give(form, mine?.fields);
      redraw(form);
      const state = form.querySelector("[data-state]");
      write(state, mine?.state ?? "");
      hide(state, !mine?.state);
    }
    votes();
  }, [given]);
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rulesOf(own, words.yours));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [given]);
  return null;
}
