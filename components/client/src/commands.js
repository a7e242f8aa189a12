// Commands: a form or button with data-command sends that name with {argument, fields, key} and shows the answer. The key
// is an idempotency key: it stays the same through reconnects and repetitions until the server answers
// (docs/howto/add-a-command.md).

import { ask } from "./confirm.js";
import { byteLength, toJson } from "./connection.js";
import { announceChange } from "./events.js";
import { formFields, submitOf } from "./fields.js";
import { pageLoad } from "./reload.js";
import { attempt } from "./storage.js";

// Answers: the text near the form or button that sent the command.

export const ANSWER = "[data-answer]";
const LOOKS = ["message", "message--good", "message--bad"];
const SUCCESS_DURATION = 8000; // milliseconds that a success is shown, unless `data-vanish` names another time; an error stays
const ANNOUNCE_DELAY = 50; // milliseconds: screen readers announce a line only when it changes after it was added
const NEXT_ANSWER = "said"; // key in sessionStorage: the address of the next page and the answer that it shows
const FLOATING_DURATION = 6000; // milliseconds that an answer floats at the window's edge when its place is out of sight

const timers = new WeakMap();

/** Return the element that shows the answer to this form or button. Create it beside the form or button if there is none. */
export function answerSpot(element) {
  const isForm = element.matches("form");
  const existing = (isForm && element.querySelector(ANSWER)) || element.closest("[data-answers]")?.querySelector(ANSWER) ||
    (!isForm && element.parentNode.querySelector(`:scope > ${ANSWER}`));
  if (existing) return existing;
  const made = document.createElement("p");
  made.dataset.answer = "";
  made.setAttribute("role", "status"); // before it has a text: screen readers announce only later changes
  if (isForm || element.matches("main")) element.append(made);
  else element.after(made);
  return made;
}

/** Return the element that shows answers to commands without a form or button on this page. */
export const pageSpot = () =>
  document.querySelector(`[data-answers] ${ANSWER}, main > ${ANSWER}`) || answerSpot(document.querySelector("main"));

/** Clear the successes in all other places, so that one message is shown at a time. Errors stay. */
function endOthers(spot) {
  for (const other of document.querySelectorAll(`${ANSWER}.message--good`)) if (other !== spot) say(other, "");
}

/** Clear the success of a form that was edited since. */
export function endSuccess(form) {
  const spot = (form.closest("[data-answers]") || form).querySelector(`${ANSWER}.message--good`);
  if (spot) say(spot, "");
}

/** Show a text in the spot; `look` is "good", "bad" or neither. */
export function say(spot, text, look = "") {
  for (const name of LOOKS) spot.classList.toggle(name, !!look && (name === LOOKS[0] || name.endsWith(look)));
  // inside another status line the text is announced already
  if (!spot.parentNode?.closest("[role=status]")) spot.setAttribute("role", look === "bad" ? "alert" : "status");
  spot.textContent = text;
  if (text) endOthers(spot);
  const scrolls = spot.scrollHeight > spot.clientHeight && getComputedStyle(spot).overflowY === "auto";
  if (scrolls) spot.tabIndex = 0; // makes it scrollable by keyboard
  endFloating(spot);
  if (look === "good") timers.set(spot, setTimeout(() => say(spot, ""), spot.dataset.vanish || SUCCESS_DURATION));
}

function endFloating(spot) {
  clearTimeout(timers.get(spot));
  delete spot.dataset.floating;
}

const isInSight = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && top >= 0 && bottom <= innerHeight;
};

/** Bring the spot into view: scroll to it if the form's button is visible, else float it at the window's edge. */
export function reveal(spot, button) {
  if (isInSight(spot)) return;
  if (button && isInSight(button)) return spot.scrollIntoView?.({ block: "nearest" });
  spot.dataset.floating = "";
  timers.set(spot, setTimeout(() => endFloating(spot), FLOATING_DURATION));
}

