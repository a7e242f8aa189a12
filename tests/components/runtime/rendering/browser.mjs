// The browser's side of the wire, one answer a line: what React itself would render and hydrate, and what our client
// makes of a part's changes. Each test sends its own cases, so that hypothesis can shrink them.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const client = process.argv[2];
const installed = createRequire(`${client}/package.json`); // the client's own packages
const { JSDOM } = installed("jsdom");
const { window } = new JSDOM("<!doctype html><body></body>", { url: "http://localhost/", pretendToBeVisual: true });
for (const name of ["document", "location", "history", "Event", "CustomEvent", "FormData", "HTMLElement", "Node", "addEventListener", "removeEventListener", "scrollTo"]) {
  globalThis[name] = typeof window[name] === "function" && !/^[A-Z]/.test(name) ? window[name].bind(window) : window[name];
}
globalThis.window = window;
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

const { act } = installed("react");
const { hydrateRoot } = installed("react-dom/client");
const { renderToString } = installed("react-dom/server");
const { applyChange, applyUpdate } = await import(`${client}/src/rendering/parts.js`);
const { createRenderer } = await import(`${client}/src/rendering/render.js`);

const connection = { generation: 0, live: false, send: () => false, write: () => false };
const parts = { get: () => undefined, watch: () => () => {}, versions: () => ({}) };

/** The nodes of some HTML as a browser reads them: attribute order and the case of HTML's names do not count. */
function nodes(html) {
  const holder = document.createElement("div");
  holder.innerHTML = html;
  const read = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType === 8) return { comment: node.data };
    const attributes = [...node.attributes].map(({ name, value }) => [name, value]).sort();
    return { tag: node.localName, space: node.namespaceURI, attributes, children: [...node.childNodes].map(read) };
  };
  return [...holder.childNodes].map(read);
}

const { createSlots } = await import(`${client}/src/rendering/slots.js`);

/** What the client makes of a model, with these fills in its slots. */
function renderer(fills = {}) {
  const slots = createSlots();
  slots.fill("all", fills);
  return createRenderer({ connection, modulesUrl: "/", parts, slots });
}

async function hydrated(html, model, fills) {
  const problems = [];
  const holder = document.body.appendChild(document.createElement("div"));
  holder.innerHTML = html;
  const stock = console.error;
  console.error = (...words) => /hydrat/i.test(words.join(" ")) && problems.push(words.map(String).join(" ")); // others are advice
  try {
    let root;
    const toElement = renderer(fills);
    await act(() => { root = hydrateRoot(holder, toElement(model), { onRecoverableError: (error) => problems.push(String(error)) }); });
    await act(() => root.unmount());
  } finally {
    console.error = stock;
    holder.remove();
  }
  return problems;
}

/** React's own HTML, without the hints to load pictures early that it writes before it. */
function rendered(model, fills) {
  const stock = console.error;
  console.error = () => {};
  try {
    return renderToString(renderer(fills)(model)).replace(/<link rel="preload"[^>]*>/g, "");
  } finally {
    console.error = stock;
  }
}

const answers = {
  async page({ model, html, fills }) {
    const react = rendered(model, fills);
    return { react, wanted: nodes(react), got: nodes(html), problems: await hydrated(html, model, fills) };
  },
  operations: ({ model, operations }) => operations.reduce(applyChange, model),
  update: ({ model, path, value }) => applyUpdate(model, path, value),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { ask, ...rest } = JSON.parse(line);
  let answer;
  try {
    answer = { answer: await answers[ask](rest) };
  } catch (error) {
    answer = { error: String(error.stack) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
