// What is typed into <form data-draft="comment:42"> is kept in this browser until the server has acknowledged it, by
// account: what differs from the stored values that the form shows, and the key under which it was last sent. A visitor's
// drafts wait for the account that signs in next; an account's wait for its next sign-in (draft-store.js says how long).

import { isSecret } from "../page/events.js";
import { controls, fill, isTouched, reset } from "../page/queries.js";
import { format } from "../times/time-words.js";
import { pageSpot, reveal, say } from "./answers.js";
import { PREFIX, SIGNED_IN, adopt, attempt, begin, dropKey, keysOf, prune, readKey, storageKey } from "./draft-store.js";

const FORM = "form[data-draft]";
const VERSION = "version"; // the field with the version that the form shows: it belongs to the changes

const draftControls = (form) => controls(form).filter((control) => !isSecret(control) && control.type !== "file");
const isChanged = (control) => control.name !== VERSION && isTouched(control);
const isEdited = (form) => draftControls(form).some(isChanged);

function valuesOf(form) {
  const data = new FormData(form);
  const changed = draftControls(form).filter((control) => control.name === VERSION || isChanged(control));
  return Object.fromEntries(changed.map(({ name }) => [name, data.getAll(name)]));
}

const isSame = (draft, form) => JSON.stringify(draft?.values) === JSON.stringify(valuesOf(form));

function timeOf(at) {
  const moment = new Date(at);
  const clock = moment.toTimeString().slice(0, 5);
  if (moment.toDateString() === new Date().toDateString()) return clock;
  return `${format(document.documentElement.lang || "en", moment, { day: "numeric", month: "long" })}, ${clock}`;
}

/** `onSignIn` hears in an anonymous window that another one has signed in. */
export function createDrafts(root, onSignIn) {
  const { account = "" } = root.dataset;
  const shownDrafts = new WeakMap(); // form -> the draft that it shows
  const notes = new WeakMap(); // form -> the line that says what was restored
  let isClosed = false; // signed out in this browser: nothing is kept any more
  let isFilling = false;

  const keyOf = (name) => storageKey(account, name);
  const read = (name) => readKey(keyOf(name));
  const drop = (name) => dropKey(keyOf(name));

  function write(name, draft) {
    if (isClosed) return;
    attempt(() => localStorage.setItem(keyOf(name), JSON.stringify({ ...draft, at: Date.now() })));
    if (!account) attempt(() => prune(account));
  }

  begin(account);
  if (account) adopt(account);

  /** Show these values in the form, and what is stored in its other fields. */
  function show(form, values) {
    const folded = form.closest("details");
    if (folded) folded.open = true; // what waits for somebody is in view
    isFilling = true;
    for (const control of draftControls(form)) {
      if (Object.keys(values).includes(control.name)) fill(control, values[control.name]);
      else if (isTouched(control)) reset(control);
      else continue;
      control.dispatchEvent(new Event("input", { bubbles: true })); // so that what draws itself does it again
    }
    isFilling = false;
  }

  function startOver(form) {
    show(form, {});
    drop(form.dataset.draft);
    endNote(form);
    draftControls(form)[0]?.focus();
  }

  function endNote(form) {
    notes.get(form)?.remove();
    notes.delete(form);
  }

  /** Say at the top of the form that what it shows is not stored. */
  function noteRestored(form, { at = Date.now() }) {
    const note = document.createElement("p");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: root.dataset.startOver });
    note.className = "restored";
    note.setAttribute("role", "status");
    note.append(root.dataset.restored?.replace("{time}", timeOf(at)) ?? "", " ", button);
    button.addEventListener("click", () => startOver(form));
    endNote(form);
    notes.set(form, note);
    form.prepend(note);
  }

  function restore() {
    for (const form of document.querySelectorAll(FORM)) {
      const name = form.dataset.draft;
      if (shownDrafts.get(form) === name) continue;
      if (shownDrafts.has(form)) form.reset(); // it was another thing's
      shownDrafts.set(form, name);
      const draft = read(name);
      const early = isEdited(form); // typed before this script ran, or kept by the browser
      if (draft && !early) restoreDraft(form, draft);
      else if (early && !isSame(draft, form)) save(form);
    }
  }

  function restoreDraft(form, draft) {
    const isStored = draft.posted && form.dataset.saved !== undefined;
    if (!isStored) show(form, draft.values);
    if (isEdited(form)) noteRestored(form, draft);
    else startClean(form);
  }

  /** All of the draft is stored by now. */
  function startClean(form) {
    form.reset();
    drop(form.dataset.draft);
  }

  function save(form) {
    const name = form.dataset.draft;
    if (isEdited(form)) return write(name, { values: valuesOf(form) });
    drop(name);
    endNote(form);
  }

  function onEdit({ target: { form } }) {
    if (!isFilling && form?.matches?.(FORM)) save(form);
  }
  for (const type of ["input", "change"]) document.addEventListener(type, onEdit);
  for (const type of ["reset", "command:done"]) document.addEventListener(type, ({ target }) => endNote(target));

  addEventListener("storage", ({ key, oldValue, newValue }) => {
    if (key === SIGNED_IN && newValue !== null && newValue !== account) {
      if (account) isClosed = true; // this account is signed out in this browser
      else if (newValue) onSignIn();
    }
    // Another window of this account: the newest wins, and what was acknowledged there is gone here.
    // Of a visitor nothing is acknowledged: there an account was signed in to, and has it now.
    for (const form of document.querySelectorAll(FORM)) {
      if (key !== keyOf(form.dataset.draft)) continue;
      if (newValue) show(form, JSON.parse(newValue).values);
      else if (account && isSame(JSON.parse(oldValue), form)) form.reset();
    }
  });

  document.addEventListener("page:shown", restore);
  document.addEventListener("page:changed", restore);

  /** An account's drafts wait for its sign-in: say so where its session has just ended. */
  function noteEnded() {
    document.removeEventListener("page:shown", noteEnded);
    const isEnded = attempt(() => sessionStorage.getItem("ended"));
    attempt(() => sessionStorage.removeItem("ended"));
    if (account || !isEnded || !attempt(() => keysOf(PREFIX).length)) return;
    const spot = pageSpot();
    say(spot, root.dataset.kept, "bad");
    reveal(spot);
  }
  document.addEventListener("page:shown", noteEnded);

  document.addEventListener("submit", ({ target }) => {
    if (target.getAttribute("action") === "/sign-out") {
      isClosed = true;
      attempt(() => localStorage.setItem(SIGNED_IN, ""));
      attempt(() => keysOf(keyOf("")).forEach(dropKey));
    } else if (target.matches(FORM) && !target.dataset.command) write(target.dataset.draft, { values: valuesOf(target), posted: true });
  });

  return {
    drop,
    save,
    /** The session has ended, but not by a sign-out here: what was typed stays for its account. */
    onSessionEnd() { if (!isClosed && attempt(() => keysOf(keyOf("")).length)) attempt(() => sessionStorage.setItem("ended", "1")); },
    /** The key under which exactly this was sent before, if nobody knows whether it arrived. */
    keyOf(name, sent) {
      const draft = read(name);
      return draft?.sent === sent ? draft.key : undefined;
    },
    noteSent(form, sent, key) { write(form.dataset.draft, { values: valuesOf(form), sent, key }); },
  };
}
