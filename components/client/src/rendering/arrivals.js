// A list whose newest rows come at its top: <section data-arrivals data-one data-many> holds a line and the list. Whoever
// stands at the top and does not type sees them come; for everybody else nothing moves, and the line says how many wait.

import { createElement, useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { attributesToProps } from "./props.js";

const TOP = 100; // pixels: who has scrolled further reads
const EDITABLE = "textarea, input:not([type=checkbox], [type=radio], [type=submit])";
const keyOf = (row) => row.attributes?.key;
const isBusy = () => scrollY > TOP || !!document.activeElement?.matches(EDITABLE);

/** What is shown of `rows` to somebody who reads `before`: all but those that came above; what these push out stays. */
export function held(rows, before) {
  const known = new Set(before.map(keyOf));
  const start = rows.findIndex((row) => known.has(keyOf(row)));
  const waiting = start < 0 ? rows.length : start;
  const there = new Set(rows.map(keyOf));
  const last = before.findLastIndex((row) => there.has(keyOf(row)));
  return { waiting, rows: [...rows.slice(waiting), ...before.slice(last + 1).slice(0, waiting)] };
}

export function Arrivals({ model, toElement }) {
  const [line, list] = model.children;
  const { "data-one": one, "data-many": many } = model.attributes;
  const section = useRef();
  const shown = useRef(null); // { rows, waiting, of: the rows that they were made of }
  const welcome = useRef(false); // who reads here has just written something: the next is shown
  const moves = useRef(false);
  const [, draw] = useReducer((count) => count + 1, 0);

  const rows = list.children || [];
  if (shown.current?.of !== rows) {
    const busy = shown.current && !welcome.current && isBusy();
    const next = busy ? held(rows, shown.current.rows) : { rows, waiting: 0 };
    if (welcome.current && shown.current && keyOf(rows[0] || {}) !== keyOf(shown.current.of[0] || {})) welcome.current = false;
    shown.current = { ...next, of: rows };
  }
  const { waiting } = shown.current;

  function show() {
    shown.current = { rows, waiting: 0, of: rows };
    moves.current = true;
    draw();
  }
  useLayoutEffect(() => {
    if (!moves.current) return;
    moves.current = false;
    section.current.scrollIntoView?.();
    const first = section.current.querySelector("li");
    if (!first) return;
    first.tabIndex = -1;
    first.focus({ preventScroll: true });
  });
  useEffect(() => {
    function written({ target }) {
      if (section.current.contains(target)) return;
      welcome.current = true;
      if (shown.current.waiting) {
        shown.current = { rows: shown.current.of, waiting: 0, of: shown.current.of };
        welcome.current = false;
        draw();
      }
    }
    document.addEventListener("command:done", written);
    return () => document.removeEventListener("command:done", written);
  }, []);

  const words = waiting === 1 ? one : many.replace("{n}", waiting);
  const button = waiting > 0 && createElement("button", { type: "button", className: "fresh", onClick: show }, createElement("span", null, words));
  return createElement("section", { ...attributesToProps(model.attributes), ref: section },
    createElement(line.tagName, attributesToProps(line.attributes), button || null),
    createElement(list.tagName, attributesToProps(list.attributes), ...shown.current.rows.map(toElement)));
}
