// Drafts: the unsaved values of <form data-draft="comment:42"> are kept in local storage until the server acknowledges
// them. A draft contains the values that differ from the stored ones, and the key under which they were last sent. Drafts
// of an anonymous visitor pass to the account that signs in next, marks only if its member agrees (taking-over.js); those
// of an account wait for its next sign-in. The rating forms of members have no drafts: kept-marks.js.

import { endSuccess, pageSpot, reveal, say } from "./commands.js";
import { controls, fill, isSecret, isTouched, reset } from "./fields.js";
import { createFolding } from "./folding.js";
import { isMarks } from "./kept-marks.js";
import { isTyped, reloadSignedOut } from "./reload.js";
import { PREFIX, VISITOR, attempt, dropKey, keysOf, readKey, storageKey } from "./storage.js";
import { format } from "./times.js";

// draft-expiry.js uses `begin` on pages of forms, which have no client.

export const SIGNED_IN = "account"; // key: the account that is signed in, or "" from a sign-out to the next page
const DAY = 24 * 3600 * 1000; // milliseconds for which an account's draft is kept after its session
const VISITOR_DAYS = 2; // a link in a mail is valid for one day
const MOST = 100; // drafts of anonymous visitors; a registration takes the marks of as many performances

/** Drop drafts that are too old or too many. If an account is signed in, drop those of other accounts too. */
function prune(account) {
  const age = (key) => Math.abs(Date.now() - (readKey(key)?.at ?? 0));
  const isOver = (key, number) => key.startsWith(VISITOR) ? number >= MOST || age(key) > VISITOR_DAYS * DAY
    : account ? !key.startsWith(storageKey(account, "")) : age(key) > DAY;
  const drafts = keysOf(PREFIX).sort((one, other) => !one.startsWith(VISITOR) - !other.startsWith(VISITOR) || age(one) - age(other));
  drafts.filter(isOver).forEach(dropKey);
}

/** Start a page of this account: store the account for other windows, and prune the drafts. */
export const begin = (account) => attempt(() => {
  if (account) localStorage.setItem(SIGNED_IN, account);
  else localStorage.removeItem(SIGNED_IN);
  prune(account);
});

/** Give the drafts of the anonymous visitor to the account that has signed in. */
const adopt = (account) => attempt(() => {
  for (const key of keysOf(VISITOR)) {
    const name = key.slice(VISITOR.length);
    if (isMarks(name)) continue;
    localStorage.setItem(storageKey(account, name), localStorage.getItem(key));
    dropKey(key);
  }
});

const FORM = "form[data-draft]";
const VERSION = "version"; // name of the field with the form's version: it is saved with the changes

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

