// Folding: in the rating form of an anonymous visitor the audience's figures of a piece are hidden until it is marked
// (reset.css, before this script runs). From the first key on all figures of the performance are hidden in this browser:
// those of a piece until it is marked, the others until all pieces are, and all of them until "Show". Members do not get
// covered figures at all (ADR 26). The draft of the form remembers what is folded, so folding lasts as long as the marks. A
// style rule hides the slots, which keep their size: a live update costs nothing more.

import { controls } from "./fields.js";
import { NAME, isMarks } from "./kept-marks.js";
import { VISITOR, attempt, keysOf, readKey } from "./storage.js";

const slot = (name) => `[data-slot="${name}"]`;
const isUnmarked = ({ type, value }) => type === "range" && value === "0";

/** `keep(name)` stores `of(name)`: the pieces of these marks that are folded, as names of fields. */
export function createFolding(keep) {
  const folded = {};
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [sheet];

  /** A form of which nothing is known ("undefined") is folded by the style sheet. */
  const know = () => document.querySelectorAll("form[data-draft]").forEach(({ dataset }) => { dataset.known = folded[dataset.draft]; });

  function draw() {
    know();
    const slots = Object.entries(folded).flatMap(([name, fields]) => {
      if (!fields?.length) return [];
      const id = name.slice(NAME.length);
      const pieces = fields.map((field) => slot(`piece_figures:${id}-${field.slice(6)}`)); // "piece-12"
      const rank = slot(`rank:${id}`);
      if (document.querySelector(rank)) pieces.push("[data-slot^=together]"); // this is the performer's page
      return [...pieces, rank, slot(`figures:${id}`), `[data-folds="${id}"]`];
    });
    const asks = slots.map((each) => `${each}~.unfold`);
    const counts = slots.map((each) => `${each}+.marks__count`); // in an item's line, in the place of the figure
    sheet.replaceSync(slots.length ? `${slots}{visibility:hidden}@layer reset{${[...asks, ...counts]}{display:block!important}${asks}{position:absolute;inset-block-start:0}}` : "");
  }

  function set(name, fields) {
    folded[name] = fields;
    draw();
  }
  /** Take what the storage has under this key, which another window may have changed. */
  function look(key) {
    if (key?.startsWith(VISITOR + NAME)) set(key.slice(VISITOR.length), readKey(key)?.folded);
  }

  attempt(() => keysOf(VISITOR).forEach(look));
  addEventListener("storage", ({ key }) => look(key));
  document.addEventListener("page:shown", draw);
  document.addEventListener("page:changed", know);
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-command=figures_show]");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation(); // members send the command
    const place = button.closest(".unfold").parentNode;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    const name = NAME + button.dataset.argument;
    set(name, []);
    keep(name);
  }, true);

  return {
    of: (name) => folded[name],
    forget: (name) => set(name),
    /** Call it when the form is edited. During a slide over the keys nothing unfolds. */
    touch(form) {
      const { draft } = form.dataset;
      if (!isMarks(draft) || form.querySelector(".is-active")) return;
      const unmarked = controls(form).filter(isUnmarked).map(({ name }) => name);
      const isTouched = folded[draft] || form.elements.score?.value || form.querySelectorAll("[type=range]").length > unmarked.length;
      if (isTouched) set(draft, (folded[draft] || unmarked).filter((name) => unmarked.includes(name)));
    },
  };
}
