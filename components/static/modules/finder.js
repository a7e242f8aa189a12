// Suggestions below the search field of the bar: the combobox with a listbox of the ARIA Authoring Practices.
// The client imports this module when a field is focused first. Options are links, so that they open as links do. Without
// an answer the form is submitted as any other.

const PAUSE = 300; // milliseconds without another edit
const ADDRESS = "/search/suggestions?";
const RESULTS = "/search"; // this page narrows its own results

/** Return an element with these attributes and children. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const marked = (pieces) => pieces.map(([text, isMatch]) => (isMatch ? element("mark", {}, text) : text));

/** Add suggestions to this form, once. */
export function attach(form) {
  if (form.dataset.attached !== undefined) return;
  form.dataset.attached = "";
  const field = form.elements.q;
  const place = form.querySelector(".finder__found");
  const status = element("p", { role: "status", class: "visually-hidden" });
  let list = null; // the shown list
  let current = -1; // the index of the active option
  let timer = 0;
  let asked = null; // aborts the newest request

  const options = () => [...(list?.querySelectorAll("[role=option]") ?? [])];
  place.replaceChildren(status);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "finder-list" })) field.setAttribute(name, value);

  function close() {
    clearTimeout(timer);
    asked?.abort();
    list?.remove();
    list = null;
    current = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  /** Make the option at this index the active one; -1 is the field itself. */
  function choose(index) {
    const all = options();
    current = all.length ? (index + 1 + all.length + 1) % (all.length + 1) - 1 : -1;
    all.forEach((option, at) => option.setAttribute("aria-selected", String(at === current)));
    if (current < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", all[current].id);
    all[current].scrollIntoView({ block: "nearest" });
  }

  function option(id, address, ...content) {
    return element("a", { role: "option", id, href: address, tabindex: "-1", "aria-selected": "false" }, ...content);
  }

  function show({ words, groups, all }) {
    close();
    status.textContent = words;
    if (!words) return;
    let count = 0;
    const id = () => `finder-${(count += 1)}`;
    list = element("div", { class: "finder__list", role: "listbox", id: "finder-list", "aria-label": form.dataset.list });
    for (const { name, hits } of groups) {
      const group = element("div", { role: "group", "aria-label": name }, element("p", { "aria-hidden": "true" }, name));
      for (const { title, detail, note, address, is_name } of hits) {
        const below = [...marked(detail), ...(note ? [` (${note})`] : [])];
        const named = is_name ? [element("span", { translate: "no" }, ...marked(title))] : marked(title);
        group.append(option(id(), address, ...named, ...(below.length ? [element("small", {}, ...below)] : [])));
      }
      list.append(group);
    }
    if (all) list.append(option(id(), all.address, all.words));
    if (!count) list = element("div", { class: "finder__list" }, element("p", {}, words)); // nothing, or too many searches
    place.append(list);
    field.setAttribute("aria-expanded", String(count > 0));
  }

  async function ask() {
    asked?.abort();
    const typed = field.value.trim();
    if (!typed || location.pathname === RESULTS) return close();
    const controller = (asked = new AbortController());
    try {
      const answer = await fetch(ADDRESS + new URLSearchParams({ q: typed }), { signal: controller.signal });
      const found = await answer.json();
      if (asked === controller && document.activeElement === field) show(found);
    } catch { if (asked === controller) close(); } // aborted, or no connection: the form still searches
  }

  function onEdit(event) {
    if (event.isComposing) return;
    clearTimeout(timer);
    timer = setTimeout(() => { ask(); }, PAUSE);
  }
  for (const type of ["input", "compositionend"]) field.addEventListener(type, onEdit);

  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list) {
      event.preventDefault();
      choose(current + step);
    } else if (event.key === "Enter" && current >= 0) {
      event.preventDefault();
      options()[current].click();
    } else if (event.key === "Escape" && (list || field.value)) {
      event.preventDefault();
      event.stopPropagation(); // it would close the menu, too
      if (!list) field.value = "";
      close();
    }
  });
  form.addEventListener("focusout", ({ relatedTarget }) => { if (!form.contains(relatedTarget)) close(); });
  form.addEventListener("submit", (event) => {
    close();
    if (!field.value.trim()) event.preventDefault();
  });
  // a pressed option must not take the focus: the list would close before the click
  place.addEventListener("pointerdown", (event) => { if (event.target.closest("[role=option]")) event.preventDefault(); });
  place.addEventListener("click", close);
  if (field.value) onEdit({}); // typed before this module was there
  let path = location.pathname;
  document.addEventListener("page:shown", () => { // also after a reconnect
    if (location.pathname === path) return;
    path = location.pathname;
    close();
    field.value = "";
  });
}
