// Marks on a keyboard: each `.score` is a range input from 0 (no mark) to 25, and its keys, number and flag follow it without
// the server. Fingers tap or slide sideways; a vertical movement scrolls. The form's submit button is enabled once the form
// is complete and differs from the stored marks. Of a form's items, one at a time is open and shows its keys.

import { useEffect, useRef } from "react";

const PAUSE = 900; // milliseconds between two digits of one number
const SLACK = 10; // pixels of tolerance of a finger
const FORM = "form.rating";
const RANGE = ".score input";
const BACK = "[data-command=rating_restore]";
const QUICK = ".rating .choice input";
const NONE = "–";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** Change the element's text. Its text node stays: another child would make browsers style the whole form again (`:has()`). */
function write(node, text) {
  if (!node || node.textContent === text) return;
  const { firstChild, lastChild } = node;
  if (firstChild?.nodeType === 3 && firstChild === lastChild) firstChild.data = text;
  else node.textContent = text;
}

/** Draw the keys for the range's value. */
export function draw(range, words) {
  const score = range.closest(".score");
  const value = Number(range.value);
  score.dataset.value = value;
  score.querySelector(".score__flag")?.style.setProperty("--v", value); // on the score, all its keys would inherit it
  range.setAttribute("aria-valuetext", value ? words.of.replace("{n}", value) : words.none);
  all(".keys i", score).forEach((key, index) => key.classList.toggle("on", (index % range.max) + 1 === value)); // own keys, and the audience's over them
  for (const node of all(".score__flag, output", score)) write(node, value ? String(value) : NONE);
  const own = score.parentElement.querySelector(".items__own > [data-slot]");
  if (!own) return; // a comparison has no items
  write(own, value ? String(value) : words.rate);
  if (value) own.dataset.own = value;
  else delete own.dataset.own;
}

/** Open this item of a form, or close it, and close the others. What was pressed stays: `find(item)` comes to its place. */
function open(item, pressed, find, isOpen = true) {
  const { top } = pressed.getBoundingClientRect();
  for (const each of item.parentElement.children) {
    const is = isOpen && each === item;
    each.classList.toggle("is-open", is);
    each.querySelector(".items__name").setAttribute("aria-expanded", is);
  }
  const moved = find(item).getBoundingClientRect().top - top;
  for (let box = item; moved && box; box = box.parentElement) {
    const before = box.scrollTop;
    if (box === document.documentElement || ["auto", "scroll"].includes(getComputedStyle(box).overflowY)) box.scrollTop += moved;
    if (box.scrollTop !== before) return;
  }
}

/** Return the mean of these numbers, to one decimal. */
function average(numbers) {
  const sum = numbers.reduce((total, number) => total + Number(number), 0);
  return (Math.round((sum / numbers.length) * 10) / 10).toFixed(1);
}

/** Whether this control differs from the stored value. A removed mark is not sent. */
const isChanged = (control) => (control.type === "radio" ? control.checked !== control.defaultChecked
  : control.value.trim() !== control.defaultValue && !(control.type === "range" && control.value === "0"));

/** Name what is missing, each a link to its control; `missing` are [name, control]. */
function nameMissing(needs, missing) {
  const { dataset } = needs;
  const names = missing.map(([name]) => name).join();
  if (dataset.named === names) return;
  dataset.named = names;
  const links = missing.map(([name, { id }]) => ` <a href="#${id}">${dataset[name]}</a>`);
  needs.innerHTML = names ? dataset.missing + links : dataset.unchanged; // the form's own texts
}

