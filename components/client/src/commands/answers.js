// Where the answer to a command stands, and how it is seen: near what caused it, and by somebody who has scrolled on too.

export const ANSWER = "[data-answer]";
const LOOKS = ["message", "message--good", "message--bad"];
const READING = 6000; // milliseconds that an answer from out of sight stands at the window's edge

const timers = new WeakMap();

/** Where the answer to this element stands; made beside it where the page has no place for it. */
export function answerSpot(element) {
  const isForm = element.matches("form");
  const existing = (isForm && element.querySelector(ANSWER)) || element.closest("[data-answers]")?.querySelector(ANSWER) ||
    (!isForm && element.parentNode.querySelector(`:scope > ${ANSWER}`));
  if (existing) return existing;
  const made = document.createElement("p");
  made.dataset.answer = "";
  made.setAttribute("role", "status"); // before it says something: only then is it heard
  if (isForm) element.append(made);
  else element.after(made);
  return made;
}

export function say(spot, text, look = "") {
  for (const name of LOOKS) spot.classList.toggle(name, !!look && (name === LOOKS[0] || name.endsWith(look)));
  spot.setAttribute("role", look === "bad" ? "alert" : "status");
  spot.textContent = text;
  const scrolls = getComputedStyle(spot).overflowY === "auto" && spot.scrollHeight > spot.clientHeight;
  if (scrolls) spot.tabIndex = 0; // to be read by keyboard too
  endFloating(spot);
  const { vanish } = spot.dataset; // milliseconds that a success stands there; what is wrong stays
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

/** What a form says comes into view while its button is; what is said far above a row is shown where one looks. */
export function reveal(spot, button) {
  if (isInSight(spot)) return;
  if (button && isInSight(button)) return spot.scrollIntoView?.({ block: "nearest" });
  spot.dataset.floating = "";
  timers.set(spot, setTimeout(() => endFloating(spot), READING));
}
