// Where the answer to a command stands, and how it is seen: near what caused it, and by somebody who has scrolled on too.

export const ANSWER = "[data-answer]";
const LOOKS = ["message", "message--good", "message--bad"];
const READING = 6000; // milliseconds that an answer from out of sight stands at the window's edge

const timers = new WeakMap();

/** Where the answer to this element stands; made beside it where the page has no place for it. */
export function answerPlace(element) {
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

export function say(place, text, look = "") {
  for (const name of LOOKS) place.classList.toggle(name, !!look && (name === LOOKS[0] || name.endsWith(look)));
  place.setAttribute("role", look === "bad" ? "alert" : "status");
  place.textContent = text;
  const scrolls = getComputedStyle(place).overflowY === "auto" && place.scrollHeight > place.clientHeight;
  if (scrolls) place.tabIndex = 0; // to be read by keyboard too
  rest(place);
  const { vanish } = place.dataset; // milliseconds that a success stands there; what is wrong stays
  if (look === "good" && vanish) timers.set(place, setTimeout(() => say(place, ""), vanish));
}

function rest(place) {
  clearTimeout(timers.get(place));
  delete place.dataset.floating;
}

const isInSight = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && top >= 0 && bottom <= innerHeight;
};

/** What a form says comes into view while its button is; what is said far above a row is shown where one looks. */
export function reveal(place, button) {
  if (isInSight(place)) return;
  if (button && isInSight(button)) return place.scrollIntoView?.({ block: "nearest" });
  place.dataset.floating = "";
  timers.set(place, setTimeout(() => rest(place), READING));
}