/** Show the form's progress, and enable its button once pieces, performance and comment are complete. */
export function showProgress(form) {
  const ranges = all(RANGE, form);
  const marks = ranges.filter((range) => Number(range.value));
  write(form.querySelector(".marks__average"), marks.length ? average(marks.map((range) => range.value)) : NONE);
  const same = form.querySelector(".marks__same");
  const means = marks.map((range) => range.closest(".score").querySelector("[data-mean]")?.dataset.mean);
  const isWhole = means.length === ranges.length; // then the figure of the performance is shown
  const isKnown = same && !isWhole && means.length > 1 && !means.includes(undefined); // a single piece shows its mean itself
  form.querySelector(".marks__figure")?.toggleAttribute("hidden", !isWhole);
  write(same, isKnown ? same.dataset.words.replace("{n}", means.length).replace("{mean}", average(means)) : "");
  const far = form.querySelector(".marks__far");
  if (far) write(far, far.dataset.words.replace("{n}", marks.length));
  if (far) far.hidden = !marks.length || isWhole;
  const submit = [...form.elements].find(({ type }) => type === "submit"); // buttons of pieces belong to another form
  if (!submit || submit.getAttribute("aria-busy") === "true") return;
  const { score, comment } = form.elements;
  const { own } = form.dataset;
  const isEdited = all("input, textarea", form).some(isChanged);
  const isResend = own === "changed" || (own === "submitted" && isEdited);
  const missing = [["piece", ranges[0], !marks.length], ["whole", score[0], !score.value], ["comment", comment, !comment.value.trim()]].filter(([, , isMissing]) => isMissing);
  const ready = !missing.length && (isEdited || isResend || own === "marked");
  const needs = form.querySelector(".marks__needs");
  nameMissing(needs, missing);
  write(submit, submit.dataset[isResend ? "changed" : "first"]);
  form.querySelector(".marks__changed").hidden = !isResend;
  if (submit.disabled === ready) {
    if (!ready && document.activeElement === submit) needs.focus({ preventScroll: true }); // its description gives the reason
    submit.disabled = !ready;
  }
  form.toggleAttribute("data-ready", ready);
}

