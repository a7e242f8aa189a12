// The running order in a session's form: participants are added by name, moved and removed. The value is one hidden field
// with their ids in order; it is submitted, kept in drafts and reset like any other field. The server searches all
// participants and sends the matches as `options`; the module remembers every option that it has received.

import { createElement as h, useEffect, useLayoutEffect, useRef, useState } from "react";

const MOST_OPTIONS = 50; // shown at a time
const MARKS = /\p{M}/gu;
const plain = (text) => text.normalize("NFD").replace(MARKS, "").toLowerCase();
const PAIRS = [["ae", "a"], ["oe", "o"], ["ue", "u"], ["aa", "a"]]; // as in apps/core/text_rules.py, name_key
const key = (text) => PAIRS.reduce((all, [pair, letter]) => all.replaceAll(pair, letter), text.replace(/[^\p{L}\p{N}]/gu, ""));
const read = (value) => value.split(",").filter(Boolean).map(Number);
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Return the options with every word of `text` in their name, as the server's search does; `[3]` is the search text. */
export function matching(options, text) {
  const words = text.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  const spellings = (word) => [word, plain(word), key(plain(word))].filter(Boolean);
  return options.filter(([, name, , searched]) => words.every((word) => spellings(word).some((spelling) => searched.includes(spelling) || name.toLowerCase().includes(spelling))));
}

