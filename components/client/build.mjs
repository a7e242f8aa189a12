// Bundles the client and the style sheet into components/static/build/; fails when a page's scripts grow too large.

import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";

const here = new URL(".", import.meta.url).pathname;
const STATIC = `${here}../static/`;
const OUT = `${STATIC}build/`;
const LIMIT = 80_000; // bytes, gzip, all scripts that any one page loads
const SCRIPTS = ["build/client.js", "lights.js", "modules/video-stage.js"];

await Promise.all([
  build({
    entryPoints: [`${here}src/exports.js`],
    outfile: `${OUT}client.js`,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "linked", // React's licence notice: client.js.LEGAL.txt
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  build({
    entryPoints: [`${STATIC}css/parterre.css`],
    outfile: `${OUT}parterre.css`,
    bundle: true,
    minify: true,
    charset: "utf8",
    external: ["*.svg", "*.png"], // css/ and build/ are neighbours: relative addresses stay right
  }),
]);

const zipped = (name) => gzipSync(readFileSync(STATIC + name), { level: 9 }).length;
const sizes = SCRIPTS.map((name) => [name, zipped(name)]);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
for (const [name, size] of sizes) console.log(`${name}: ${size} bytes gzip`);
console.log(`all scripts of a page: ${total} of ${LIMIT} bytes gzip; build/parterre.css: ${zipped("build/parterre.css")}`);
if (total >= LIMIT) {
  console.error("The scripts of a page are too large.");
  process.exit(1);
}
