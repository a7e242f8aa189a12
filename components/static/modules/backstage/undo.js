// Shows the last action at the window's bottom for five seconds, with a button and the key Z that undo it.

import { createElement as h, useEffect, useLayoutEffect, useRef, useState } from "react";

const READING = 5000; // milliseconds; paused while the pointer or the focus is on the message
const TYPED = 'textarea, select, input:not([type="checkbox"], [type="radio"])';

export function Undo({ label, busy }) {
  const [step, setStep] = useState(null); // the action that can be undone, with a number
  const number = useRef(0);
  const [paused, setPaused] = useState(false);

  useLayoutEffect(() => { // before the first paint, so that no event is missed
    function onUndo(event) {
      event.preventDefault();
      setStep({ ...event.detail, number: (number.current += 1) });
    }
    // a later action has replaced it
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
    // the answer replaces the text, then the message disappears: `.toast` in live_control.css
    h("button", { type: "button", "data-command": step.undo[0], "data-argument": step.undo[1], "data-busy": busy, onClick: () => setStep({ ...step }) },
      label, " ", h("kbd", { "aria-hidden": true }, "Z")),
  );
  return h("div", { className: "toasts", role: "status" }, toast); // mounted before its text: screen readers announce only later changes
}
