// The reduced React of the bundle behaves like the whole one with a tree of all kinds of elements.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { consoleErrors, open } from "./browser.js";

const client = new URL("../../components/client/", import.meta.url);
const require = createRequire(new URL("package.json", client));
const { INTERNAL, leanReact, leanRenderer } = await import(new URL("lean-react.mjs", client));
const ENTRY = 'export * from "react"; export { hydrateRoot } from "react-dom/client"; export { createPortal, flushSync } from "react-dom";';

async function bundled() {
  const { outputFiles } = await require("esbuild").build({
    stdin: { contents: ENTRY, resolveDir: new URL(".", client).pathname }, plugins: [leanReact], mangleProps: INTERNAL, bundle: true,
    minify: true, format: "esm", write: false, logLevel: "error", define: { "process.env.NODE_ENV": '"production"' },
    logOverride: { "import-is-undefined": "silent" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Return a tree of all kinds of elements and hooks of this React; `told` receives its events. */
function treeOf(React, told) {
  const h = React.createElement;
  const Words = React.createContext("none");
  class Boundary extends React.Component {
    state = { failed: false };
    static getDerivedStateFromError() { return { failed: true }; }
    render() { return this.state.failed ? h("p", { id: "failed" }, "It failed.") : this.props.children; }
  }
  const Fails = ({ now }) => { if (now) throw new Error("now"); return h("p", null, "well"); };
  const Part = React.memo(({ name }) => h("em", null, React.use(Words), name));
  function Tree() {
    const [count, setCount] = React.useState(0);
    const shown = React.useSyncExternalStore(() => () => {}, () => "store", () => "store");
    const id = React.useId();
    React.useEffect(() => { told.push(`effect ${count}`); return () => told.push(`left ${count}`); }, [count]);
    const rows = count % 2 ? ["c", "a", "b"] : ["a", "b", "c"];
    return h(Words.Provider, { value: "words" },
      h("button", { id: "more", "aria-label": id && "more", onClick: () => setCount(count + 1) }, `pressed ${count}`),
      h("ol", null, rows.map((row) => h("li", { key: row, id: row }, row))),
      h("form", { action: "/do/it", onSubmit: (event) => { event.preventDefault(); told.push("submit"); } },
        h("input", { name: "text", defaultValue: "typed", onChange: (event) => told.push(event.target.value) }),
        h("input", { type: "radio", name: "key", value: "1", defaultChecked: true }),
        h("select", { name: "one", defaultValue: "b" }, h("option", { value: "a" }, "a"), h("option", { value: "b" }, "b")),
        h("textarea", { name: "area", defaultValue: "words" })),
      h("svg", { viewBox: "0 0 2 2" }, h("path", { d: "M0 0", strokeWidth: 2 })),
      h("script", { type: "application/ld+json" }, "{}"),
      h(React.Suspense, { fallback: "…" }, h(Part, { name: shown })),
      h(Boundary, null, h(Fails, { now: count === 2 })));
  }
  return h(Tree);
}

test("it hydrates, answers, moves rows and fails as the whole React does", async () => {
  await open();
  const lean = await bundled();
  const told = [];
  const html = require("react-dom/server").renderToString(treeOf(require("react"), []));
  document.body.innerHTML = `<div id="lean">${html}</div>`;
  const root = document.getElementById("lean");
  const before = [...root.querySelectorAll("*")];
  const errors = [];
  let reactRoot;
  lean.flushSync(() => { reactRoot = lean.hydrateRoot(root, treeOf(lean, told), { onRecoverableError: (error) => errors.push(error), onCaughtError() {} }); });
  const press = () => lean.flushSync(() => root.querySelector("#more").click());
  press();
  assert.deepEqual(errors, []);
  assert.deepEqual(before.filter((each) => !each.isConnected), [], "every element stays");
  assert.equal(root.querySelector("#more").textContent, "pressed 1");
  assert.deepEqual([...root.querySelectorAll("li")].map(({ id }) => id), ["c", "a", "b"]);
  assert.equal(root.querySelector("em").textContent, "wordsstore");
  root.querySelector("form").dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true }));
  press();
  assert.equal(root.querySelector("#failed").textContent, "It failed.");
  lean.flushSync(() => reactRoot.unmount());
  assert.equal(root.children.length, 0);
  assert.ok(told.includes("submit") && told.includes("effect 1") && told.includes("left 1"), told.join());
  assert.deepEqual(consoleErrors, []);
});

test("another React fails the build instead of keeping what was to go", () => {
  assert.throws(() => leanRenderer("function another() {\n}\n"), /React has no "function isHostHoistableType\(" any more/);
});
