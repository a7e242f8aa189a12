// A press that shows at once: of the buttons with aria-pressed beside each other at most one is pressed, and each counts
// in its <b>, where that is a number. What the server says afterwards is drawn over it; a refusal takes it back.

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

/** Press the button; returns the function that takes it back. */
export function press(button) {
  if (!button.hasAttribute?.("aria-pressed") || !counts(button)) return () => {};
  const others = [...button.parentElement.children].filter((other) => other !== button && other.hasAttribute("aria-pressed"));
  const next = button.getAttribute("aria-pressed") === "true" ? "false" : "true";
  const undos = [[button, next], ...others.map((other) => [other, "false"])].map(change);
  return () => undos.forEach((undo) => undo?.());
}
