// Keyboard control and bulk decisions of the moderation queue. The current row (data-current) is the focused one; while
// nothing else has the focus, the last focused one, and on opening the first. J and K move the focus, X ticks the row, O unfolds it, Z undoes
// the last decision, and ? opens the list of keys. The keys in `decisions` press the row's buttons (A approves,
// R rejects), or those for all ticked rows. When a row is removed, the next one gets the focus; when the focused control of
// a row is removed, the row does. A row that another moderator has decided (data-decided) stays and cannot be decided.

import { createElement as h, useLayoutEffect, useRef, useState } from "react";

const TYPED = 'textarea, select, input:not([type="checkbox"], [type="radio"])';
const TICK = '.tick';
const DECIDED = "[data-decided]";
const PAUSE = 600; // milliseconds without A and R after the current row was removed by someone else
const BUSY = '[aria-busy="true"]';

export function Queue({ selected, decisions }) {
  const counter = useRef(null);
  const [count, setCount] = useState(0);

  useLayoutEffect(() => { // before the first paint, so that no key is missed
    const form = counter.current.closest("form");
    const section = form.parentElement;
    const list = form.querySelector("ol");
    const all = () => form.querySelector("[data-all]");
    const rows = () => [...list.children];
    const ticks = () => [...list.querySelectorAll(`${TICK}:enabled`)];
    const entry = (row) => row?.querySelector("input:enabled, button:enabled, a");
    const rowOf = (element) => rows().find((candidate) => candidate.contains(element));
    const isIdle = () => !(document.activeElement?.tabIndex >= 0); // the focus is at the page or its heading
    const current = () => rowOf(document.activeElement) || (isIdle() && row?.isConnected ? row : null);
    let row = rows()[0]; // the last focused row
    let control = null; // and the focused control in it
    let at = 0;
    let isPressed = false; // whether a key has decided the current row
    let pauseTimer = 0;
    let isNewerRequested = false; // the newer rows are requested
    let lastRows = rows();

    function tell() {
      const boxes = ticks();
      const ticked = boxes.filter((box) => box.checked).length;
      const box = all();
      setCount(ticked);
      if (!box) return;
      box.checked = ticked > 0 && ticked === boxes.length;
      box.indeterminate = ticked > 0 && !box.checked;
    }
    function mark() {
      for (const candidate of rows()) candidate.toggleAttribute("data-current", candidate === row);
    }
    function focusRow(next) {
      if (!next) return;
      entry(next).focus({ preventScroll: true });
      next.scrollIntoView?.({ block: "nearest" });
    }
    function step(by) {
      const here = current();
      const all = rows();
      focusRow(here ? all[all.indexOf(here) + by] : all[Math.min(at, all.length - 1)]);
    }
    function decide(verdict) {
      const here = current();
      const several = ticks().some((box) => box.checked);
      const button = here && !here.matches(DECIDED) && (several ? form.querySelector(`[name="decision"][value="${verdict}"]`)
        : here.querySelector(`.queue__acts [data-command][data-argument^="${verdict}:"]`));
      if (!button || button.disabled || pauseTimer) return;
      if (several) return button.click();
      const waiting = rows().filter((candidate) => candidate === here || !(candidate.querySelector(BUSY) || candidate.matches(DECIDED)));
      const next = waiting[waiting.indexOf(here) + 1] || waiting[waiting.indexOf(here) - 1];
      button.click();
      isPressed = !next;
      focusRow(next);
    }
    function showKeys() {
      const dialog = section.querySelector("dialog");
      if (dialog.open) return dialog.close();
      try { dialog.showModal(); } catch { /* a browser without dialogs */ }
    }
    const keys = {
      j: () => step(1),
      k: () => step(-1),
      x: () => current()?.querySelector(TICK)?.click(),
      o: () => current()?.querySelector("summary")?.click(),
      ...Object.fromEntries(Object.entries(decisions).map(([key, verdict]) => [key, () => decide(verdict)])),
      z: () => form.querySelector("[data-undo]")?.click(),
      "?": showKeys,
    };

    function onKeyDown(event) {
      const { key, target, repeat, altKey, ctrlKey, metaKey, defaultPrevented } = event;
      if (key === "Enter" && target.matches?.(`${TICK}, [data-all]`)) return event.preventDefault(); // does not submit the form
      if (altKey || ctrlKey || metaKey || defaultPrevented || target.matches?.(TYPED) || document.querySelector("dialog[open]")) return;
      const action = keys[key.toLowerCase()];
      if (!action || (repeat && !/[jk]/i.test(key))) return;
      if (action === keys.z && document.querySelector(".toast button")) return; // undo.js handles the key
      event.preventDefault();
      action();
    }
    function onFocus({ target }) {
      control = target;
      row = rowOf(target);
      at = rows().indexOf(row);
      isPressed = false;
      mark();
    }
    function onPageChanged() {
      const now = rows();
      const lost = document.activeElement === document.body || document.activeElement === null;
      if (lost && control?.isConnected === false && row?.isConnected) focusRow(row);
      if (now.length === lastRows.length && now.every((candidate, index) => candidate === lastRows[index])) return;
      lastRows = now;
      tell();
      if (isNewerRequested && lost) {
        isNewerRequested = false;
        focusRow(now[0]);
      }
      if (!row?.isConnected) {
        const wasFocused = control && lost;
        if (row && !isPressed) {
          clearTimeout(pauseTimer);
          pauseTimer = setTimeout(() => { pauseTimer = 0; }, PAUSE);
        }
        isPressed = false;
        row = now[Math.min(at, now.length - 1)];
        if (wasFocused) row ? focusRow(row) : form.querySelector("[tabindex]").focus();
      }
      mark();
    }
    function onChange({ target }) {
      if (target.matches("[data-all]")) for (const box of ticks()) box.checked = target.checked;
      tell();
    }
    function onClick({ target }) {
      if (target.closest("[data-newer]")) isNewerRequested = true;
      if (target.closest("[data-keys]")) showKeys();
    }
    const again = () => setTimeout(tell);
    document.addEventListener("page:changed", onPageChanged);
    document.addEventListener("keydown", onKeyDown);
    list.addEventListener("focusin", onFocus);
    form.addEventListener("change", onChange);
    section.addEventListener("click", onClick);
    form.addEventListener("reset", again);
    tell();
    mark();
    return () => {
      clearTimeout(pauseTimer);
      document.removeEventListener("page:changed", onPageChanged);
      document.removeEventListener("keydown", onKeyDown);
      list.removeEventListener("focusin", onFocus);
      form.removeEventListener("change", onChange);
      section.removeEventListener("click", onClick);
      form.removeEventListener("reset", again);
    };
  }, []);

  return h("strong", { ref: counter, className: "bar__selected", role: "status" }, count ? selected.replace("{n}", count) : "");
}
