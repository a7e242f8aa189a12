// Arrivals: a list with its newest rows at the top. An element with data-arrivals, data-one and data-many has a line and the
// list. New rows are held back, and the line shows their number, while the reader types, selects text, presses or points at
// the list, or has scrolled below its top, and always with data-held. Otherwise they appear at once. Only rows of the list
// move then: the content below the list is out of sight while the top is in view (community.css). With data-held="places"
// the rows of before stay in their places, each with its newest content; what came, went or moved shows after a press.

import { createElement, useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { attributesToProps } from "./props.js";

const EDITABLE = "textarea, input:not([type=checkbox], [type=radio], [type=submit])";
const keyOf = (row) => row.attributes?.key;

function isHeld(section) {
  const { top, height } = section.getBoundingClientRect(); // zero height in a hidden tab
  const selection = document.getSelection();
  const field = document.activeElement?.matches(EDITABLE) ? document.activeElement : null; // an empty field does not hold rows back
  return !!field?.value || section.matches(":hover, :active, [data-held]") || (height > 0 && top < 0)
    || (!selection.isCollapsed && selection.getRangeAt(0).intersectsNode(section));
}

/** Return the rows of `before` with their newest content, or the room of one that is gone; `hiddenCount` is 1 if the list is another by now. */
function keepPlaces(rows, before) {
  const kept = before.map((row) => rows.find((each) => keyOf(each) === keyOf(row)) || { ...row, attributes: { key: keyOf(row), "data-gone": "" } });
  return { hiddenCount: +(rows.length !== kept.length || rows.some((row, place) => row !== kept[place])), rows: kept };
}

/** Return the rows for a reader of `before`: without new rows above, and with the old rows that these push out below. */
function keepInPlace(rows, before) {
  const known = new Set(before.map(keyOf));
  const start = rows.findIndex((row) => known.has(keyOf(row)));
  const hiddenCount = start < 0 ? rows.length : start;
  const present = new Set(rows.map(keyOf));
  const last = before.map((row) => present.has(keyOf(row))).lastIndexOf(true);
  return { hiddenCount, rows: [...rows.slice(hiddenCount), ...before.slice(last + 1).slice(0, hiddenCount)] };
}

export function Arrivals({ model, toElement }) {
  const [line, list] = model.children;
  const { "data-one": one, "data-many": many } = model.attributes;
  const section = useRef();
  const shown = useRef(null); // { rows, hiddenCount, of: the server's rows }
  const own = useRef(null); // key of the row that this viewer has just written: it is shown at once
  const jumpsToTop = useRef(false);
  const [, draw] = useReducer((count) => count + 1, 0);

  const rows = list.children || [];
  const hasOwn = (candidates) => !!own.current && candidates.some((row) => keyOf(row) === own.current);
  if (shown.current?.of !== rows) {
    const writes = hasOwn(rows);
    const held = shown.current && !writes && isHeld(section.current);
    const keep = model.attributes["data-held"] ? keepPlaces : keepInPlace;
    const next = held ? keep(rows, shown.current.rows) : { rows, hiddenCount: 0 };
    if (held && document.querySelector(".comments--older")) next.rows = rows.slice(next.hiddenCount); // the list of older comments shows the rows that are pushed out
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
      if (!hasOwn(of)) return; // not here yet
      own.current = null;
      shown.current = { rows: of, hiddenCount: 0, of };
      draw();
    }
    document.addEventListener("command:done", onCommandDone);
    return () => document.removeEventListener("command:done", onCommandDone);
  }, []);

  const label = hiddenCount === 1 ? one : many.replace("{n}", hiddenCount);
  const button = hiddenCount > 0 && createElement("button", { type: "button", className: "fresh", onClick: show }, createElement("span", null, label));
  return createElement(model.tagName, { ...attributesToProps(model.attributes), ref: section },
    createElement(line.tagName, attributesToProps(line.attributes), button || null),
    createElement(list.tagName, attributesToProps(list.attributes), ...shown.current.rows.map((row) => toElement(row))));
}
