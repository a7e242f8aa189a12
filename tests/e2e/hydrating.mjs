// What a browser gets to take generated trees over: our renderer and the React that our pages have.

import { hydrateRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { createRenderer } from "../../components/client/src/rendering/render.js";
import { createSlots } from "../../components/client/src/rendering/slots.js";

const connection = { generation: 0, live: false, send: () => false, write: () => false };
const rendererOf = () => createRenderer({ root: document.createElement("div"), connection, slots: createSlots() });

/** Take each tree's HTML over; returns React's recoverable errors of it, and whether its elements stayed the same. */
globalThis.hydrate = async (trees) => {
  const found = [];
  for (const { html, model } of trees) {
    const problems = [];
    const holder = document.body.appendChild(document.createElement("div"));
    holder.innerHTML = html;
    const before = [...holder.querySelectorAll("*")];
    let root;
    flushSync(() => { root = hydrateRoot(holder, rendererOf()(model), { onRecoverableError: (error) => problems.push(String(error)) }); });
    await new Promise((done) => { setTimeout(done); });
    const after = [...holder.querySelectorAll("*")];
    if (before.length !== after.length || before.some((node, number) => node !== after[number])) problems.push("other elements");
    root.unmount();
    holder.remove();
    found.push(problems);
  }
  return found;
};
