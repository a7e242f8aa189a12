// Shows the answer to a command near the form or button that sent it, also to somebody who has scrolled away.

export const ANSWER = "[data-answer]";
const LOOKS = ["message", "message--good", "message--bad"];
const READING = 6000; // milliseconds that an answer that is out of sight is shown at the window's edge

const timers = new WeakMap();

/** Return the element that shows the answer to this form or button; it is made beside it where the page has none. */
export function answerSpot(element) {
  const isForm = element.matches("form");
  const existing = (isForm && element.querySelector(ANSWER)) || element.closest("[data-answers]")?.querySelector(ANSWER) ||
    (!isForm && element.parentNode.querySelector(`:scope > ${ANSWER}`));
  if (existing) return existing;
  const made = document.createElement("p");
  made.dataset.answer = "";
  made.setAttribute("role", "status"); // before it has a text: screen readers announce only what changes later
  if (isForm) element.append(made);
  else element.after(made);
  return made;
}

/** Show a text in the spot; `look` is "good", "bad" or neither. */
export function say(spot, text, look = "") {
  for (const name of LOOKS) spot.classList.toggle(name, !!look && (name === LOOKS[0] || name.endsWith(look)));
  spot.setAttribute("role", look === "bad" ? "alert" : "status");
  spot.textContent = text;
  if (text) for (const other of document.querySelectorAll(`${ANSWER}.message--good`)) if (other !== spot) say(other, ""); // one message at a time
  const scrolls = getComputedStyle(spot).overflowY === "auto" && spot.scrollHeight > spot.clientHeight;
  if (scrolls) spot.tabIndex = 0; // to be read by keyboard too
  endFloating(spot);
  const { vanish } = spot.dataset; // milliseconds that a success is shown; an error stays
  if (look === "good" && vanish) timers.set(spot, setTimeout(() => say(spot, ""), vanish));
}

function endFloating(spot) {
  clearTimeout(timers.get(spot));
  delete spot.dataset.floating;
}

const isInSight = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && top >= 0 && bottom <= innerHeight;
};

/** Bring the spot into view: scroll to it while the form's button is in sight, else float it at the window's edge. */
export function reveal(spot, button) {
  if (isInSight(spot)) return;
  if (button && isInSight(button)) return spot.scrollIntoView?.({ block: "nearest" });
  spot.dataset.floating = "";
  timers.set(spot, setTimeout(() => endFloating(spot), READING));
}
