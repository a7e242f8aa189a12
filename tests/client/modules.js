// Web modules with the React of the tests, in place of the page's import map.

import { createRequire, registerHooks } from "node:module";

const react = new URL(`file://${createRequire(new URL("../../components/client/package.json", import.meta.url)).resolve("react")}`).href;
registerHooks({
  resolve(name, context, next) {
    if (name === "react") return { url: react, format: "commonjs", shortCircuit: true };
    return /\/modules\/.+\.js$/.test(name) ? { ...next(name, context), format: "module" } : next(name, context);
  },
});

/** Import the module of this name from components/static/modules. */
export const webModule = (name) => import(`../../components/static/modules/${name}.js`);