/** `onSignIn` is called when another window has signed in: in an anonymous one, or again with this window's account. */
export function createDrafts(root, onSignIn) {
  const { account = "" } = root.dataset;
  const shownDrafts = new WeakMap(); // form -> name of the draft that it shows
  const notes = new WeakMap(); // form -> the line about restored values
  let isClosed = false; // signed out in this browser: stop saving
  let isFilling = false;

  const isDraft = (form) => form?.matches?.(FORM) && !(account && isMarks(form.dataset.draft));
  const forms = () => [...document.querySelectorAll(FORM)].filter(isDraft);
  const keyOf = (name) => storageKey(account, name);
  const read = (name) => readKey(keyOf(name));
  function drop(name) {
    dropKey(keyOf(name));
    folding?.forget(name);
  }

  function write(name, draft) {
    if (isClosed) return;
    attempt(() => localStorage.setItem(keyOf(name), JSON.stringify({ ...draft, folded: folding?.of(name), at: Date.now() })));
    if (!account) attempt(() => prune(account));
  }

  begin(account);
  const folding = account ? null : createFolding((name) => read(name) && write(name, read(name)));
  if (account) adopt(account);

  /** Fill the form with these values, and its other fields with the stored ones. */
  function show(form, values) {
    const folded = form.closest("details");
    if (folded) folded.open = true; // makes the restored values visible
    isFilling = true;
    for (const control of draftControls(form)) {
      if (Object.keys(values).includes(control.name)) fill(control, values[control.name]);
      else if (isTouched(control)) reset(control);
      else continue;
      control.dispatchEvent(new Event("input", { bubbles: true })); // so that widgets redraw
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

  /** Show at the top of the form that its values are restored and not stored. */
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
    for (const form of forms()) {
      const name = form.dataset.draft;
      if (shownDrafts.get(form) === name) continue;
      if (shownDrafts.has(form)) form.reset(); // the form showed another draft
      shownDrafts.set(form, name);
      const draft = read(name);
      const isEditedEarly = isEdited(form); // edited before this script ran, or restored by the browser
      if (draft && !isEditedEarly) restoreDraft(form, draft);
      else if (isEditedEarly && !isSame(draft, form)) save(form);
    }
  }

  function restoreDraft(form, draft) {
    const isStored = draft.posted && form.dataset.saved !== undefined;
    if (!isStored) show(form, draft.values);
    if (isEdited(form)) noteRestored(form, draft);
    else startClean(form);
  }

  /** The server has stored all values of the draft: drop it. */
  function startClean(form) {
    form.reset();
    drop(form.dataset.draft);
  }

  function save(form) {
    const name = form.dataset.draft;
    folding?.touch(form);
    if (isEdited(form)) return write(name, { values: valuesOf(form) });
    drop(name);
    endNote(form);
  }

  function onEdit({ target: { form } }) {
    if (isFilling || !isDraft(form)) return;
    save(form);
    endSuccess(form);
  }
  for (const type of ["input", "change"]) document.addEventListener(type, onEdit);
  for (const type of ["reset", "command:done"]) document.addEventListener(type, ({ target }) => endNote(target));

  addEventListener("storage", ({ key, oldValue, newValue }) => {
    if (key === SIGNED_IN && newValue !== null) {
      isClosed = account && newValue !== account; // this account is signed out in this browser
      if (newValue && !isClosed) onSignIn();
    }
    // From another window of this account: the newest values win, and an acknowledged draft is reset here too.
    // A removed draft of an anonymous visitor was not acknowledged: the account that signed in has it.
    if (isClosed) return;
    for (const form of forms()) {
      if (key !== keyOf(form.dataset.draft)) continue;
      if (newValue) show(form, JSON.parse(newValue).values);
      else if (account && isSame(JSON.parse(oldValue), form)) form.reset();
    }
  });

  document.addEventListener("page:shown", restore);
  document.addEventListener("page:changed", restore);

  /** After the end of a session, show that the account's drafts wait for its next sign-in. */
  function noteEnded() {
    document.removeEventListener("page:shown", noteEnded);
    const isEnded = attempt(() => sessionStorage.getItem("ended") && keysOf(PREFIX).length);
    attempt(() => sessionStorage.removeItem("ended"));
    if (account || !isEnded) return;
    const spot = pageSpot();
    say(spot, root.dataset.kept, "bad");
    reveal(spot);
  }
  document.addEventListener("page:shown", noteEnded);

  document.addEventListener("submit", ({ target }) => {
    if (target.getAttribute("action") === "/sign-out") {
      isClosed = true;
      attempt(() => {
        localStorage.setItem(SIGNED_IN, "");
        keysOf(keyOf("")).forEach(dropKey);
      });
    } else if (target.matches(FORM) && !target.dataset.command) write(target.dataset.draft, { values: valuesOf(target), posted: true });
  });

  return {
    drop,
    save,
    /** Whether the account is signed out in this browser. */
    isClosed: () => isClosed,
    /**
     * The session has ended. Without a sign-out here the drafts stay, and the next page says so. A page with input that
     * would be lost stays as it is; a sign-in in another window connects it again.
     */
    onSessionEnd() {
      attempt(() => !isClosed && keysOf(keyOf("")).length && sessionStorage.setItem("ended", "1"));
      if (!isTyped(!isClosed)) reloadSignedOut();
    },
    /** Return the key under which exactly this command was sent before, if its outcome is unknown. */
    keyOf(name, sent) {
      const draft = read(name);
      return draft?.sent === sent ? draft.key : undefined;
    },
    noteSent(form, sent, key) { write(form.dataset.draft, { values: valuesOf(form), sent, key }); },
  };
}