const forgetNextAnswer = () => attempt(() => sessionStorage.removeItem(NEXT_ANSWER));

function sayWhenShown(text) {
  const onPage = () => {
    forgetNextAnswer();
    const spot = pageSpot();
    setTimeout(() => {
      say(spot, text, "good");
      reveal(spot);
    }, ANNOUNCE_DELAY);
  };
  document.addEventListener("page:shown", onPage, { once: true });
}

/** Show this answer on the next page, at `path`: in this document or in the next one that the browser loads. */
function sayOnNextPage(path, text) {
  attempt(() => sessionStorage.setItem(NEXT_ANSWER, JSON.stringify([path, text])));
  sayWhenShown(text);
}

/** Show the answer that the previous document stored for this one. */
function sayWhatIsKept() {
  const [path, text] = attempt(() => JSON.parse(sessionStorage.getItem(NEXT_ANSWER))) || [];
  forgetNextAnswer();
  if (path === location.pathname + location.search) sayWhenShown(text);
}

// Toggle buttons: a press shows before the answer (optimistic update). Of sibling buttons with aria-pressed at most one is
// pressed, and the number in each button's <b> follows. The next render replaces the state; a refusal restores it.

function counts(button) {
  const text = button.querySelector("b")?.firstChild;
  return Number.isInteger(Number(text?.data)) ? text : null;
}

function change([button, pressed]) {
  const previous = button.getAttribute("aria-pressed");
  if (previous === pressed) return null;
  const count = counts(button);
  const before = count?.data;
  const after = before && String(Number(before) + (pressed === "true" ? 1 : -1));
  button.setAttribute("aria-pressed", pressed);
  if (count) count.data = after;
  return () => {
    if (button.getAttribute("aria-pressed") === pressed) button.setAttribute("aria-pressed", previous);
    if (count && count.data === after) count.data = before;
  };
}

/** Press the button; returns the function that restores it. */
function press(button) {
  if (!button.hasAttribute?.("aria-pressed") || !counts(button)) return () => {};
  const others = [...button.parentElement.children].filter((other) => other !== button && other.hasAttribute("aria-pressed"));
  const next = button.getAttribute("aria-pressed") === "true" ? "false" : "true";
  const undos = [[button, next], ...others.map((other) => [other, "false"])].map(change);
  return () => undos.forEach((undo) => undo?.());
}

// Wishes: the last command of an anonymous visitor that needs an account. It is kept in local storage, never in an
// address, and sent once, under its key, after a sign-in within 15 minutes.

const WISH = "wish";
const WISH_LIFETIME = 15 * 60 * 1000; // milliseconds

const keepWish = (wish) => attempt(() => localStorage.setItem(WISH, JSON.stringify({ ...wish, at: Date.now() })));
const forgetWish = () => attempt(() => localStorage.removeItem(WISH));

/** Return the stored wish, or null. A wish that is too old is removed. */
function pruneWish() {
  const wish = attempt(() => JSON.parse(localStorage.getItem(WISH)));
  if (wish && Math.abs(Date.now() - wish.at) <= WISH_LIFETIME) return wish;
  forgetWish();
  return null;
}

/** Return the stored wish, or null, and remove it. */
function takeWish() {
  const wish = pruneWish();
  forgetWish();
  return wish;
}

// Focus after a removal: when a command removes its own row, the focus moves to the same button of the next row, else of
// the previous row, else to the answer. When a command removes its form, the focus moves to the answer.

const INPUT_EVENTS = ["keydown", "pointerdown"];
const isShown = (element) => element?.getClientRects().length;