function set(range, value) {
  const next = String(Math.max(0, Math.min(Number(range.max), value)));
  if (range.value === next) return;
  range.value = next;
  range.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Listen to pointers and keys; returns the function that removes the listeners. */
export function listen(redraw) {
  let pointer = null; // the pressed pointer on a keyboard
  let pressedChoice = null; // the checked quick rating under the pressed pointer
  let typed = { range: null, number: "", at: 0 }; // digits of one number

  const at = ({ clientX }, { range }) => {
    const { left, width } = range.getBoundingClientRect();
    return Math.floor(((clientX - left) / width) * (Number(range.max) + 1));
  };
  function setSliding(sliding) {
    pointer.sliding = sliding;
    pointer.range.closest(".score").classList.toggle("is-active", sliding);
  }
  function untick(radio) {
    radio.checked = false;
    radio.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function down(event) {
    const quick = event.target.closest?.("label")?.querySelector("input");
    pressedChoice = quick?.matches(QUICK) && quick.checked ? quick : null;
    const board = event.target.closest?.(".score__board");
    if (!board || event.button || (pointer && !event.isPrimary)) return;
    if (pointer) setSliding(false); // its pointerup is missing
    const range = board.querySelector("input");
    pointer = { board, range, id: event.pointerId, x: event.clientX, y: event.clientY, before: range.value };
    if (event.pointerType !== "mouse") return;
    event.preventDefault(); // prevents text selection
    begin(event);
  }
  function begin(event) {
    pointer.range.focus({ preventScroll: true });
    try { pointer.board.setPointerCapture(pointer.id); } catch { /* without capture it works only over the keys */ }
    setSliding(true);
    set(pointer.range, at(event, pointer));
  }
  function move(event) {
    if (event.pointerId !== pointer?.id) return;
    const [x, y] = [Math.abs(event.clientX - pointer.x), Math.abs(event.clientY - pointer.y)];
    if (pointer.sliding) set(pointer.range, at(event, pointer));
    else if (y > SLACK && y >= x) pointer = null; // a scroll
    else if (x > SLACK) begin(event);
  }
  function up(event) {
    if (event.pointerId !== pointer?.id) return;
    if (!pointer.sliding) begin(event); // a tap
    setSliding(false);
    pointer.range.dispatchEvent(new Event("change", { bubbles: true }));
    pointer = null;
  }
  function cancel(event) {
    if (event.pointerId !== pointer?.id) return;
    set(pointer.range, Number(pointer.before));
    setSliding(false);
    pointer = null;
  }
  function onKeyDown(event) {
    const range = event.target;
    if (range.matches?.(QUICK) && /^(Backspace|Delete)$/.test(event.key)) untick(range);
    if (!range.matches?.(RANGE) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!/^\d$/.test(event.key)) {
      typed = { range: null, number: "", at: 0 };
      if (event.key !== "Backspace" && event.key !== "Delete") return;
      set(range, 0);
    } else {
      const goesOn = typed.range === range && typed.number.length === 1 && event.timeStamp - typed.at < PAUSE;
      const number = Math.min(Number(range.max), Number((goesOn ? typed.number : "") + event.key)); // at most 26
      typed = { range, number: String(number), at: event.timeStamp };
      set(range, number);
    }
    event.preventDefault();
  }
  function onClick(event) {
    if (event.target === pressedChoice) untick(pressedChoice);
    const name = event.target.closest?.(".items__name");
    if (name) open(name.parentElement, name, () => name, name.getAttribute("aria-expanded") !== "true");
    const next = event.target.closest?.(".items__next");
    const following = next?.closest("li").nextElementSibling;
    if (following) {
      open(following, next, (item) => item.querySelector(".items__next") || item.querySelector(".items__ways"));
      following.querySelector(RANGE).focus({ preventScroll: true });
    }
    const link = event.target.closest?.(".marks__needs a");
    if (link) {
      event.preventDefault(); // the address and the history stay
      const control = document.getElementById(link.hash.slice(1));
      control.closest("li")?.querySelector(".items__name[aria-expanded=false]")?.click();
      control.focus();
    }
    const step = event.target.closest?.("[data-step]");
    const score = step?.closest(".score");
    if (!score) return;
    const value = score.querySelector("output");
    value.setAttribute("aria-live", "polite"); // without the focus the range's value is not announced
    set(score.querySelector("input"), Number(score.querySelector("input").value) + Number(step.dataset.step));
  }
  function onEdit({ target }) {
    if (target.matches?.(`${RANGE}:focus`)) target.closest(".score").querySelector("output").setAttribute("aria-live", "off");
    if (target.form?.matches(FORM)) redraw(target.form);
  }
  /** A removed mark was not sent: restore the stored one. The button that restores all of them hides: its answer gets the focus. */
  function onCommandDone({ target, detail }) {
    if (target.matches(BACK)) target.closest(FORM).querySelector(".marks__answer").focus({ preventScroll: true });
    if (!target.matches(FORM) || !detail.same) return;
    for (const range of all(RANGE, target)) if (range.value === "0") range.value = range.defaultValue;
    redraw(target);
  }
  const reset = ({ target }) => target.matches(FORM) && queueMicrotask(() => redraw(target)); // values change after the event
  const listeners = {
    pointerdown: down, pointermove: move, pointerup: up, pointercancel: cancel, keydown: onKeyDown, click: onClick, input: onEdit, change: onEdit, reset,
    "command:done": onCommandDone,
  };
  for (const [type, listener] of Object.entries(listeners)) document.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of Object.entries(listeners)) document.removeEventListener(type, listener);
  };
}

/** `words.of`, `words.none` and `words.rate` are the texts for a mark, for no mark, and for none in an item's line. */
export function Scores(words) {
  const latest = useRef(words);
  latest.current = words;

  useEffect(() => {
    function redraw(form) {
      for (const range of all(RANGE, form)) draw(range, latest.current);
      showProgress(form);
    }
    const look = () => all(FORM).forEach(redraw);
    const stop = listen(redraw);
    document.addEventListener("page:changed", look); // new forms and stored marks appear, and busy buttons are enabled
    look();
    return () => {
      stop();
      document.removeEventListener("page:changed", look);
    };
  }, []);
  return null;
}
