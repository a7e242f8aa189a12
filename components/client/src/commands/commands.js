// The one way to change something: a form or button with data-command sends that name with {argument, fields, key}, and
// stays as it is until the server answers. A command has one key until it is answered, whatever happens in between:
// docs/howto/add-a-command.md.

import { isPlainClick } from "../page/page-events.js";
import { answerSpot, endOthers, pageSpot, reveal, say, sayOnNextPage, sayWhatIsKept } from "./answers.js";
import { ask } from "./confirm-dialog.js";
import { tellChange } from "../page/page-changed.js";
import { byteLength, formFields, toJson } from "../page/events.js";
import { focusAfterRemoval } from "../page/focus-after-removal.js";
import { pageLoad } from "../page/page-loads.js";
import { press } from "./toggles.js";
import { keepWish, pruneWish, takeWish } from "./wishes.js";

const LONGEST = 60000; // bytes: the server cuts the socket of whoever sends a larger frame
const TOO_LARGE = 413;
const PATIENCE = 15000; // milliseconds of silence after which the same is sent again

/** 16 random bytes as hex; a key need not be secret. */
function newKey() {
  const bytes = new Uint8Array(16).map(() => Math.random() * 256);
  try { crypto.getRandomValues(bytes); } catch { /* refused: those will do */ }
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Take the button out of use, with its busy label; returns the function that brings it back. */
function setBusy(button) {
  if (!button || button.disabled) return () => {};
  const words = [...button.childNodes].find((node) => node.nodeType === 3 && node.data.trim()); // React's own: keep it
  const label = words?.data;
  const { busy } = button.dataset;
  const focused = document.activeElement === button;
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  if (words && busy) words.data = busy;
  return () => {
    button.disabled = false;
    button.removeAttribute("aria-busy");
    tellChange();
    if (words && words.data === busy) words.data = label;
    if (focused && document.activeElement === document.body) button.focus();
  };
}

function markInvalid(form, [name, sentence], spot) {
  const found = form.elements.namedItem(name); // "constructor" is a name too
  const controls = found?.length && !found.options ? [...found] : [found]; // several with radio buttons
  const [control] = controls;
  if (!control) return;
  const group = sentence && control.closest(".field");
  if (group) {
    spot = Object.assign(document.createElement("p"), { className: "field__error", textContent: sentence });
    spot.dataset.error = "";
    group.append(spot);
  }
  const said = spot;
  const corrected = () => {
    control.removeAttribute("aria-invalid");
    if (group) said.remove();
  };
  spot.id ||= `answer-${newKey()}`;
  control.setAttribute("aria-invalid", "true");
  const described = new Set((control.getAttribute("aria-describedby") || "").split(" ").filter(Boolean)).add(spot.id);
  control.setAttribute("aria-describedby", [...described].join(" "));
  control.closest("details")?.setAttribute("open", "");
  control.focus();
  for (const each of controls) each.addEventListener("input", corrected, { once: true });
  return group;
}

export function createCommands({ root, connection, drafts, stay, go }) {
  const pending = new Map(); // key -> what waits for its answer
  const doubtful = new Map(); // what was sent -> its key, where it is not known whether it was done

  function fieldsOf(form, submitter) {
    const fields = form ? formFields(form) : {};
    if (submitter?.name) fields[submitter.name] = submitter.value;
    return fields;
  }

  function begin(element, submitter, more, asked = element.dataset) {
    const { command: name, argument = "", draft, longTextToken: token } = asked;
    if ([...pending.values()].some((command) => command.name === name && command.argument === argument)) return;
    if (document.querySelector("form[data-pending]")) return; // before this script ran: the browser is on its way (lights.js)
    const form = element.matches("form") ? element : null;
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
    command.moveFocus = focusAfterRemoval(button);
    command.unpress = press(element);
    command.endBusy = setBusy(button);
    if (long) command.token = token;
    pending.set(key, command);
    deliver(key, command);
  }

  /** Load the page `leave` (a sign-in), which leads back to this section, or to the address in `data-back`. */
  function leavePage(element, leave) {
    if (stay()) return;
    const { back } = element.closest("[data-back]")?.dataset || {};
    if (back) return pageLoad.to(`${leave.split("?")[0]}?next=${encodeURIComponent(back)}`);
    const { id } = element.closest("section[id], [data-wish]") || {};
    pageLoad.to(id && !leave.includes("%23") ? leave + encodeURIComponent(`#${id}`) : leave);
  }

  function deliver(key, command) {
    const { name, argument, longText } = command;
    clearTimeout(command.timer);
    command.timer = setTimeout(() => deliver(key, command), PATIENCE);
    if (command.token && !longText) return (command.posting ||= post(key, command));
    command.generation = connection.generation;
    const fields = longText ? { long_text: longText } : command.fields;
    connection.deliver({ type: "command", name, argument, fields, key });
  }

  /** Post fields that are too long for one frame; the command then names them. A failed post is repeated by the timer. */
  async function post(key, command) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": command.token };
    try {
      const response = await fetch("/long-text", { method: "POST", headers, body: toJson(command.fields) });
      const { tooLong, failed } = root.dataset;
      if (response.ok) command.longText = await response.text();
      else if (response.status < 500) {
        const isSaid = response.headers.get("Content-Type")?.startsWith("text/plain");
        onAnswer({ key, ok: false, text: response.status === TOO_LARGE ? tooLong : (isSaid && (await response.text())) || failed });
      }
    } catch { /* the timer runs */ }
    command.posting = null;
    if (command.longText) deliver(key, command);
  }

  /** Return the command's form as it is in the page now: the server may have replaced it. */
  function currentForm({ form, name, argument }) {
    if (!form || form.isConnected) return form;
    const isIt = ({ dataset }) => dataset.command === name && (dataset.argument ?? "") === argument;
    return [...document.querySelectorAll("form[data-command]")].find(isIt) || null;
  }

  /** Clean up after a success; returns whether to go where the answer says: not when something else was typed since. */
  function finish(command, { go: to, empty, data }) {
    const form = currentForm(command);
    const same = form && JSON.stringify(fieldsOf(form, command.submitter)) === JSON.stringify(command.typed);
    if (same && to) delete form.dataset.guard;
    else if (same && empty) form.reset();
    const place = form || command.element;
    (place.isConnected ? place : document.body).dispatchEvent(new CustomEvent("command:done", { bubbles: true, detail: { data, same } }));
    if (command.draft) drafts.drop(command.draft);
    if (form && !same && command.draft) drafts.save(form); // typed on
    return to && (same || !form);
  }

  /** Ask the server's question, or offer to undo; returns whether that shows the answer's text already. */
  function followUp({ element, submitter }, { text, ask: asks, undo }) {
    const { dataset } = submitter?.dataset.ask ? submitter : element;
    if (asks) question({ question: dataset.ask, words: text, yes: dataset.askYes }, element, () => begin(element, submitter, { confirmed: "1" }));
    const isOffered = !asks && undo && !document.dispatchEvent(new CustomEvent("command:undo", { cancelable: true, detail: { text, undo } }));
    if (isOffered) endOthers();
    const isWish = !asks && undo && !isOffered && element.dataset.wish !== undefined;
    if (isWish) offerUndo(element, text, undo);
    return asks || isOffered || isWish;
  }

  /** Say what was done, with a button that takes it back. */
  function offerUndo(spot, text, [command, argument]) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: root.dataset.undo });
    Object.assign(button.dataset, { command, argument });
    button.addEventListener("command:done", () => say(spot, ""));
    say(spot, text, "good");
    spot.append(" ", button);
    reveal(spot);
  }
  const question = (texts, element, then) => ask({ no: root.dataset.cancel, ...texts }, element, then);

  /** Show an answer at its form; errors of fields stand below them, and the first has the focus. */
  function show({ element, form, submitter, spot }, text, ok, field, errors = { [field]: "" }) {
    if (!spot.isConnected && element.isConnected) spot = answerSpot(element);
    if (!spot.isConnected) spot = pageSpot();
    say(spot, text, ok ? "good" : "bad");
    form?.querySelectorAll("[data-error]").forEach((old) => old.remove());
    form?.querySelectorAll("[aria-invalid]").forEach((old) => old.removeAttribute("aria-invalid"));
    if (form && field) {
      const place = ([name]) => [...form.elements].findIndex((control) => control.name === name);
      const wrong = Object.entries(errors).sort((one, other) => place(other) - place(one));
      if (wrong.map((each) => markInvalid(form, each, spot)).every(Boolean)) return say(spot, "");
    }
    reveal(spot, form && submitter);
  }

  function onAnswer(answer) {
    const { key, ok, text, field, errors, leave, again, version, go: to } = answer;
    const command = pending.get(key);
    if (!command) return; // answered before
    pending.delete(key);
    clearTimeout(command.timer);
    command.endBusy();
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
    if (version && form?.elements.version) form.elements.version.value = version; // the conflict was shown: saving again overwrites
    if (form && !again && command.draft) drafts.save(form); // the next try has another key
    if (!followUp(command, answer) && text) show(command, text, ok, field, errors);
    if (ok) command.moveFocus(command.spot);
  }

  function confirmThenBegin(element, submitter) {
    const asking = submitter?.dataset.confirm === undefined ? element : submitter;
    const { confirm, confirmWords: words, confirmYes: yes = asking.textContent } = asking.dataset;
    const asked = { ...element.dataset }; // a push may make another command of the button before one agrees to this one
    if (confirm === undefined) begin(element, submitter);
    else question({ question: confirm, words, yes }, asking, () => begin(element, submitter, {}, asked));
  }
  let pressed = null; // of a form: browsers before 2022 do not say which button has submitted it
  document.addEventListener("click", (event) => {
    const button = pressed = event.target.closest?.("[data-command]:not(form), form[data-command] [type=submit]");
    if (!button) return;
    const begins = button.dataset.command && event.detail <= 1 && isPlainClick(event);
    // the browser posts no button by itself, and a double click asks once, however quick the answer is
    if (button.dataset.command || event.detail > 1) event.preventDefault();
    if (begins && button.getAttribute("aria-disabled") !== "true") confirmThenBegin(button);
  });
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || !event.target.matches("form[data-command]")) return;
    event.preventDefault();
    confirmThenBegin(event.target, event.submitter || (pressed?.form === event.target ? pressed : event.target.querySelector("[type=submit]")));
  });

  pruneWish();
  sayWhatIsKept();
  document.addEventListener("command:wish", ({ detail }) => keepWish({ key: newKey(), ...detail }));

  return {
    onAnswer,
    /** A socket is live, or something takes its place (`isOther`): send it again what was sent another way. */
    resend(isOther) {
      for (const [key, command] of pending) if (isOther || command.generation !== connection.generation) deliver(key, command);
    },
    /** The page is live: a member's is asked for what was pressed before the sign-in. */
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
