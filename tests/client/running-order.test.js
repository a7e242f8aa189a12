// The running order in a session's form: participants are found, moved and removed; one field has the value.

import assert from "node:assert/strict";
import { $, act, click, consoleErrors, createElement, createRoot, fire, open, testWith, type } from "./browser.js";
import { webModule } from "./modules.js";

const { RunningOrder, matching } = await webModule("backstage/running-order");
const OPTIONS = [
  [1, "Bartłomiej Grzędziński", "Poland", "bartlomiej grzedzinski"],
  [2, "Þórdís Eldjárnsdóttir", "Iceland", "thordis eldjarnsdottir"],
  [3, "Himuro Kanade", "Japan", "himuro kanade"],
  [4, "Noh Byeol-ha", "South Korea", "noh byeol-ha nohbyeolha byeolhanoh"],
];
const WORDS = {
  add: "Add a participant", search: "Search", empty: "Nobody yet.", none: "No one found.", gone: "No longer there", take: "Remove",
  remove: "Remove: {name}", up: "Move up: {name}", down: "Move down: {name}", moved: "{name}: now {number} of {count}.",
  removed: "{name} removed.", added: "{name} added as number {number}.",
};
const value = () => $("[name=participant_ids]").value;
const names = () => [...document.querySelectorAll(".running-order ol .person__name")].map((place) => place.textContent);
const offered = () => ($("[role=listbox]").hidden ? null : [...document.querySelectorAll("[role=option]")].map((place) => place.firstChild.textContent));
const press = (label) => { $(`[aria-label="${label}"]`).focus(); return click(`[aria-label="${label}"]`); };
const key = (name) => fire($("#adding"), "keydown", { key: name });
const news = () => $("[role=status]:not([data-connection-status])").textContent;

const searched = [];
const onSearch = (asked) => searched.push(asked);
let reactRoot;
const test = testWith(async () => {
  if (reactRoot) await act(async () => reactRoot.unmount());
  searched.length = 0;
  await open('<form><input name="participant_ids" value="1,3"><div></div></form>');
  reactRoot = createRoot($("form div"));
  await act(async () => reactRoot.render(createElement(RunningOrder, { name: "participant_ids", options: OPTIONS, words: WORDS, onSearch })));
});

test("the value is the ids in their order, and every button names whom it moves", async () => {
  assert.deepEqual([value(), names()], ["1,3", ["Bartłomiej Grzędziński", "Himuro Kanade"]]);
  await press("Move down: Bartłomiej Grzędziński");
  assert.deepEqual([value(), names(), news()], ["3,1", ["Himuro Kanade", "Bartłomiej Grzędziński"], "Bartłomiej Grzędziński: now 2 of 2."]);
  assert.equal(document.activeElement, $('[aria-label="Move down: Bartłomiej Grzędziński"]'), "the row has moved, the focus with it");
  await press("Move down: Bartłomiej Grzędziński");
  assert.equal(value(), "3,1", "there is nothing below");
  await press("Move up: Bartłomiej Grzędziński");
  assert.equal(value(), "1,3");
  await press("Remove: Bartłomiej Grzędziński");
  assert.deepEqual([value(), news(), document.activeElement], ["3", "Bartłomiej Grzędziński removed.", $("#adding")]);
  assert.deepEqual(consoleErrors, []);
});

test("names are found with and without their accents, in either order", () => {
  const found = (text) => matching(OPTIONS, text).map(([id]) => id);
  for (const text of ["grzedzinski", "Grzędziński bart", "GRZĘDZIŃSKI", "bartłomiej"]) assert.deepEqual(found(text), [1], text);
  assert.deepEqual([found("thordis"), found("Þórdís"), found("nobody"), found("").length], [[2], [2], [], 4]);
});

test("names are found without their hyphens and apostrophes, with two letters for an umlaut, and without spaces", () => {
  const options = [
    [1, "Seong-jin Cho", "South Korea", "seong-jin cho seongjincho choseongjin seong-jincho choseong-jin"],
    [2, "Jürgen D’Arcy-Müller", "Germany", "jurgen d'arcy-muller jurgendarcymuller darcymullerjurgen jürgend’arcy-müller d’arcy-müllerjürgen"],
    [3, "云迪 李", "China", "yundi li yundili liyundi 云迪李 李云迪"],
  ];
  const found = (text) => matching(options, text).map(([id]) => id);
  for (const [text, ids] of [["seongjin", [1]], ["Seong-jin", [1]], ["Mueller", [2]], ["darcy", [2]], ["juergen d'arcy", [2]], ["李云迪", [3]], ["liyundi", [3]], ["-", [1, 2]]]) {
    assert.deepEqual(found(text), ids, text);
  }
});

