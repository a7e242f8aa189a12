// What is typed into <form data-draft="comment:42"> is kept in this browser until the server has acknowledged it: by
// account, and for somebody not signed in by window. A draft also holds the key under which it was last sent.

import { isSecret } from "../page/events.js";
import { controls, fill, isTouched } from "../page/queries.js";

const FORM = "form[data-draft]";
const CARRY_KEY = "drafts-carried"; // those of the page from which somebody went to sign in
const SIGN_IN_LINK = 'a[href^="/login?next="]';

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

  const store = () => (account ? localStorage : sessionStorage);
  const storageKey = (name, owner = account) => `draft:${owner}:${name}`;
  const read = (name) => attempt(() => JSON.parse(store().getItem(storageKey(name))));
  const drop = (name) => attempt(() => store().removeItem(storageKey(name)));
  const write = (name, draft) => isClosed || attempt(() => store().setItem(storageKey(name), JSON.stringify(draft)));

  function show(form, values) {
    isFilling = true;
    for (const control of draftControls(form)) {
      if (!(control.name in values)) continue;
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

  /** Another window of this account: the newest wins, and what was acknowledged there is gone here. */
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    for (const form of document.querySelectorAll(FORM)) {
      if (key !== storageKey(form.dataset.draft)) continue;
      if (newValue) show(form, JSON.parse(newValue).values);
      else if (isSame(JSON.parse(oldValue), form)) form.reset();
    }
  });

  const here = () => [...document.querySelectorAll(FORM)].map(({ dataset }) => dataset.draft);
  const carry = (names = here()) => account || attempt(() => sessionStorage.setItem(CARRY_KEY, JSON.stringify(names)));
  attempt(() => {
    const names = JSON.parse(sessionStorage.getItem(CARRY_KEY));
    sessionStorage.removeItem(CARRY_KEY);
    for (const name of (account && names) || []) {
      const draft = sessionStorage.getItem(storageKey(name, ""));
      if (draft) localStorage.setItem(storageKey(name), draft);
      sessionStorage.removeItem(storageKey(name, ""));
    }
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(SIGN_IN_LINK)) carry();
  });
  document.addEventListener("page:shown", restore);
  document.addEventListener("page:changed", restore);

  function forget() {
    isClosed = true;
    attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(storageKey(""))).forEach((key) => localStorage.removeItem(key)));
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
    /** The person goes to sign in because of these forms, or of something else on this page: the drafts come along. */
    carry,
  };
}
