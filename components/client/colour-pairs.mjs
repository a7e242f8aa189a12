// The style sheets for browsers without light-dark(): a custom property with an unknown function is invalid as a whole there.
// The light values stand alone and the pairs are inside @supports; regions that are dark in both themes get the dark values.
// (build.mjs; tests/client/colour-pairs.test.js)

import { readFileSync, readdirSync } from "node:fs";

const PAIR = /light-dark\(\s*([^(),]+?)\s*,\s*([^(),]+?)\s*\)/g;
const KNOWN = "(color: light-dark(red, red))";
const RULE = /([^{};]+)\{([^{}]*)\}/g; // a rule without nested ones
const MEDIA = /(@media[^{]+)\{((?:[^{}]|\{[^{}]*\})*)\}/g;
const TOKENS = "tokens.css";

const plain = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "");
const declarations = (body) => body.split(";").map((one) => one.trim().replace(/:\s+/, ":")).filter(Boolean);
const paired = (body) => declarations(body).filter((one) => one.includes("light-dark("));

/** Return the style sheet with the light colour of each pair, and at its end the pairs for browsers that know them. */
export function apart(css) {
  const text = plain(css), pairs = [];
  for (const [, selector, body] of text.replace(MEDIA, "").matchAll(RULE)) {
    const both = paired(body).join(";").replace(PAIR, "light-dark($1,$2)");
    if (both) pairs.push(`${selector.trim()}{${both}}`);
  }
  const light = text.replace(PAIR, "$1");
  if (light.includes("light-dark(")) throw new Error("A pair may not contain functions.");
  if ((text.match(MEDIA) ?? []).join("").includes("light-dark(")) throw new Error("A pair may not be in a media query.");
  return pairs.length ? `${light}\n@supports ${KNOWN} {${pairs.join("\n")}}` : light;
}

/** Return the selectors of the regions that are dark in both themes, by the media query around them ("" without one). */
export function darkRegions(css) {
  const found = new Map();
  const collect = (query, rules) => {
    for (const [, selector, body] of rules.matchAll(RULE)) {
      if (declarations(body).includes("color-scheme:dark")) found.set(query, [...(found.get(query) ?? []), selector.trim()]);
    }
  };
  const text = plain(css);
  for (const [, query, rules] of text.matchAll(MEDIA)) collect(query.trim(), rules);
  collect("", text.replace(MEDIA, ""));
  return found;
}

/** Return the rules that give these regions the dark values of the tokens, for browsers that know no pairs. */
export function darkTokens(tokens, regions) {
  const dark = [...plain(tokens).matchAll(RULE)].flatMap(([, , body]) => paired(body)).map((one) => one.replace(PAIR, "$2")).join(";");
  // :is() ignores a selector that a browser does not know; a plain list would be invalid as a whole
  const rules = [...regions].map(([query, selectors]) => {
    const rule = `:is(${selectors.join(", ")}) {${dark}}`;
    return query ? `${query} {${rule}}` : rule;
  });
  return `@supports not ${KNOWN} {@media screen {${rules.join("\n")}}}`;
}

/** The plugin for esbuild; `folder` has the sources of all style sheets. */
export const colourPairs = (folder) => ({
  name: "colour pairs",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, ({ path }) => {
      const css = readFileSync(path, "utf8");
      const dark = path.endsWith(TOKENS) ? darkTokens(css, darkRegions(sources(folder))) : "";
      return { contents: apart(css) + dark, loader: "css" };
    });
  },
});

function sources(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".css")).sort();
  return names.map((name) => readFileSync(`${folder}/${name}`, "utf8")).join("\n");
}
