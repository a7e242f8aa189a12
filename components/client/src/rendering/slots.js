// Slots: elements of public markup (data-slot) with attributes and text that a viewer's own values replace. The values are
// in <page-slots> nodes of the page's model; each element renders again when its value or the markup changes.

import { createElement, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { announceChange } from "../events.js";

const fillsIn = (node) => (node.tagName === "page-slots" ? node.attributes.fills : Object.assign({}, ...(node.children || []).map(fillsIn)));

export function createSlots() {
  let fills = {}; // slot, or the common name of several -> { attributes, text, part }
  const nodes = new Map(); // mounted <page-slots> -> its fills
  const watchers = new Set();

  function update() {
    const next = Object.assign({}, ...nodes.values());
    const previousIfSame = (name) => (JSON.stringify(next[name]) === JSON.stringify(fills[name]) ? fills : next)[name];
    fills = Object.fromEntries(Object.keys(next).map((name) => [name, previousIfSame(name)]));
    for (const watcher of watchers) watcher();
  }
  return {
    fill: (node, nodeFills) => update(nodes.set(node, nodeFills)),
    empty: (node) => update(nodes.delete(node)),
    start: (model) => { fills = fillsIn(model); }, // the server's HTML contains these values
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

/** `draw(model, slotValue)`: a field gets its value apart from its attributes, which React would restore. */
function Slot({ model, slots, draw }) {
  const { attributes } = model;
  const read = () => slots.get(attributes["data-slot"]);
  const fill = useSyncExternalStore(slots.watch, read, read);
  useLayoutEffect(announceChange, [fill]);
  return useMemo(() => {
    const { value, checked, ...more } = fill?.attributes || {};
    const content = fill?.part ? { tagName: "shared-part", attributes: { part: fill.part, key: "part" } } : fill?.text;
    return draw({ ...model, attributes: { ...attributes, ...more }, ...(content === undefined ? null : { children: [content] }) }, { value, checked });
  }, [model, fill]);
}

export const slotElement = (model, { slots, draw }) => createElement(Slot, { key: model.attributes.key, model, slots, draw });
