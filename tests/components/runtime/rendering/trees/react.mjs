// React's own server renderer for many models at once: one JSON list of them in, one of their HTML out.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const client = process.argv[2];
const installed = createRequire(`${client}/package.json`);
const { JSDOM } = installed("jsdom");
const { window } = new JSDOM("", { url: "http://localhost/" });
for (const name of ["document", "location", "history"]) globalThis[name] = window[name];
globalThis.window = window;
globalThis.addEventListener = globalThis.removeEventListener = () => {};
console.error = () => {}; // advice

const { renderToString } = installed("react-dom/server");
const { createRenderer } = await import(`${client}/src/rendering/render.js`);
const { createSlots } = await import(`${client}/src/rendering/slots.js`);

const toElement = createRenderer({ root: document.createElement("div"), connection: {}, slots: createSlots() });
const html = (model) => {
  try {
    return renderToString(toElement(model));
  } catch (error) {
    return `failed: ${error.message}`;
  }
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(html)));
