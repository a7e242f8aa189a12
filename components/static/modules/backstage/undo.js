// Shows what was just done at the window's foot for five seconds, with a button and the key Z that take it back.

import { createElement as h, useEffect, useLayoutEffect, useRef, useState } from "react";

const READING = 5000; // milliseconds; they do not count while the pointer or the focus is on it
const TYPED = 'textarea, select, input:not([type="checkbox"], [type="radio"])';

export function Undo({ label, busy }) {
  const [step, setStep] = useState(null); // what may be taken back; each has its number
  const number = useRef(0);
  const [paused, setPaused] = useState(false);

  useLayoutEffect(() => { // before the first paint, so that no event is lost
    function onUndo(event) {
      event.preventDefault();
      setStep({ ...event.detail, number: (number.current += 1) });
    }
    // what was done after it is the last step now
    const onDone = ({ target }) => target.closest(".toast") || setStep(null);
    function onKeyDown(event) {
      const { key, target, altKey, ctrlKey, metaKey, defaultPrevented } = event;
      if (key.toLowerCase() !== "z" || altKey || ctrlKey || metaKey || defaultPrevented) return;
      if (target.matches?.(TYPED) || document.querySelector("dialog[open]")) return;
      document.querySelector(".toast button")?.click();
    }
    document.addEventListener("command:undo", onUndo);
    document.addEventListener("command:done", onDone);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("command:undo", onUndo);
      document.removeEventListener("command:done", onDone);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  useEffect(() => {
    if (!step || paused) return undefined;
    const timer = setTimeout(() => setStep(null), READING);
    return () => clearTimeout(timer);
  }, [step, paused]);

  const hold = () => setPaused(true);
  const release = () => setPaused(false);
  const toast = step && h(
    "div",
    { key: step.number, className: "toast", "data-answers": "", onMouseEnter: hold, onMouseLeave: release, onFocus: hold, onBlur: release },
    h("span", { "data-answer": "" }, step.text),
    // its answer takes the text's place, and then it goes: `.toast` in live_control.css
    h("button", { type: "button", "data-command": step.undo[0], "data-argument": step.undo[1], "data-busy": busy, onClick: () => setStep({ ...step }) },
      label, " ", h("kbd", { "aria-hidden": true }, "Z")),
  );
  return h("div", { className: "toasts", role: "status" }, toast); // on the page before its text: screen readers announce only what changes later
}
