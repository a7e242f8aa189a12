// What is typed into <form data-draft="comment:42"> is kept in this browser until the server has acknowledged it: by
// account, and for somebody not signed in by window. A draft also holds the key under which it was last sent.

import { isSecret } from "../page/events.js";
import { controls, fill, isTouched } from "../page/queries.js";

const FORM = "form[data-draft]";
const CARRIED = "drafts-carried"; // those of the page from which somebody went to sign in
const DOOR = 'a[href^="/login?next="]';

const attempt = (work) => { try { return work(); } catch { return null; } }; // storage may be forbidden, or full
const kept = (form) => controls(form).filter((control) => !isSecret(control) && control.type !== "file");

function valuesOf(form) {
  const data = new FormData(form);
  return Object.fromEntries(kept(form).map(({ name }) => [name, data.getAll(name)]));
}

const isSame = (draft, form) => JSON.stringify(draft?.values) === JSON.stringify(valuesOf(form));

export function createDrafts(root) {
  const { account = "" } = root.dataset;
  const known = new WeakMap(); // form -> the draft that it shows
  let closed = false; // signed out: nothing is kept any more
  let filling = false;

  const store = () => (account ? localStorage : sessionStorage);
  const place = (name, owner = account) => `draft:${owner}:${name}`;
  const read = (name) => attempt(() => JSON.parse(store().getItem(place(name))));
  const drop = (name) => attempt(() => store().removeItem(place(name)));
  const write = (name, draft) => closed || attempt(() => store().setItem(place(name), JSON.stringify(draft)));

  function show(form, values) {
    filling = true;
    for (const control of kept(form)) {
      if (!(control.name in values)) continue;
      fill(control, values[control.name]);
      control.dispatchEvent(new Event("input", { bubbles: true })); // so that what draws itself does it again
    }
    filling = false;
  }

  function restore() {
    for (const form of document.querySelectorAll(FORM)) {
      const name = form.dataset.draft;
      if (known.get(form) === name) continue;
      if (known.has(form)) form.reset(); // it was another thing's
      known.set(form, name);
      const draft = read(name);
      const early = kept(form).some(isTouched); // typed before this script ran, or kept by the browser
      if (draft && !early) show(form, draft.values);
      else if (early && !isSame(draft, form)) save(form);
    }
  }

  function save(form) {
    const name = form.dataset.draft;
    if (kept(form).some(isTouched)) write(name, { values: valuesOf(form) });
    else drop(name);
  }

  function edited({ target: { form } }) {
    if (!filling && form?.matches?.(FORM)) save(form);
  }
  for (const type of ["input", "change"]) document.addEventListener(type, edited);

  /** Another window of this account: the newest wins, and what was acknowledged there is gone here. */
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    for (const form of document.querySelectorAll(FORM)) {
      if (key !== place(form.dataset.draft)) continue;
      if (newValue) show(form, JSON.parse(newValue).values);
      else if (isSame(JSON.parse(oldValue), form)) form.reset();
    }
  });

  const here = () => [...document.querySelectorAll(FORM)].map(({ dataset }) => dataset.draft);
  const carry = (names = here()) => account || attempt(() => sessionStorage.setItem(CARRIED, JSON.stringify(names)));
  attempt(() => {
    const names = JSON.parse(sessionStorage.getItem(CARRIED));
    sessionStorage.removeItem(CARRIED);
    for (const name of (account && names) || []) {
      const draft = sessionStorage.getItem(place(name, ""));
      if (draft) localStorage.setItem(place(name), draft);
      sessionStorage.removeItem(place(name, ""));
    }
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(DOOR)) carry();
  });
  document.addEventListener("page:shown", restore);
  document.addEventListener("page:changed", restore);

  function forget() {
    closed = true;
    attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(place(""))).forEach((key) => localStorage.removeItem(key)));
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
    sent(form, sent, key) { write(form.dataset.draft, { values: valuesOf(form), sent, key }); },
    /** The person goes to sign in because of these forms, or of something else on this page: the drafts come along. */
    carry,
  };
}
