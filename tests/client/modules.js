// Web modules as the page's import map gives them React: the one of the tests.

import { createRequire, registerHooks } from "node:module";

const react = new URL(`file://${createRequire(new URL("../../components/client/package.json", import.meta.url)).resolve("react")}`).href;
registerHooks({
  resolve(name, context, next) {
    if (name === "react") return { url: react, format: "commonjs", shortCircuit: true };
    return /\/modules\/.+\.js$/.test(name) ? { ...next(name, context), format: "module" } : next(name, context);
  },
});

/** The module of this name below components/static/modules. */
export const webModule = (name) => import(`../../components/static/modules/${name}.js`);
