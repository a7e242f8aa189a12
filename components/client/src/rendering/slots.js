// Slots: elements of public markup (data-slot) whose attributes and text one viewer's own values replace. All values are
// one node of the page's model; each element draws itself with its own, whenever that or the markup changes.

import { createElement, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { tellChange } from "../page/page-changed.js";

const fillsIn = (node) => (node.tagName === "page-slots" ? node.attributes.fills : Object.assign({}, ...(node.children || []).map(fillsIn)));

export function createSlots() {
  let fills = {}; // slot, or the name of many -> { attributes, text, part }
  const nodes = new Map(); // a <page-slots> of the page -> its fills
  const watchers = new Set();

  function update() {
    const next = Object.assign({}, ...nodes.values());
    const previousIfSame = (name) => (JSON.stringify(next[name]) === JSON.stringify(fills[name]) ? fills : next)[name];
    fills = Object.fromEntries(Object.keys(next).map((name) => [name, previousIfSame(name)]));
    for (const watcher of watchers) watcher();
  }
  return {
    fill: (node, its) => update(nodes.set(node, its)),
    empty: (node) => update(nodes.delete(node)),
    start: (model) => { fills = fillsIn(model); }, // the server's HTML has them filled already
    get: (name) => fills[name] || fills[name.split(":")[0]],
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export function PageSlots({ model, slots }) {
  const node = useRef();
  useLayoutEffect(() => slots.fill(node, model.attributes.fills), [model]);
  useLayoutEffect(() => () => slots.empty(node), []);
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
    const content = fill?.part ? { tagName: "shared-part", attributes: { part: fill.part } } : fill?.text;
    return draw({ ...model, attributes: { ...attributes, ...more }, ...(content === undefined ? null : { children: [content] }) }, { value, checked });
  }, [model, fill]);
}

export const slotElement = (model, { slots, draw }) => createElement(Slot, { key: model.attributes.key, model, slots, draw });
