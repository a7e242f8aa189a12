// Forms that ask their own page again: <form method="get" action="/participants" data-navigate>. The fields belong to
// the address: what is typed changes it, and when it changes by history or by a link the fields follow.

import { ANSWER, answerSpot, say } from "../commands/answers.js";
import { replaceEntry } from "./scrolling.js";

const PAUSE = 300; // milliseconds without another key
const FORM = "form[data-navigate]";
const AT_ONCE = /^(select-one|select-multiple|checkbox|radio)$/;
const TICKED = /^(checkbox|radio)$/;
const UNTOUCHED = /^(hidden|submit|button|image|reset|fieldset|output)$/;

const here = () => location.pathname + location.search;
const pathOf = (form) => new URL(form.getAttribute("action") || "", location.href).pathname;

/** Where the form leads: its action with the fields that are filled. */
export function addressOf(form, submitter) {
  const fields = [...new FormData(form, submitter)].filter(([, value]) => typeof value === "string" && value.trim());
  const query = new URLSearchParams(fields).toString();
  return pathOf(form) + (query && `?${query}`);
}

export function isTouched(element) {
  if (element.options) return [...element.options].some((option) => option.selected !== option.defaultSelected);
  return TICKED.test(element.type) ? element.checked !== element.defaultChecked : element.value !== element.defaultValue;
}

export function fill(element, values) {
  if (TICKED.test(element.type)) element.checked = values.includes(element.value);
  else if (element.options) {
    for (const option of element.options) option.selected = values.includes(option.value);
    if (!element.multiple && !values.length) element.value = element.querySelector('option[value=""]') ? "" : element.options[0]?.value;
  } else element.value = values[0] ?? "";
}

/** Show what the server has stored. */
export function reset(element) {
  if (element.options) for (const option of element.options) option.selected = option.defaultSelected;
  else if (TICKED.test(element.type)) element.checked = element.defaultChecked;
  else element.value = element.defaultValue;
}

export const controls = (form) => [...form.elements].filter((element) => element.name && !UNTOUCHED.test(element.type));
const formsHere = () => [...document.querySelectorAll(FORM)].filter((form) => pathOf(form) === location.pathname);

/** `go(address)` asks the server for an address; false when it is not there. */
export function createQueries({ go, isLive }) {
  let timer = 0;
  let lastChoiceAt = -Infinity; // when a choice was last made
  const cancel = () => clearTimeout(timer);

  function ask(form) {
    cancel();
    if (!form.isConnected || pathOf(form) !== location.pathname) return;
    const address = addressOf(form);
    if (address === here()) return;
    replaceEntry(address); // a reconnect renders the present address
    go(address, "query");
  }

  /** At once, but a choice that moves on under a held key is asked for when it rests. */
  function choose(form) {
    const now = performance.now();
    const isAlone = now - lastChoiceAt > PAUSE;
    lastChoiceAt = now;
    if (isAlone) ask(form);
    else timer = setTimeout(() => ask(form), PAUSE);
  }

  function onEdit(event) {
    const form = event.target.form;
    if (!form?.matches?.(FORM) || event.isComposing) return;
    cancel();
    if (event.type === "change") return choose(form);
    if (!AT_ONCE.test(event.target.type)) timer = setTimeout(() => ask(form), PAUSE);
  }
  for (const type of ["input", "compositionend", "change"]) document.addEventListener(type, onEdit);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches(FORM) || !isLive()) return;
    if (pathOf(form) === location.pathname) ask(form);
    else if (!go(addressOf(form, event.submitter), "push")) return;
    event.preventDefault();
  });

  return {
    cancel,
    /** Say this beside the fields of this page's form; nothing where there is none. Returns whether there is one. */
    say(text) {
      const [form] = formsHere();
      if (form && (text || form.querySelector(ANSWER))) say(answerSpot(form), text);
      return !!form;
    },
    /** The address changed by itself: the fields show it. */
    follow() {
      cancel();
      const query = new URLSearchParams(location.search);
      for (const form of formsHere()) for (const control of controls(form)) fill(control, query.getAll(control.name));
    },
    /** What was typed before this script ran counts too. */
    catchUp() {
      for (const form of formsHere()) {
        if (controls(form).some(isTouched)) replaceEntry(addressOf(form));
      }
    },
  };
}
