// The one way to act: a form or button with data-act sends {argument, fields, key} to the page's handler of that name,
// and stays as it is until the server answers. A wish has one key until it is answered, whatever happens in between:
// docs/howto/add-an-action.md.

import { isPlainClick } from "./actions.js";
import { ask } from "./asking.js";
import { formFields } from "./events.js";
import { pageLoad } from "./page-loads.js";

const LONGEST = 60000; // bytes: the server cuts the socket of whoever sends a larger frame
const PATIENCE = 15000; // milliseconds of silence after which the same is sent again
const ANSWER = "[data-answer]";
const LOOKS = ["message", "message--good", "message--bad"];

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Where the answer to this element stands; made beside it where the page has no place for it. */
function answerPlace(element) {
  const isForm = element.matches("form");
  const known = (isForm && element.querySelector(ANSWER)) || element.closest("[data-answers]")?.querySelector(ANSWER) ||
    (!isForm && element.parentNode.querySelector(`:scope > ${ANSWER}`));
  if (known) return known;
  const made = document.createElement("p");
  made.dataset.answer = "";
  made.setAttribute("role", "status"); // before it says something: only then is it heard
  if (isForm) element.append(made);
  else element.after(made);
  return made;
}

function say(place, text, look = "") {
  for (const name of LOOKS) place.classList.toggle(name, !!look && (name === LOOKS[0] || name.endsWith(look)));
  place.setAttribute("role", look === "bad" ? "alert" : "status");
  place.textContent = text;
}

/** Take the button out of use, with its busy label; returns the function that brings it back. */
function occupy(button) {
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
    if (words && words.data === busy) words.data = label;
    if (focused && document.activeElement === document.body) button.focus();
  };
}

function blame(form, name, place) {
  const found = form.elements[name];
  const control = found?.length && !found.options ? found[0] : found;
  if (!control) return;
  place.id ||= `answer-${newKey()}`;
  control.setAttribute("aria-invalid", "true");
  const described = new Set((control.getAttribute("aria-describedby") || "").split(" ").filter(Boolean)).add(place.id);
  control.setAttribute("aria-describedby", [...described].join(" "));
  control.focus();
  control.addEventListener("input", () => control.removeAttribute("aria-invalid"), { once: true });
}

export function createActs({ root, connection, find, drafts, notice }) {
  const waiting = new Map(); // key -> what waits for its answer
  const doubtful = new Map(); // what was sent -> its key, where nobody knows whether it was done

  function fieldsOf(form, submitter) {
    const fields = form ? formFields(form) : {};
    if (submitter?.name) fields[submitter.name] = submitter.value;
    return fields;
  }

  function begin(element, submitter) {
    const { act: name, argument = "", draft } = element.dataset;
    if ([...waiting.values()].some((one) => one.name === name && one.argument === argument)) return;
    const form = element.matches("form") ? element : null;
    const fields = fieldsOf(form, submitter);
    const sent = JSON.stringify([name, argument, fields]);
    const key = doubtful.get(sent) || (draft && drafts.keyOf(draft, sent)) || newKey();
    const place = answerPlace(element);
    if (new TextEncoder().encode(sent).length > LONGEST) return say(place, root.dataset.tooLong, "bad");
    if (draft) drafts.sent(form, sent, key);
    say(place, "");
    const one = { name, argument, fields, sent, element, form, submitter, draft, place };
    one.free = occupy(form ? submitter : element);
    waiting.set(key, one);
    deliver(key, one);
  }

  function deliver(key, one) {
    const { argument, fields } = one;
    one.target = find(one.name)?.target;
    one.generation = connection.generation;
    if (one.target) connection.send(one.target, [{ argument, fields, key }]);
    clearTimeout(one.timer);
    one.timer = setTimeout(() => deliver(key, one), PATIENCE);
  }

  /** The form as it stands now: the server may have made it anew meanwhile. */
  function present({ form, name, argument }) {
    if (!form || form.isConnected) return form;
    const isIt = ({ dataset }) => dataset.act === name && (dataset.argument ?? "") === argument;
    return [...document.querySelectorAll("form[data-act]")].find(isIt) || null;
  }

  function done(one) {
    const form = present(one);
    const same = form && JSON.stringify(fieldsOf(form, one.submitter)) === JSON.stringify(one.fields);
    if (same && form.dataset.keep === undefined) form.reset();
    if (one.draft) drafts.drop(one.draft);
    if (form && !same && one.draft) drafts.save(form); // typed on
  }

  function show({ element, form, place }, text, ok, field) {
    if (!place.isConnected && element.isConnected) place = answerPlace(element);
    if (!place.isConnected) return notice(text);
    say(place, text, ok ? "good" : "bad");
    if (form && field) blame(form, field, place);
  }

  function answered({ key, ok, text, field, leave, again }) {
    const one = waiting.get(key);
    if (!one) return; // answered before
    waiting.delete(key);
    clearTimeout(one.timer);
    one.free();
    if (again) doubtful.set(one.sent, key);
    else doubtful.delete(one.sent);
    if (leave) {
      if (one.draft) drafts.carry([one.draft]);
      return pageLoad.to(leave);
    }
    if (ok) done(one);
    else if (!again && one.draft && present(one)) drafts.save(present(one)); // the next try has another key
    if (text) show(one, text, ok, field);
  }

  function wanted(element, submitter) {
    const asking = submitter?.dataset.confirm === undefined ? element : submitter;
    if (asking.dataset.confirm === undefined) begin(element, submitter);
    else ask(asking, root.dataset.cancel, () => begin(element, submitter));
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-act]:not(form)");
    if (button && isPlainClick(event)) wanted(button);
  });
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || !event.target.matches("form[data-act]")) return;
    event.preventDefault();
    wanted(event.target, event.submitter);
  });

  return {
    answered,
    /** The page has handlers: what they have not heard yet is sent again. */
    ready() {
      for (const [key, one] of waiting) {
        if (one.target !== find(one.name)?.target || one.generation !== connection.generation) deliver(key, one);
      }
    },
  };
}
