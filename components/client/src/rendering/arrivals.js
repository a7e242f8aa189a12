// A list whose newest rows come at its top: <section data-arrivals data-one data-many> holds a line and the list. Who
// is at the top and does not type sees them come; for everybody else nothing moves, and the line says how many there are.
// Where it says data-arrivals="unseen", they come by themselves only while the list is further down, or behind a tab.

import { createElement, useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { attributesToProps } from "./props.js";

const TOP = 100; // pixels: who has scrolled further reads
const EDITABLE = "textarea, input:not([type=checkbox], [type=radio], [type=submit])";
const keyOf = (row) => row.attributes?.key;
const isReached = (list) => { const { top, height } = list.getBoundingClientRect(); return height > 0 && top < innerHeight; };
const isBusy = ({ dataset, lastElementChild: list }) => !!document.activeElement?.matches(EDITABLE)
  || (dataset.arrivals === "unseen" ? isReached(list) : scrollY > TOP);

/** Return the rows to show to a reader of `before`: not those that came above; as many stay as these push out below. */
export function keepInPlace(rows, before) {
  const known = new Set(before.map(keyOf));
  const start = rows.findIndex((row) => known.has(keyOf(row)));
  const hiddenCount = start < 0 ? rows.length : start;
  const there = new Set(rows.map(keyOf));
  const last = before.map((row) => there.has(keyOf(row))).lastIndexOf(true);
  return { hiddenCount, rows: [...rows.slice(hiddenCount), ...before.slice(last + 1).slice(0, hiddenCount)] };
}

export function Arrivals({ model, toElement }) {
  const [line, list] = model.children;
  const { "data-one": one, "data-many": many } = model.attributes;
  const section = useRef();
  const shown = useRef(null); // { rows, waiting, of: the rows that they were made of }
  const own = useRef(null); // the key of what this viewer has just written: it is shown at once
  const jumpsToTop = useRef(false);
  const [, draw] = useReducer((count) => count + 1, 0);

  const rows = list.children || [];
  const hasOwn = (there) => !!own.current && there.some((row) => keyOf(row) === own.current);
  if (shown.current?.of !== rows) {
    const writes = hasOwn(rows);
    const busy = shown.current && !writes && isBusy(section.current);
    const next = busy ? keepInPlace(rows, shown.current.rows) : { rows, hiddenCount: 0 };
    if (busy && document.querySelector(".comments--older")) next.rows = rows.slice(next.hiddenCount); // those pushed out stand there
    if (writes) own.current = null;
    shown.current = { ...next, of: rows };
  }
  const { hiddenCount } = shown.current;

  function show() {
    shown.current = { rows, hiddenCount: 0, of: rows };
    jumpsToTop.current = true;
    draw();
  }
  useLayoutEffect(() => {
    if (!jumpsToTop.current) return;
    jumpsToTop.current = false;
    section.current.scrollIntoView?.();
    const first = section.current.querySelector("li");
    if (!first) return;
    first.tabIndex = -1;
    first.focus({ preventScroll: true });
  });
  useEffect(() => {
    function onCommandDone({ detail }) {
      own.current = detail?.data?.row;
      const { of } = shown.current;
      if (!hasOwn(of)) return; // it has not come yet
      own.current = null;
      shown.current = { rows: of, hiddenCount: 0, of };
      draw();
    }
    document.addEventListener("command:done", onCommandDone);
    return () => document.removeEventListener("command:done", onCommandDone);
  }, []);

  const words = hiddenCount === 1 ? one : many.replace("{n}", hiddenCount);
  const button = hiddenCount > 0 && createElement("button", { type: "button", className: "fresh", onClick: show }, createElement("span", null, words));
  return createElement("section", { ...attributesToProps(model.attributes), ref: section },
    createElement(line.tagName, attributesToProps(line.attributes), button || null),
    createElement(list.tagName, attributesToProps(list.attributes), ...shown.current.rows.map((row) => toElement(row))));
}
