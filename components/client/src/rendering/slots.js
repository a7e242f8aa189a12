// Slots: elements of public markup (data-slot) whose attributes and text one viewer's own values replace. All values are
// one node of the page's model; each element draws itself with its own, whenever that or the markup changes.

import { createElement, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import { tellChange } from "../page/page-changed.js";

const find = (node) => (node.tagName === "page-slots" ? node : (node.children || []).reduce((found, child) => found || find(child), undefined));

export function createSlots() {
  let fills = {}; // slot, or the name of many -> { attributes, text }
  const watchers = new Set();

  function fill(next) {
    const kept = (name) => (JSON.stringify(next[name]) === JSON.stringify(fills[name]) ? fills : next)[name];
    fills = Object.fromEntries(Object.keys(next).map((name) => [name, kept(name)]));
    for (const watcher of watchers) watcher();
  }
  return {
    fill,
    start: (model) => fill(find(model)?.attributes.fills || {}), // the server's HTML has them filled already
    get: (name) => fills[name] || fills[name.split(":")[0]],
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export function PageSlots({ model, slots }) {
  useLayoutEffect(() => slots.fill(model.attributes.fills), [model]);
  useLayoutEffect(() => () => slots.fill({}), []);
  return null;
}

/** `draw(model, given)`: what is given to a field becomes its value, and not an attribute that React would put back. */
export function Slot({ model, slots, draw }) {
  const { attributes } = model;
  const read = () => slots.get(attributes["data-slot"]);
  const fill = useSyncExternalStore(slots.watch, read, read);
  useLayoutEffect(tellChange, [fill]);
  return useMemo(() => {
    const { value, checked, ...more } = fill?.attributes || {};
    const text = fill?.text === undefined ? null : { children: [fill.text] };
    return draw({ ...model, attributes: { ...attributes, ...more }, ...text }, { value, checked });
  }, [model, fill]);
}

export const slotted = (model, { slots, draw }) => createElement(Slot, { key: model.attributes.key, model, slots, draw });