/** A field that reads a file with a list into the text field with the id `into`. */
export function ListFile({ into, label }) {
  async function load({ target }) {
    const bytes = await target.files[0]?.arrayBuffer();
    const field = document.getElementById(into);
    if (!bytes || !field) return;
    const read = (name, options) => new TextDecoder(name, options).decode(bytes);
    try { field.value = read("utf-8", { fatal: true }); } catch { field.value = read("windows-1250"); }
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return h("div", { className: "field" },
    h("label", { htmlFor: `${into}-file` }, label),
    h("input", { id: `${into}-file`, type: "file", accept: ".txt,.csv,text/plain", onChange: load }));
}

const boxesOf = (element, name) => [...element.closest("form").querySelectorAll(`input[name="${name}"]`)];

/** A field that hides the rows of the boxes named `name` whose text has not every word of what is typed; none is unticked. */
export function TickSearch({ name, label, none }) {
  const [isEmpty, setEmpty] = useState(false);
  function search({ target }) {
    const words = plain(target.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const box of boxesOf(target, name)) {
      const row = box.closest("li");
      const text = plain(row.textContent);
      row.hidden = !words.every((word) => text.includes(word) || key(text).includes(key(word)));
      found += !row.hidden;
    }
    setEmpty(!found);
  }
  return h("div", { className: "field" },
    h("label", { htmlFor: `${name}-search` }, label),
    h("input", { id: `${name}-search`, type: "search", autoComplete: "off", onInput: search, onKeyDown: (event) => event.key === "Enter" && event.preventDefault() }),
    h("p", { className: "field__hint", role: "status" }, isEmpty && none));
}

/** How many of the boxes named `name` are ticked. */
export function TickCount({ name, words }) {
  const place = useRef(null);
  const [[count, all], setCount] = useState([0, 0]);
  useLayoutEffect(() => {
    const form = place.current.closest("form");
    const tell = () => {
      const boxes = boxesOf(form, name);
      setCount([boxes.filter((box) => box.checked).length, boxes.length]);
    };
    const later = () => setTimeout(tell); // after the reset
    tell();
    form.addEventListener("input", tell);
    form.addEventListener("reset", later);
    return () => {
      form.removeEventListener("input", tell);
      form.removeEventListener("reset", later);
    };
  }, []);
  return h("span", { className: "muted", role: "status", ref: place }, fill(words, { n: count, all }));
}

const APPLIED = "order-draft"; // key in sessionStorage: the stamp of the last order that was put into the list

/** Return whether this order comes for the first time: a reload keeps what was changed since. */
function isFresh(stamp) {
  try {
    if (sessionStorage.getItem(APPLIED) === stamp) return false;
    sessionStorage.setItem(APPLIED, stamp);
  } catch { /* without storage it is put in again */ }
  return true;
}

const NONE = [];

export function RunningOrder({ name, find, options, words, fill: filling, draft, gone = NONE, onSearch }) {
  const box = useRef(null);
  const field = useRef(null);
  const all = useRef(new Map());
  const requestedIds = useRef(new Set());
  const search = useRef(null);
  const list = useRef(null);
  const [order, setOrder] = useState([]);
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1); // index in the matches, or -1
  const [below, setBelow] = useState(false); // whether the list opens below the field
  const [news, setNews] = useState("");
  const [stage, setStage] = useState("");
  const [focus, setFocus] = useState(null); // the button that keeps the focus after its row has moved

  const known = all.current;
  for (const option of options) known.set(option[0], option);
  const nameOf = (id) => known.get(id)?.[1] ?? words.gone;
  const matches = matching([...known.values()].filter(([id]) => !order.includes(id)), text).slice(0, MOST_OPTIONS);
  const open = active >= 0;
  /** The order number of a place: withdrawn performers keep theirs. */
  const numberOf = (index) => [...gone].sort((one, other) => one - other).reduce((number, taken) => number + (taken <= number), index + 1);

  useLayoutEffect(() => {
    const current = box.current.closest("form").elements[name];
    field.current = current;
    const follow = () => setOrder(read(current.value)); // a draft was restored, or another window edits it
    const again = () => setTimeout(() => { follow(); setText(""); });
    const followStage = () => setStage(current.form.elements.stage?.value ?? "");
    const away = () => search.current.focus();
    follow();
    followStage();
    current.form.addEventListener("input", followStage);
    current.addEventListener("focus", away);
    current.addEventListener("input", follow);
    current.form.addEventListener("reset", again);
    return () => {
      current.removeEventListener("focus", away);
      current.removeEventListener("input", follow);
      current.form?.removeEventListener("reset", again);
      current.form?.removeEventListener("input", followStage);
    };
  }, []);
  useEffect(() => {
    const unknown = order.filter((id) => !known.has(id) && !requestedIds.current.has(id)); // ids in a draft
    unknown.forEach((id) => requestedIds.current.add(id));
    if (unknown.length || text) onSearch?.({ text, ids: unknown });
    if (text) document.dispatchEvent(new CustomEvent("page:search", { detail: { name: find, value: text } })); // for polling.js
  }, [order, text]);
  useEffect(() => {
    if (!draft || !isFresh(draft.stamp)) return;
    document.dispatchEvent(new Event("page:changed")); // what was typed into the form is restored first (drafts.js)
    change(draft.ids, "");
  }, [draft?.stamp]);
  useLayoutEffect(() => {
    if (focus) list.current.querySelector(`[data-id="${focus.id}"] [data-way="${focus.way}"]`)?.focus();
  }, [focus]);
  useLayoutEffect(() => {
    if (!open) return;
    const { top, bottom } = search.current.getBoundingClientRect();
    const buttons = box.current.closest("form").querySelector(".form-page__done"); // sticky, above all other content
    const foot = buttons ? buttons.getBoundingClientRect().top : innerHeight;
    setBelow(foot - bottom > top);
    list.current.parentNode.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: "nearest" });
  }, [active]);

  function change(next, sentence) {
    field.current.value = next.join(",");
    field.current.dispatchEvent(new Event("input", { bubbles: true }));
    setNews(sentence);
  }
  function move(id, by, way) {
    const at = order.indexOf(id);
    const to = at + by;
    if (to < 0 || to >= order.length) return;
    const next = order.filter((other) => other !== id);
    next.splice(to, 0, id);
    change(next, fill(words.moved, { name: nameOf(id), number: numberOf(to), count: next.length }));
    setFocus({ id, way });
  }
  function remove(id) {
    change(order.filter((other) => other !== id), fill(words.removed, { name: nameOf(id) }));
    search.current.focus();
    setActive(-1);
  }
  function choose(option) {
    if (!option) return;
    change([...order, option[0]], fill(words.added, { name: option[1], number: numberOf(order.length) }));
    search.current.value = "";
    setText("");
    setActive(-1);
  }
  function press(event) {
    const { key: pressed } = event;
    if (pressed === "Enter") {
      event.preventDefault(); // do not submit the form
      choose(matches[active]);
    } else if (pressed === "Escape" && open) {
      event.preventDefault();
      setActive(-1);
    } else if (pressed === "ArrowDown" || pressed === "ArrowUp") {
      event.preventDefault();
      const step = pressed === "ArrowDown" ? 1 : -1;
      setActive(open ? (active + step + matches.length) % (matches.length || 1) : 0);
    }
  }

  const button = (id, way, sign, onClick, isDisabled) => h(
    "button",
    { type: "button", className: "button button--plain button--small", "data-way": way, "aria-label": fill(words[way], { name: nameOf(id) }),
      "aria-disabled": isDisabled || undefined, onClick },
    sign,
  );
  const rows = order.map((id, index) => h(
    "li",
    { key: id, "data-id": id },
    h("span", { className: "nr" }, numberOf(index)),
    h("span", { className: "running-order__participant" }, h("span", { className: "person__name" }, nameOf(id)), " ", h("span", { className: "person__from" }, known.get(id)?.[2])),
    h("span", { className: "running-order__buttons" },
      button(id, "up", "↑", () => move(id, -1, "up"), !index),
      button(id, "down", "↓", () => move(id, 1, "down"), index === order.length - 1),
      button(id, "remove", words.take, () => remove(id))),
  ));
  const choices = matches.map((option, index) => h(
    "li",
    { key: option[0], role: "option", id: `choice-${option[0]}`, "aria-selected": index === active,
      onMouseDown: (event) => event.preventDefault(), onClick: () => choose(option) },
    option[1], " ", h("span", { className: "muted" }, option[2]),
  ));
  const sent = (field, value) => filling && h("input", { type: "hidden", form: filling, name: field, value });
  return h("div", { className: "running-order", ref: box },
    sent("have", order.join(",")), sent("of_stage", stage),
    h("ol", { ref: list }, rows),
    !order.length && h("p", { className: "muted" }, words.empty),
    h("div", { className: "field running-order__search" },
      h("label", { htmlFor: "adding" }, words.add),
      h("div", { className: "running-order__choice" },
        h("ul", { id: "choices", role: "listbox", "aria-label": words.add, hidden: !open, "data-below": below || undefined }, choices),
        h("input", {
          ref: search, id: "adding", name: "adding", type: "text", role: "combobox", autoComplete: "off", "aria-autocomplete": "list", "aria-expanded": open,
          "aria-controls": "choices", "aria-activedescendant": open && matches[active] ? `choice-${matches[active][0]}` : undefined, placeholder: words.search,
          onInput: ({ target }) => { setText(target.value); setActive(target.value ? 0 : -1); }, onClick: () => setActive(open ? -1 : 0), onKeyDown: press, onBlur: () => setActive(-1),
        })),
      open && !matches.length && h("p", { className: "field__hint" }, words.none)),
    h("p", { className: "visually-hidden", role: "status" }, news));
}
