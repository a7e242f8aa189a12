// What is typed into <form data-draft="comment:42"> is kept in this browser until the server has acknowledged it, by
// account. A stranger's few newest ones wait two days, through the log-in and a mail opened in another tab, for whoever
// signs in next. A draft also holds the key under which it was last sent.

import { isSecret } from "../page/events.js";
import { controls, fill, isTouched } from "../page/queries.js";

const FORM = "form[data-draft]";
const PREFIX = "draft:";
const STRANGERS = `${PREFIX}:`; // no account
const LIFETIME = 2 * 24 * 3600 * 1000; // milliseconds that a stranger's draft waits: a mailed link works for one day
const MOST = 20; // drafts of strangers

const attempt = (work) => { try { return work(); } catch { return null; } }; // storage may be forbidden, or full
const draftControls = (form) => controls(form).filter((control) => !isSecret(control) && control.type !== "file");

function valuesOf(form) {
  const data = new FormData(form);
  return Object.fromEntries(draftControls(form).map(({ name }) => [name, data.getAll(name)]));
}

const isSame = (draft, form) => JSON.stringify(draft?.values) === JSON.stringify(valuesOf(form));

export function createDrafts(root) {
  const { account = "" } = root.dataset;
  const shownDrafts = new WeakMap(); // form -> the draft that it shows
  let isClosed = false; // signed out: nothing is kept any more
  let isFilling = false;

  const storageKey = (name) => `${PREFIX}${account}:${name}`;
  const keysOf = (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  const readKey = (key) => attempt(() => JSON.parse(localStorage.getItem(key)));
  const read = (name) => readKey(storageKey(name));
  const dropKey = (key) => attempt(() => localStorage.removeItem(key));
  const drop = (name) => dropKey(storageKey(name));
  const stamp = account ? () => ({}) : () => ({ at: Date.now() });

  function write(name, draft) {
    if (isClosed) return;
    attempt(() => localStorage.setItem(storageKey(name), JSON.stringify({ ...draft, ...stamp() })));
    if (!account) attempt(prune);
  }

  /** Strangers' drafts that are too old or too many are gone. */
  function prune() {
    const age = (key) => Math.abs(Date.now() - (readKey(key)?.at ?? 0));
    const keys = keysOf(STRANGERS).sort((one, other) => age(one) - age(other));
    keys.filter((key, number) => number >= MOST || age(key) > LIFETIME).forEach(dropKey);
  }

  /** Whoever signs in goes on with what was typed in this browser before. */
  function adopt() {
    for (const key of keysOf(STRANGERS)) {
      const { at, ...draft } = readKey(key);
      localStorage.setItem(storageKey(key.slice(STRANGERS.length)), JSON.stringify(draft));
      dropKey(key);
    }
  }
  attempt(prune);
  if (account) attempt(adopt);

  function show(form, values) {
    const folded = form.closest("details");
    if (folded) folded.open = true; // what waits for somebody is in view
    isFilling = true;
    for (const control of draftControls(form)) {
      if (!Object.keys(values).includes(control.name)) continue;
      fill(control, values[control.name]);
      control.dispatchEvent(new Event("input", { bubbles: true })); // so that what draws itself does it again
    }
    isFilling = false;
  }

  function restore() {
    for (const form of document.querySelectorAll(FORM)) {
      const name = form.dataset.draft;
      if (shownDrafts.get(form) === name) continue;
      if (shownDrafts.has(form)) form.reset(); // it was another thing's
      shownDrafts.set(form, name);
      const draft = read(name);
      const early = draftControls(form).some(isTouched); // typed before this script ran, or kept by the browser
      if (draft && !early) show(form, draft.values);
      else if (early && !isSame(draft, form)) save(form);
    }
  }

  function save(form) {
    const name = form.dataset.draft;
    if (draftControls(form).some(isTouched)) write(name, { values: valuesOf(form) });
    else drop(name);
  }

  function onEdit({ target: { form } }) {
    if (!isFilling && form?.matches?.(FORM)) save(form);
  }
  for (const type of ["input", "change"]) document.addEventListener(type, onEdit);

  /** Another window of this account: the newest wins, and what was acknowledged there is gone here.
   * Of a stranger nothing is acknowledged: there somebody signed in, and has it now. */
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    for (const form of document.querySelectorAll(FORM)) {
      if (key !== storageKey(form.dataset.draft)) continue;
      if (newValue) show(form, JSON.parse(newValue).values);
      else if (account && isSame(JSON.parse(oldValue), form)) form.reset();
    }
  });

  document.addEventListener("page:shown", restore);
  document.addEventListener("page:changed", restore);

  function forget() {
    isClosed = true;
    attempt(() => keysOf(storageKey("")).forEach(dropKey));
  }
  document.addEventListener("submit", ({ target }) => target.getAttribute("action") === "/sign-out" && forget());

  return {
    drop,
    forget,
    save,
    /** The key under which exactly this was sent before, if nobody knows whether it arrived. */
    keyOf(name, sent) {
      const draft = read(name);
      return draft?.sent === sent ? draft.key : undefined;
    },
    noteSent(form, sent, key) { write(form.dataset.draft, { values: valuesOf(form), sent, key }); },
  };
}