/** Note the neighbours of the focused button's row or form. Returns a function for the success; it takes the answer's element. */
function focusAfterRemoval(button) {
  const row = button?.closest("li") || button?.form;
  if (!row || !(row === button.form ? row.contains(document.activeElement) : document.activeElement === button)) return () => {};
  const same = `[data-command="${button.dataset.command}"]`;
  const rows = [...row.parentElement.children];
  const at = rows.indexOf(row);
  const others = [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];

  return (spot) => {
    function end() {
      document.removeEventListener("page:changed", look);
      for (const type of INPUT_EVENTS) document.removeEventListener(type, end, true);
    }
    function look() {
      if (row.isConnected) return;
      end();
      if (document.activeElement !== document.body) return;
      const nextButton = others.filter((other) => other.isConnected).map((other) => other.querySelector(same)).find(isShown);
      if (!nextButton && !spot.hasAttribute("tabindex")) spot.tabIndex = -1;
      (nextButton || spot).focus({ preventScroll: true });
    }
    document.addEventListener("page:changed", look);
    for (const type of INPUT_EVENTS) document.addEventListener(type, end, true); // a user who acts first keeps their own focus
    look();
  };
}

/** Whether this is an unmodified click of the main button that no other listener has handled. */
export const isPlainClick = (event) =>
  !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

const LONGEST = 60000; // bytes: the server closes a socket that sends a larger frame
const TOO_LARGE = 413;
const REPEAT_AFTER = 15000; // milliseconds without an answer, then the command is sent again
const PATIENCE = 700; // milliseconds without a request before the busy label ends

