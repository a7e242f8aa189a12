// Lists the browser interfaces that the client's sources use, and removes them one by one.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { JSDOM } from "./browser.js";

const COMPONENTS = new URL("../../components/", import.meta.url);
const { parse } = createRequire(new URL("client/package.json", COMPONENTS))("acorn");
const FOLDERS = ["client/src/", "static/modules/", "static/"];

/** Interfaces that some browser lacks or refuses (age, setting, limit). Each is tested absent and throwing. */
export const APIS = JSON.parse(readFileSync(new URL("browser-apis.json", import.meta.url), "utf8"));

const sources = () => FOLDERS.flatMap((folder) => {
  const names = readdirSync(new URL(folder, COMPONENTS), { recursive: folder !== "static/" });
  return names.filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(folder + name, COMPONENTS), "utf8"));
});

/** Call `visit` with every node of a syntax tree. */
function walk(node, visit) {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, visit));
  if (typeof node?.type !== "string") return undefined;
  visit(node);
  return Object.values(node).forEach((each) => each && typeof each === "object" && walk(each, visit));
}

const namesOf = (thing) => Object.getOwnPropertyNames(thing);

/** Return the names of all members of browser and JavaScript interfaces, as far as jsdom has them. */
function platformMembers(window) {
  const members = new Set(namesOf(window.navigator));
  for (const scope of [globalThis, window]) {
    for (const name of namesOf(scope)) {
      const value = /^[A-Z]/.test(name) && scope[name];
      for (const holder of [value, value?.prototype]) if (holder && typeof holder !== "string") namesOf(holder).forEach((each) => members.add(each));
    }
  }
  return members;
}

/** Return the browser's names in the sources: undeclared variables, and members that a browser has or that the client does not define. */
export function usedNames() {
  const members = platformMembers(new JSDOM("", { url: "https://hall.example/" }).window);
  const own = new Set();
  const read = new Set();
  const free = new Set();
  for (const source of sources()) {
    const declared = new Set();
    const others = new Set(); // identifiers that name no variable
    const tree = parse(source, { ecmaVersion: "latest", sourceType: "module" });
    walk(tree, (node) => {
      const { type, computed } = node;
      if (type === "MemberExpression" && !computed) {
        read.add(node.property.name);
        others.add(node.property);
      }
      if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(type) && !computed) {
        own.add(node.key.name ?? node.key.value);
        if (!node.shorthand) others.add(node.key);
      }
      if (type === "AssignmentExpression" && node.left.object?.type === "ThisExpression") own.add(node.left.property.name);
      for (const other of [node.imported, node.exported, node.label]) if (other) others.add(other);
      for (const target of [type === "VariableDeclarator" && node.id, /Function|Class/.test(type) && node.id, node.params, node.param, node.local]) {
        walk(target, (each) => each.type === "Identifier" && declared.add(each.name));
      }
    });
    walk(tree, (node) => node.type === "Identifier" && !others.has(node) && !declared.has(node.name) && free.add(node.name));
  }
  return [...new Set([...free, ...[...read].filter((name) => members.has(name) || !own.has(name))])].sort();
}

const refuse = (path) => { throw new TypeError(`refused: ${path}`); };
const refusing = (path) => function refused() { return refuse(path); };

/** Remove the interface at this path from Node's and jsdom's globals; returns the function that restores it. */
export function takeAway(path, how) {
  const steps = path.split(".");
  const name = steps.pop();
  const undos = [];
  for (const world of new Set([globalThis, window])) {
    const owner = steps.reduce((object, step) => object?.[step], world);
    if (!owner) continue;
    const before = Object.getOwnPropertyDescriptor(owner, name);
    let value;
    try { value = owner[name]; } catch { /* refused before */ }
    const isCalled = typeof value === "function" || value === undefined;
    const absent = { configurable: true, writable: true, value: undefined };
    const refused = isCalled ? { configurable: true, writable: true, value: refusing(path) } : { configurable: true, get: () => refuse(path), set: () => refuse(path) };
    Object.defineProperty(owner, name, how === "absent" ? absent : refused);
    undos.unshift(() => (before ? Object.defineProperty(owner, name, before) : delete owner[name]));
  }
  return () => undos.forEach((undo) => undo());
}
