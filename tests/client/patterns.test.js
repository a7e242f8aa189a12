// Every regular expression of the client reads 64 KB of its worst input in time (no ReDoS), and the list is complete.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const client = new URL("../../components/client/", import.meta.url);
const { parse } = createRequire(new URL("package.json", client))("acorn"); // terser's
const FOLDERS = [new URL("src/", client), new URL("../../components/static/", import.meta.url)];
const LENGTH = 65_536; // characters
const SECONDS = 1; // of the processor
// The worst repeated input of each; tests/project/security/test_patterns.py has those of the server.
const REPEATS = {
  "/^retry=(\\d{1,3})$/": ["retry=", "1", "retry=1"],
  "/[?&]page=[^&]*/": ["?", "&page=", "?page", "&page"],
  "/[^\\p{L}\\p{N}]/gu": [" ", "a ", "-"],
  "/[?&](mode|id)=[^&]*/g": ["?", "&mode=", "?id", "&id=?mode="],
  "/^[a-z][a-z0-9+.-]*:/i": ["a", "a+", ":"],
  "/^(https?|mailto|webcal):/i": ["http", "https:", "m"],
  "/[\\0-\\x20]/g": [" ", "\0", "a "],
  "/\\s/g": [" ", "a "],
  "/-([a-z])/g": ["-", "-a", "a"],
  "/^(select-one|select-multiple|checkbox|radio)$/": ["select-", "checkbox"],
  "/^(checkbox|radio)$/": ["checkbox", "radio"],
  "/^(hidden|submit|button|image|reset|fieldset|output)$/": ["hidden", "image"],
  "/^(lights|theater|null)$/": ["lights", "null"],
  "/^(Backspace|Delete)$/": ["Delete", "D"],
  "/^\\d$/": ["1"],
  "/\\p{M}/gu": ["\u0301", "a\u0301"],
  "/\\p{Surrogate}/gu": ["\ud800", "\udc00\ud800", "a\ud800"],
  "/\\{(\\w+)\\}/g": ["{", "{a", "{a}", "a"],
  "/\\s+/": [" ", "a ", "\n"],
  "/[jk]/i": ["j", "a"],
  "/([+-])(\\d\\d):(\\d\\d)$/": ["+", "+00:", "+00:00", "-0"],
};

/** Return every regular expression in `node`; one that is composed at run time is an error. */
function* patterns(node) {
  if (!node || typeof node !== "object") return;
  if (node.regex) yield node.raw;
  assert.ok(node.type !== "Identifier" || node.name !== "RegExp", "a pattern that is made at run time");
  for (const child of Object.values(node)) yield* Array.isArray(child) ? child.flatMap((each) => [...patterns(each)]) : patterns(child);
}

function* sources() {
  for (const folder of FOLDERS) {
    for (const name of readdirSync(folder, { recursive: true })) {
      if (name.endsWith(".js") && !name.startsWith("build")) yield readFileSync(new URL(name, folder), "utf8");
    }
  }
}

test("every pattern is in the table", () => {
  const found = [...sources()].flatMap((text) => [...patterns(parse(text, { ecmaVersion: "latest", sourceType: "module" }))]);
  assert.deepEqual(new Set(found), new Set(Object.keys(REPEATS)));
  assert.ok(found.length >= 17);
});

for (const [written, repeats] of Object.entries(REPEATS)) {
  test(`${written} reads its worst in no time`, () => {
    const [, body, flags] = written.match(/^\/(.*)\/(\w*)$/);
    for (const repeat of repeats) {
      const text = repeat.repeat(LENGTH / repeat.length);
      for (const given of [text, `${text}!`, `a${text}\n`]) {
        const before = process.cpuUsage();
        given.replace(new RegExp(body, flags), "");
        given.split(new RegExp(body, flags));
        const { user, system } = process.cpuUsage(before);
        assert.ok((user + system) / 1e6 < SECONDS, JSON.stringify(repeat));
      }
    }
  });
}
