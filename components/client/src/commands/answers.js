// Shows the answer to a command near the form or button that sent it, also to somebody who has scrolled away.

export const ANSWER = "[data-answer]";
const LOOKS = ["message", "message--good", "message--bad"];
const SHOWN = 8000; // milliseconds that a success is shown where the page says nothing else (`data-vanish`); an error stays
const SETTLED = 50; // milliseconds: screen readers announce a line only when it changes after it was added
const KEPT = "said"; // in sessionStorage: the address of the page that follows, and what it says
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
  if (isForm || element.matches("main")) element.append(made);
  else element.after(made);
  return made;
}

/** Return the element that shows the answer to what is not on this page, or no longer. */
export const pageSpot = () =>
  document.querySelector(`[data-answers] ${ANSWER}, main > ${ANSWER}`) || answerSpot(document.querySelector("main"));

/** One message at a time: what was said elsewhere goes, but for an error. */
export function endOthers(spot) {
  for (const other of document.querySelectorAll(`${ANSWER}.message--good`)) if (other !== spot) say(other, "");
}

/** Show a text in the spot; `look` is "good", "bad" or neither. */
export function say(spot, text, look = "") {
  for (const name of LOOKS) spot.classList.toggle(name, !!look && (name === LOOKS[0] || name.endsWith(look)));
  // what stands in a line that is announced is not announced once more
  if (!spot.parentNode?.closest("[role=status]")) spot.setAttribute("role", look === "bad" ? "alert" : "status");
  spot.textContent = text;
  if (text) endOthers(spot);
  const scrolls = spot.scrollHeight > spot.clientHeight && getComputedStyle(spot).overflowY === "auto";
  if (scrolls) spot.tabIndex = 0; // to be read by keyboard too
  endFloating(spot);
  if (look === "good") timers.set(spot, setTimeout(() => say(spot, ""), spot.dataset.vanish || SHOWN));
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

const attempt = (work) => { try { return work(); } catch { return null; } }; // storage may be forbidden, or full
const forget = () => attempt(() => sessionStorage.removeItem(KEPT));

function sayWhenShown(text) {
  const onPage = () => {
    forget();
    const spot = pageSpot();
    setTimeout(() => {
      say(spot, text, "good");
      reveal(spot);
    }, SETTLED);
  };
  document.addEventListener("page:shown", onPage, { once: true });
}

/** Say what was done on the page at `path`, which is shown next: in this document, or in one that the browser loads. */
export function sayOnNextPage(path, text) {
  attempt(() => sessionStorage.setItem(KEPT, JSON.stringify([path, text])));
  sayWhenShown(text);
}

/** Say what the document before this one has left for it. */
export function sayWhatIsKept() {
  const [path, text] = attempt(() => JSON.parse(sessionStorage.getItem(KEPT))) || [];
  forget();
  if (path === location.pathname + location.search) sayWhenShown(text);
}