test("what is offered opens where there is more room, and the form's buttons at the window's foot are none", async () => {
  const buttons = Object.assign(document.createElement("div"), { className: "form-page__done" });
  $("form").append(buttons);
  $("#adding").getBoundingClientRect = () => ({ top: 303, bottom: 347 });
  const isBelow = () => "below" in $("[role=listbox]").dataset;
  for (const [top, below] of [[371, false], [624, false], [700, true]]) {
    buttons.getBoundingClientRect = () => ({ top });
    await key("ArrowDown");
    assert.deepEqual([top, isBelow()], [top, below]);
    await key("Escape");
  }
});

test("the keyboard alone finds and adds; Enter never sends the form", async () => {
  const sent = [];
  $("form").addEventListener("submit", (event) => { event.preventDefault(); sent.push(event); });
  await key("ArrowDown");
  assert.deepEqual(offered(), ["Þórdís Eldjárnsdóttir", "Noh Byeol-ha"], "without those who play already");
  assert.equal($("#adding").getAttribute("aria-activedescendant"), "choice-2");
  await key("ArrowDown");
  await key("ArrowDown");
  assert.equal($("#adding").getAttribute("aria-activedescendant"), "choice-2", "round and round");
  await key("Escape");
  assert.deepEqual([offered(), $("#adding").getAttribute("aria-expanded")], [null, "false"]);
  await type($("#adding"), "noh");
  await key("Enter");
  assert.deepEqual([value(), $("#adding").value, offered(), news()], ["1,3,4", "", null, "Noh Byeol-ha added as number 3."]);
  await type($("#adding"), "himuro");
  assert.deepEqual([offered(), $(".field__hint").textContent], [[], "No one found."]);
  await key("Enter");
  assert.deepEqual([value(), sent], ["1,3,4", []]);
});

test("a press chooses too", async () => {
  await click("#adding");
  await click("#choice-4");
  assert.equal(value(), "1,3,4");
});

test("a restored draft and a reset are shown; each removal is announced to the page", async () => {
  const heard = [];
  document.addEventListener("input", ({ target }) => heard.push(target.name));
  await press("Remove: Himuro Kanade");
  assert.deepEqual(heard, ["participant_ids"]);
  const field = $("[name=participant_ids]");
  field.value = "4,2";
  await fire(field, "input");
  assert.deepEqual(names(), ["Noh Byeol-ha", "Þórdís Eldjárnsdóttir"]);
  await act(async () => { $("form").reset(); await new Promise((done) => { setTimeout(done); }); });
  assert.deepEqual([value(), names()], ["1,3", ["Bartłomiej Grzędziński", "Himuro Kanade"]]);
});

test("a focus on the field moves to the search; an empty order shows its text", async () => {
  $("[name=participant_ids]").focus();
  assert.equal(document.activeElement, $("#adding"));
  await press("Remove: Himuro Kanade");
  await press("Remove: Bartłomiej Grzędziński");
  assert.deepEqual([value(), $(".running-order .muted").textContent], ["", "Nobody yet."]);
});

test("what is typed is searched by the server, and so are the names of a draft's ids, once", async () => {
  await type($("#adding"), "wiś");
  assert.deepEqual([searched.at(-1), offered()], [{ text: "wiś", ids: [] }, []]);
  const found = [[7, "Ewa Wiśniewska", "Poland", "ewa wisniewska"]];
  await act(async () => reactRoot.render(createElement(RunningOrder, { name: "participant_ids", options: found, words: WORDS, onSearch })));
  assert.deepEqual([offered(), names()], [["Ewa Wiśniewska"], ["Bartłomiej Grzędziński", "Himuro Kanade"]], "who was known stays known");
  const field = $("[name=participant_ids]");
  field.value = "9,7";
  await fire(field, "input");
  assert.deepEqual([searched.at(-1).ids, names()], [[9], ["No longer there", "Ewa Wiśniewska"]]);
  const count = searched.length;
  await press("Move down: No longer there");
  assert.equal(searched.slice(count).some(({ ids }) => ids.length), false);
});
