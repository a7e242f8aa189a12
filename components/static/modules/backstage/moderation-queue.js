// Keyboard control and bulk decisions of the moderation queue. The current row is the focused one: J and K move the focus,
// X ticks the row, O unfolds it, and Z undoes the last decision. The keys in `decisions` press the row's buttons (A approves,
// R rejects), or those for all ticked rows. When a row is removed, the next one gets the focus; when the focused control of
// a row is removed, the row does.

import { createElement as h, useLayoutEffect, useRef, useState } from "react";

const TYPED = 'textarea, select, input:not([type="checkbox"], [type="radio"])';
const TICK = '.tick';
const PAUSE = 600; // milliseconds without A and R after another moderator decided the focused row
const BUSY = '[aria-busy="true"]';

export function Queue({ selected, decisions }) {
  const counter = useRef(null);
  const [count, setCount] = useState(0);

  useLayoutEffect(() => { // before the first paint, so that no key is missed
    const form = counter.current.closest("form");
    const list = form.querySelector("ol");
    const all = () => form.querySelector("[data-all]");
    const rows = () => [...list.children];
    const ticks = () => [...list.querySelectorAll(TICK)];
    const entry = (row) => row?.querySelector("input, button, a");
    const rowOf = (element) => rows().find((candidate) => candidate.contains(element));
    const current = () => rowOf(document.activeElement);
    let row = null; // the last focused row
    let control = null; // and the focused control in it
    let at = 0;
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
      const button = here && (several ? form.querySelector(`[name="decision"][value="${verdict}"]`)
        : here.querySelector(`.queue__acts [data-command][data-argument^="${verdict}:"]`));
      if (!button || button.disabled || pauseTimer) return;
      if (several) return button.click();
      const waiting = rows().filter((candidate) => candidate === here || !candidate.querySelector(BUSY));
      const next = waiting[waiting.indexOf(here) + 1] || waiting[waiting.indexOf(here) - 1];
      button.click();
      focusRow(next);
    }
    const keys = {
      j: () => step(1),
      k: () => step(-1),
      x: () => current()?.querySelector(TICK)?.click(),
      o: () => current()?.querySelector("summary")?.click(),
      ...Object.fromEntries(Object.entries(decisions).map(([key, verdict]) => [key, () => decide(verdict)])),
      z: () => form.querySelector("[data-undo]")?.click(),
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
    }
    function onPageChanged() {
      const now = rows();
      const lost = document.activeElement === document.body || document.activeElement === null;
      if (lost && row?.isConnected && !control.isConnected) focusRow(row);
      if (now.length === lastRows.length && now.every((candidate, index) => candidate === lastRows[index])) return;
      lastRows = now;
      tell();
      if (isNewerRequested && lost) {
        isNewerRequested = false;
        focusRow(now[0]);
      }
      if (!row || row.isConnected || !lost) return;
      clearTimeout(pauseTimer);
      pauseTimer = setTimeout(() => { pauseTimer = 0; }, PAUSE);
      row = null;
      if (now.length) focusRow(now[Math.min(at, now.length - 1)]);
      else form.querySelector("[tabindex]").focus();
    }
    function onChange({ target }) {
      if (target.matches("[data-all]")) for (const box of ticks()) box.checked = target.checked;
      tell();
    }
    function onClick({ target }) {
      if (target.closest("[data-newer]")) isNewerRequested = true;
    }
    const again = () => setTimeout(tell);
    document.addEventListener("page:changed", onPageChanged);
    document.addEventListener("keydown", onKeyDown);
    list.addEventListener("focusin", onFocus);
    form.addEventListener("change", onChange);
    form.addEventListener("click", onClick);
    form.addEventListener("reset", again);
    tell();
    return () => {
      clearTimeout(pauseTimer);
      document.removeEventListener("page:changed", onPageChanged);
      document.removeEventListener("keydown", onKeyDown);
      list.removeEventListener("focusin", onFocus);
      form.removeEventListener("change", onChange);
      form.removeEventListener("click", onClick);
      form.removeEventListener("reset", again);
    };
  }, []);

  return h("strong", { ref: counter, className: "bar__selected", role: "status" }, count ? selected.replace("{n}", count) : "");
}