/** Return 16 random bytes as hex. A key need not be secret. */
function newKey() {
  const bytes = new Uint8Array(16).map(() => Math.random() * 256);
  try { crypto.getRandomValues(bytes); } catch { /* refused: pseudo-random bytes suffice */ }
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Disable the button and show its busy label; returns the function that restores it. */
function setBusy(button) {
  if (!button || button.disabled) return () => {};
  const labelNode = [...button.childNodes].find((node) => node.nodeType === 3 && node.data.trim()); // belongs to React: keep the node
  const label = labelNode?.data;
  const { busy } = button.dataset;
  const focused = document.activeElement === button;
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  if (labelNode && busy) labelNode.data = busy;
  return () => {
    button.disabled = false;
    button.removeAttribute("aria-busy");
    announceChange();
    if (labelNode && labelNode.data === busy) labelNode.data = label;
    if (focused && document.activeElement === document.body) button.focus();
  };
}

/** Mark a field as invalid and focus it; returns its field group if that shows `sentence`, the field's own error. */
function markInvalid(form, [name, sentence], spot) {
  const namedItem = form.elements.namedItem(name); // a field may be named "constructor"
  const controls = namedItem?.length && !namedItem.options ? [...namedItem] : [namedItem]; // radio buttons are several
  const [control] = controls;
  if (!control) return;
  const group = sentence && control.closest(".field");
  if (group) {
    spot = Object.assign(document.createElement("p"), { className: "field__error", textContent: sentence });
    spot.dataset.error = "";
    group.append(spot);
  }
  const errorLine = spot;
  const corrected = () => {
    control.removeAttribute("aria-invalid");
    if (group) errorLine.remove();
  };
  spot.id ||= `answer-${newKey()}`;
  control.setAttribute("aria-invalid", "true");
  const described = new Set((control.getAttribute("aria-describedby") || "").split(" ").filter(Boolean)).add(spot.id);
  control.setAttribute("aria-describedby", [...described].join(" "));
  control.closest("details")?.setAttribute("open", "");
  control.focus();
  for (const input of controls) input.addEventListener("input", corrected, { once: true });
  return group;
}

export function createCommands({ root, connection, drafts, marks, stay, go }) {
  const pending = new Map(); // key -> command without an answer
  const doubtful = new Map(); // sent command as JSON -> its key, if the outcome is unknown

  function fieldsOf(form, submitter) {
    const fields = form ? formFields(form) : {};
    if (submitter?.name) fields[submitter.name] = submitter.value;
    return fields;
  }

  function begin(element, submitter, more, dataset = element.dataset) {
    const { command: name, argument = "", longTextToken: token } = dataset;
    if ([...pending.values()].some((command) => command.name === name && command.argument === argument)) return;
    if (document.querySelector("form[data-pending]")) return; // the browser posts a form that was submitted before this script ran (lights.js)
    const form = element.matches("form") ? element : null;
    const draft = marks.owns(dataset.draft) ? "" : dataset.draft;
    const typed = fieldsOf(form, submitter);
    const fields = { ...typed, ...more };
    const sent = JSON.stringify([name, argument, fields]);
    const key = doubtful.get(sent) || (draft && drafts.keyOf(draft, sent)) || newKey();
    const spot = answerSpot(element);
    const long = byteLength(sent) > LONGEST;
    if (long && !token) return say(spot, root.dataset.tooLong, "bad");
    if (draft) drafts.noteSent(form, sent, key);
    say(spot, "");
    const command = { name, argument, typed, fields, sent, element, form, submitter, draft, spot };
    const button = form ? submitter : element;
    command.hold = marks.hold(dataset.draft);
    command.moveFocus = focusAfterRemoval(button);
    command.unpress = press(element);
    command.button = button;
    command.endBusy = setBusy(button);
    if (long) command.token = token;
    pending.set(key, command);
    deliver(key, command);
  }

  /** Load the page `leave` (a sign-in). It leads back to this section, or to the address in `data-back`. */
  function leavePage(element, leave) {
    if (stay()) return;
    const { back } = element.closest("[data-back]")?.dataset || {};
    if (back) return pageLoad.to(`${leave.split("?")[0]}?next=${encodeURIComponent(back)}`);
    const { id } = element.closest("section[id], [data-wish][id]") || {};
    pageLoad.to(id && !leave.includes("%23") ? leave + encodeURIComponent(`#${id}`) : leave);
  }

  function deliver(key, command) {
    const { name, argument, longText, hold } = command;
    clearTimeout(command.timer);
    command.timer = setTimeout(() => deliver(key, command), REPEAT_AFTER);
    if (command.token && !longText) return setSent(key, command.posting ||= post(key, command));
    command.generation = connection.generation;
    const fields = longText ? { long_text: longText } : hold ? { ...command.fields, age: hold.age() } : command.fields;
    setSent(key, connection.deliver({ type: "command", name, argument, fields, key }));
  }

  /** Return where the answer is shown: React may have replaced the place. */
  function spotOf({ element, spot }) {
    if (!spot.isConnected && element.isConnected) spot = answerSpot(element);
    return spot.isConnected ? spot : pageSpot();
  }

  /**
   * Show the busy label while a request is on its way. Otherwise, after PATIENCE, say that the command waits; end it, with
   * the sentence of the status line, if this page can send nothing more.
   */
  function setSent(key, isSent) {
    const command = pending.get(key);
    if (!command?.endBusy) return; // answered, or without a button
    if (isSent && command.unsentTimer) {
      endWaiting(command);
      command.endBusy = setBusy(command.button);
    }
    if (!isSent) command.unsentTimer ||= setTimeout(() => {
      const { detour, isPaused, isRefused } = connection;
      if (!detour && (isPaused || isRefused)) return onAnswer({ key, ok: false, again: true, text: document.querySelector("[data-connection-status]").textContent });
      command.endBusy();
      say(spotOf(command), root.dataset.unsent);
    }, PATIENCE);
  }
  function endWaiting(command) {
    command.endBusy();
    if (command.unsentTimer) say(spotOf(command), "");
    clearTimeout(command.unsentTimer);
    command.unsentTimer = 0;
  }

  /** Post fields that are too long for one frame; the command then refers to them. The timer repeats a failed post. */
  async function post(key, command) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": command.token };
    try {
      const response = await fetch("/long-text", { method: "POST", headers, body: toJson(command.fields) });
      const { tooLong, failed } = root.dataset;
      if (response.ok) command.longText = await response.text();
      else if (response.status < 500) {
        const isPlainText = response.headers.get("Content-Type")?.startsWith("text/plain");
        onAnswer({ key, ok: false, text: response.status === TOO_LARGE ? tooLong : (isPlainText && (await response.text())) || failed });
      }
    } catch { /* the timer repeats it */ }
    command.posting = null;
    if (command.longText) deliver(key, command);
    else setSent(key, false);
  }

  /** Return the command's form in the present page: React may have replaced the element. */
  function currentForm({ form, name, argument }) {
    if (!form || form.isConnected) return form;
    const isIt = ({ dataset }) => dataset.command === name && (dataset.argument ?? "") === argument;
    return [...document.querySelectorAll("form[data-command]")].find(isIt) || null;
  }

  /** Clean up after a success; returns whether to follow the answer's `go`: not if the form was edited since it was sent. */
  function finish(command, { go: to, empty, data }) {
    const form = currentForm(command);
    const same = form && JSON.stringify(fieldsOf(form, command.submitter)) === JSON.stringify(command.typed);
    if (same && to) delete form.dataset.guard;
    else if (same && empty) form.reset();
    const place = form || command.element;
    (place.isConnected ? place : document.body).dispatchEvent(new CustomEvent("command:done", { bubbles: true, detail: { data, same } }));
    if (command.draft) drafts.drop(command.draft);
    if (form && !same && command.draft) drafts.save(form); // edited since
    command.isOutdated = Boolean(command.hold && form && !same); // the marks say that they are changed
    return to && (same || !form);
  }

  /** Ask for confirmation or offer to undo, as the answer demands; returns whether that shows the answer's text. */
  function followUp({ element, submitter }, { text, ask: needsConfirmation, undo }) {
    const { dataset } = submitter?.dataset.ask ? submitter : element;
    if (needsConfirmation) question({ question: dataset.ask, words: text, yes: dataset.askYes }, element, () => begin(element, submitter, { confirmed: "1" }));
    const isOffered = !needsConfirmation && undo && !document.dispatchEvent(new CustomEvent("command:undo", { cancelable: true, detail: { text, undo } }));
    if (isOffered) endOthers();
    const isWish = !needsConfirmation && undo && !isOffered && element.dataset.wish !== undefined;
    if (isWish) offerUndo(element, text, undo);
    return needsConfirmation || isOffered || isWish;
  }

  /** Show the success with a button that undoes the command. */
  function offerUndo(spot, text, [command, argument]) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: root.dataset.undo });
    Object.assign(button.dataset, { command, argument });
    button.addEventListener("command:done", () => say(spot, ""));
    say(spot, text, "good");
    spot.append(" ", button);
    reveal(spot);
  }
  const question = (texts, element, then) => ask({ no: root.dataset.cancel, ...texts }, element, then);

  /** Show an answer at its form. Errors are shown below their fields; the first invalid field gets the focus. */
  function show(command, text, ok, field, errors = { [field]: "" }) {
    const { form, submitter } = command;
    const spot = spotOf(command);
    say(spot, text, ok ? "good" : "bad");
    form?.querySelectorAll("[data-error]").forEach((old) => old.remove());
    form?.querySelectorAll("[aria-invalid]").forEach((old) => old.removeAttribute("aria-invalid"));
    if (form && field) {
      const place = ([name]) => [...form.elements].findIndex((control) => control.name === name);
      const wrong = Object.entries(errors).sort((one, other) => place(other) - place(one));
      if (wrong.map((error) => markInvalid(form, error, spot)).every(Boolean)) return say(spot, "");
    }
    reveal(spot, form && submitter);
  }

  function onAnswer(answer) {
    const { key, ok, text, field, errors, leave, again, version, go: to } = answer;
    const command = pending.get(key);
    if (!command) return; // a repeated answer
    pending.delete(key);
    clearTimeout(command.timer);
    if (command.onAnswer) return command.onAnswer(answer);
    endWaiting(command);
    command.hold?.release(ok);
    if (!ok) command.unpress();
    if (again) doubtful.set(command.sent, key);
    else doubtful.delete(command.sent);
    if (leave) {
      const { element, name, argument } = command;
      if (!root.dataset.account && element.closest("[data-wish]")) keepWish({ key, name, argument });
      return leavePage(element, leave);
    }
    if (ok && finish(command, answer)) {
      sayOnNextPage(to, text);
      return go(to);
    }
    const form = ok ? null : currentForm(command);
    if (version && form?.elements.version) form.elements.version.value = version; // the conflict is shown: saving again overwrites
    if (form && !again && command.draft) drafts.save(form); // the next attempt gets another key
    if (!followUp(command, answer) && text && !command.isOutdated) show(command, text, ok, field, errors);
    if (ok) command.moveFocus(command.spot);
  }

  function confirmThenBegin(element, submitter) {
    const source = submitter?.dataset.confirm === undefined ? element : submitter;
    const { confirm, confirmWords: words, confirmYes: yes = source.textContent } = source.dataset;
    const dataset = { ...element.dataset }; // an update may give the button another command while the dialog is open
    if (confirm === undefined) begin(element, submitter);
    else question({ question: confirm, words, yes }, source, () => begin(element, submitter, {}, dataset));
  }
  let last = {}; // the last clicked link or button, at first one of another document; the body after typing
  document.addEventListener("input", () => { last = document.body; });
  document.addEventListener("click", (event) => {
    const control = event.target.closest?.("a, button");
    // A double click sends one command, also when its first click has replaced the page. Browsers also count as a double
    // click what is none: a quick press of another button.
    const again = event.detail > 1 && (last === control || !last.isConnected);
    last = control || document.body;
    const button = event.target.closest?.("[data-command]:not(form), form[data-command] [type=submit]");
    if (!button) return;
    const begins = button.dataset.command && !again && isPlainClick(event);
    if (button.dataset.command || again) event.preventDefault(); // a command's button must not post the form
    if (begins && button.getAttribute("aria-disabled") !== "true") confirmThenBegin(button);
  });
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || !event.target.matches("form[data-command]")) return;
    event.preventDefault();
    const clicked = last.form === event.target ? last : submitOf(event.target); // browsers before 2022 have no event.submitter
    confirmThenBegin(event.target, event.submitter || clicked);
  });

  pruneWish();
  sayWhatIsKept();
  document.addEventListener("command:wish", ({ detail }) => keepWish({ key: newKey(), ...detail }));

  return {
    onAnswer,
    /** Send a command without a form or button, { name, argument, fields, onAnswer, key }; returns its key. */
    send(command) {
      const { key = newKey() } = command;
      pending.set(key, command);
      deliver(key, command);
      return key;
    },
    /** The socket is lost: no request of a pending command is on its way. */
    onLoss() { pending.forEach((_, key) => setSent(key, false)); },
    /** A command could not be posted; its timer repeats it. */
    onUnsent: (key) => setSent(key, false),
    /** Send pending commands again over a new socket, or (`isOther`) over its substitute. */
    resend(isOther) {
      for (const [key, command] of pending) if (isOther || command.generation !== connection.generation) deliver(key, command);
    },
    /** Send the wish of a visitor who has signed in since. Called when the page is live. */
    grantWish() {
      const wish = root.dataset.account && takeWish();
      if (!wish) return;
      const spot = Object.assign(document.createElement("p"), { role: "status" });
      Object.assign(spot.dataset, { answer: "", wish: "" });
      document.querySelector("main").append(spot);
      const { key, name, argument } = wish;
      pending.set(key, { name, argument, fields: { wish: "1" }, sent: key, element: spot, spot, endBusy() {}, unpress() {}, moveFocus() {} });
      deliver(key, pending.get(key));
    },
  };
}
