// The style sheets of the build for browsers that do not know light-dark().

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const { apart, darkRegions, darkTokens } = await import(new URL("../../components/client/colour-pairs.mjs", import.meta.url));
const CSS = new URL("../../components/static/css/", import.meta.url);
const sheets = readdirSync(CSS, { recursive: true }).filter((name) => name.endsWith(".css")).map((name) => readFileSync(new URL(name, CSS), "utf8"));
const withoutSupports = (css) => css.replace(/@supports \(color: light-dark\(red, red\)\) \{[\s\S]*$/, "");

test("outside @supports no style sheet has a pair of colours", () => {
  const pairs = sheets.filter((css) => css.includes("light-dark(#"));
  assert.ok(pairs.length >= 3);
  for (const css of pairs) assert.doesNotMatch(withoutSupports(apart(css)), /light-dark/);
});

test("a pair becomes its light value, and itself inside @supports", () => {
  const css = apart(":root {\n  --paper: light-dark(#fff, #000);\n  --line: 1px;\n}\n");
  assert.match(css, /^:root \{\s+--paper: #fff;\s+--line: 1px;\s+\}/);
  assert.match(css, /@supports \(color: light-dark\(red, red\)\) \{:root\{--paper:light-dark\(#fff,#000\)\}\}/);
});

test("a pair that cannot be taken apart ends the build", () => {
  assert.throws(() => apart("a { color: light-dark(rgb(0 0 0), #000) }"));
  assert.throws(() => apart("@media (width < 9rem) { a { color: light-dark(#fff, #000) } }"));
});

test("each dark region gets the dark value of each token, inside its media query", () => {
  const regions = darkRegions(sheets.join("\n"));
  const written = sheets.join("\n").match(/^\s*color-scheme: dark;/gm).length;
  assert.equal([...regions.values()].flat().length, written);
  assert.deepEqual([...regions.get("@media (width < 64rem)")].length, 2);
  const css = darkTokens(":root { --ink: light-dark(#111, #eee); --live: red }", new Map([["", [".stage", ":root[x]:has(b)"]]]));
  assert.equal(css, "@supports not (color: light-dark(red, red)) {@media screen {:is(.stage, :root[x]:has(b)) {--ink:#eee}}}");
});
