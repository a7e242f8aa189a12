// Kept marks: each mark that a member strikes in a rating form is kept by the server at once, privately, until it is
// submitted. A field stays in local storage with the time of its strike until the server has acknowledged it, and is sent
// from any page of the account. The marks of an anonymous visitor are a draft (drafts.js).

import { answerSpot, endSuccess, reveal, say } from "./commands.js";
import { controls, fill, isTouched, reset, settleSlot } from "./fields.js";
import { attempt, dropKey, keysOf, readKey, storageKey } from "./storage.js";

const COMMAND = "rating_keep";
export const NAME = "rating:"; // and the performance
const PAUSE = 400; // milliseconds after the last strike
const RETRY = 3000; // milliseconds after a refusal that is not final, on average
const OTHER_WINDOW = 5000; // milliseconds until this window sends what another one struck: that one may be closed

export const isMarks = (name) => Boolean(name?.startsWith(NAME));

// Marks: an object of field -> [value, time of the strike].

/** Return the marks under this key. Those of a draft count as struck at its last edit. */
export function marksIn(key) {
  const { marks, values = {}, at = Date.now() } = readKey(key) || {};
  return marks || Object.fromEntries(Object.entries(values).map(([field, [value = ""]]) => [field, [value, at]]));
}

/** `flight` is the message without an answer, { key, marks, at }. */
function writeMarks(key, marks, flight = readKey(key)?.flight) {
  if (!flight && !Object.keys(marks).length) return dropKey(key);
  attempt(() => localStorage.setItem(key, JSON.stringify({ marks, at: Date.now(), flight })));
}

const pick = (marks, isWanted) => Object.fromEntries(Object.entries(marks).filter(([field, mark]) => isWanted(field, mark)));
const ageOf = (at) => String(Math.max(0, Date.now() - at)); // milliseconds, as a field
const valueOf = (form, field) => new FormData(form).get(field) ?? "";

