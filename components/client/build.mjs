// Bundles the client and the style sheet into components/static/build/, minifies the other scripts, and fails if the scripts
// or styles of a page exceed their limit.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { minify } from "terser";
import { colourPairs } from "./colour-pairs.mjs";
import { INTERNAL, leanReact } from "./lean-react.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const STATIC = "../static/";
const modulesIn = (folder) => readdirSync(file(STATIC + folder)).filter((name) => name.endsWith(".js")).map((name) => `${folder}/${name}`);
const PUBLIC = modulesIn("modules");
const BACKSTAGE = modulesIn("modules/backstage");
const TOGETHER = [ // modules that one page may load together
  ["reactions", "video-player", "score", "session-page"], ["passkeys"], ["push"], ["browser-zone"], ["finder"], ["comparison", "score"],
  ["backstage/moderation-queue"], ["backstage/running-order", "backstage/undo"], ["backstage/modal"], ["backstage/file-limit", "backstage/undo"],
].map((names) => names.map((name) => `modules/${name}.js`));
const PLAIN = ["lights.js", "faults.js"]; // on every page, also on those without the client
const WORKER = "service-worker.js"; // no page loads it
const LIMIT = 70_000; // bytes, brotli: the scripts of one page; a session page has rating, video and reactions
const SHEETS = // bytes, brotli: of every page, and of some pages only
  { parterre: 11_700, home: 3_600, lists: 2_350, video: 2_900, session: 5_100, stages: 3_000, community: 1_300, pieces: 1_600, slots: 1_900, backstage: 7_800 };

const shared = { bundle: true, minify: true, charset: "utf8", logLevel: "warning" };
await Promise.all([
  build({
    ...shared,
    entryPoints: [file("src/exports.js")],
    outfile: file(`${STATIC}build/client.js`),
    format: "esm",
    target: "es2022",
    plugins: [leanReact],
    mangleProps: INTERNAL,
    logOverride: { "import-is-undefined": "silent" }, // React's optional exports of the scheduler
    legalComments: "linked", // React's licence notice: client.js.LEGAL.txt
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  build({
    ...shared,
    entryPoints: ["presence", "polling", "draft-expiry"].map((name) => file(`src/${name}.js`)),
    outdir: file(`${STATIC}build`),
    entryNames: "[name]",
    format: "esm",
    target: "es2022",
  }),
  build({
    ...shared,
    bundle: false, // web modules import React by the page's import map
    target: "es2022",
    entryPoints: [...PLAIN, WORKER, ...PUBLIC, ...BACKSTAGE].map((name) => file(STATIC + name)),
    outbase: file(STATIC),
    outdir: file(`${STATIC}build`),
  }),
  build({
    ...shared,
    entryPoints: Object.keys(SHEETS).map((name) => file(`${STATIC}css/${name}.css`)),
    outdir: file(`${STATIC}build`),
    plugins: [colourPairs(file(`${STATIC}css`))],
    external: ["*.svg", "*.png", "*.woff2"], // css/ and build/ are siblings: relative addresses stay valid
  }),
]);

const CLIENT = "client.js";
const compress = { passes: 3, ecma: 2020, keep_fargs: false };
const apart = { ...compress, join_vars: false }; // longer scripts, and shorter compressed ones
for (const name of [CLIENT, ...PUBLIC, ...BACKSTAGE]) { // terser saves 3 % of what esbuild has minified
  const built = file(`${STATIC}build/${name}`);
  for (const options of [compress, apart]) {
    writeFileSync(built, (await minify(readFileSync(built, "utf8"), { module: true, ecma: 2020, compress: options })).code);
  }
}

const zipped = (name) => brotliCompressSync(readFileSync(file(STATIC + name))).length; // highest quality, as served
function weigh(names) {
  const sizes = names.map((name) => [name, zipped(`build/${name}`)]);
  for (const [name, size] of sizes) console.log(`${name}: ${size} bytes brotli`);
  return sizes.reduce((sum, [, size]) => sum + size, 0);
}
const everywhere = weigh([CLIENT, ...PLAIN]);
const alone = [...PUBLIC, ...BACKSTAGE].filter((name) => !TOGETHER.flat().includes(name));
if (alone.length) throw new Error(`Which page loads ${alone}?`);
const total = everywhere + Math.max(...TOGETHER.map(weigh));
weigh(["presence.js", "polling.js", "draft-expiry.js"]); // not counted: pages with presence or draft-expiry have no client, and few pages load polling
console.log(`the scripts of a page: ${total} bytes brotli of ${LIMIT}`);
for (const [name, limit] of Object.entries(SHEETS)) {
  if (weigh([`${name}.css`]) >= limit) throw new Error(`The style sheet ${name} is too large: its limit is ${limit} bytes.`);
}
if (total >= LIMIT) throw new Error("The scripts of a page are too large.");