/** `send(command)` returns the command's key, `isClosed()`: signed out. */
export function createKeptMarks({ root, connection, send, isClosed }) {
  const { account } = root.dataset;
  const shownNames = new WeakMap(); // form -> name of the marks that it shows
  const refused = new Map(); // name and field -> time of the strike that the server has refused
  const held = new Set(); // names of forms that are being submitted
  let flight = null; // { name, marks, at } without an answer
  let timer = 0;
  let isFilling = false;

  const owns = (name) => Boolean(account) && isMarks(name);
  const keyOf = (name) => storageKey(account, name);
  const forms = (name) => [...document.querySelectorAll("form[data-draft]")].filter(({ dataset: { draft } }) => (name ? draft === name : isMarks(draft)));

  function plan(delay) {
    clearTimeout(timer);
    timer = setTimeout(sendNext, delay);
  }

  /**
   * Send the due marks of one performance; the next one follows after its answer. A message that another page has sent is
   * sent again under its key: only when the server has answered it can no late copy of it win against a later strike.
   */
  function sendNext() {
    clearTimeout(timer);
    timer = 0;
    if (flight || isClosed() || !(connection.live || connection.detour)) return;
    for (const key of attempt(() => keysOf(keyOf(NAME))) || []) {
      const name = key.slice(keyOf("").length);
      const marks = pick(marksIn(key), (field, [, at]) => refused.get(name + field) !== at);
      const { flight: sent } = readKey(key);
      if (!held.has(name) && (sent || Object.keys(marks).length)) return deliver(name, sent || { marks, at: Date.now() });
    }
  }

  function deliver(name, { marks, at, key: sentKey }) {
    flight = { name, marks, at };
    const key = send({
      key: sentKey,
      name: COMMAND,
      argument: name.slice(NAME.length),
      /** The fields with their ages at the moment of (each) sending. */
      get fields() {
        const ages = Object.entries(marks).map(([field, [value, at]]) => [[field, value], [`age-${field}`, ageOf(at)]]);
        return Object.fromEntries(ages.flat());
      },
      onAnswer,
    });
    writeMarks(keyOf(name), marksIn(keyOf(name)), { key, marks, at });
  }

  function onAnswer({ ok, text, again, leave, field, errors = { [field]: "" }, data }) {
    const { name, marks, at } = flight;
    flight = null;
    writeMarks(keyOf(name), marksIn(keyOf(name)), null);
    if (leave) return; // the session has ended: the marks wait for the next sign-in
    if (again) return plan(RETRY * (0.5 + Math.random()));
    if (ok) acknowledge(name, marks, at, data?.older);
    else setAside(name, field ? pick(marks, (each) => each in errors) : marks);
    if (text) forms(name).forEach((form) => sayAt(form, text));
    if (!timer) sendNext();
  }

  /**
   * Take these marks, sent at `sentAt`, out of the storage unless they were struck again. `older` lost against another
   * device's. What was struck since counts as struck now: a message that was long under way must not win against it.
   */
  function acknowledge(name, marks, sentAt, older) {
    const isOld = (field, mark) => String(marks[field]) === String(mark);
    const stored = marksIn(keyOf(name));
    const left = pick(stored, (...mark) => !isOld(...mark));
    for (const mark of Object.values(left)) if (mark[1] >= sentAt) mark[1] = Date.now();
    writeMarks(keyOf(name), left);
    settle(name, pick(stored, isOld), older);
  }

  /** The server's value of these fields is shown from now on when it changes; for `older` ones at once. */
  function settle(name, marks, older = []) {
    for (const form of forms(name)) {
      for (const control of controls(form)) {
        if (!(control.name in marks)) continue;
        settleSlot(control);
        if (older.includes(control.name)) change(control, () => reset(control));
      }
    }
  }

  /** Do not send these marks until they are struck again or the page is loaded. */
  function setAside(name, marks) {
    for (const [field, [, at]] of Object.entries(marks)) refused.set(name + field, at);
  }

  function sayAt(form, text) {
    say(answerSpot(form), text, "bad");
    reveal(answerSpot(form));
  }

  function strike(form, field) {
    if (isClosed()) return;
    const name = form.dataset.draft;
    writeMarks(keyOf(name), { ...marksIn(keyOf(name)), [field]: [valueOf(form, field), Date.now()] });
    if (refused.delete(name + field)) say(answerSpot(form), "");
    endSuccess(form);
    plan(PAUSE);
  }

  function change(control, work) {
    isFilling = true;
    work();
    control.dispatchEvent(new Event("input", { bubbles: true })); // so that widgets redraw
    isFilling = false;
  }

  /** Put the marks without an acknowledgement on top of the server's values. */
  function show(form) {
    const marks = marksIn(keyOf(form.dataset.draft));
    for (const control of controls(form)) {
      if (!(control.name in marks)) continue;
      const [value] = marks[control.name];
      const isShown = control.type === "radio" ? control.checked === (control.value === value) : control.value === value;
      if (!isShown) change(control, () => fill(control, [value]));
    }
  }

  function look() {
    for (const form of forms()) {
      const name = form.dataset.draft;
      const isNew = shownNames.get(form) !== name;
      if (isNew && shownNames.has(form)) form.reset(); // the form showed another performance
      else if (isNew) strikeEarly(form);
      shownNames.set(form, name);
      show(form);
    }
  }

  /** Keep what was entered before this script ran, or was restored by the browser. */
  function strikeEarly(form) {
    const marks = marksIn(keyOf(form.dataset.draft));
    const early = controls(form).filter((control) => isTouched(control) && marks[control.name]?.[0] !== valueOf(form, control.name));
    for (const field of new Set(early.map((control) => control.name))) strike(form, field);
  }

  if (account) {
    document.addEventListener("input", ({ target: { form, name } }) => {
      if (!isFilling && name && owns(form?.dataset?.draft)) strike(form, name);
    });
    for (const type of ["page:shown", "page:changed"]) document.addEventListener(type, look);
    document.addEventListener("visibilitychange", () => document.hidden && timer && sendNext()); // a phone stops the page's timers
    addEventListener("storage", ({ key, oldValue, newValue }) => {
      if (!key?.startsWith(keyOf(NAME))) return;
      const name = key.slice(keyOf("").length);
      const marks = marksIn(key);
      settle(name, pick(attempt(() => JSON.parse(oldValue).marks) || {}, (field) => !(field in marks)));
      forms(name).forEach(show);
      if (newValue && !timer) plan(OTHER_WINDOW);
    });
  }

  return {
    owns,
    /** The page is live: send what was struck before. */
    onLive() { if (account) plan(0); },
    /** Send no marks of this form while it is submitted, until `release(isStored)`. Returns null for another form. */
    hold(name) {
      if (!owns(name)) return null;
      const marks = marksIn(keyOf(name));
      const at = Date.now();
      held.add(name);
      return {
        age: () => ageOf(at), // a submit that is repeated must not win against what was struck since
        release(isStored) {
          held.delete(name);
          if (isStored) acknowledge(name, marks, at);
          if (!timer) sendNext();
        },
      };
    },
  };
}
