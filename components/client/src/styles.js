// Style sheets that only some pages have: <page-navigation styles>. A page that is reached in place is shown when its own
// are loaded. One that cannot be loaded keeps the page away, and the navigation becomes a page load after a while.

const sheets = new Map(); // address -> its promise, or null when it is loaded

const navigationOf = (node) => node && (node.tagName === "page-navigation" ? node : navigationOf(node.children?.[0]));
const isLinked = (href) => [...document.querySelectorAll("link[rel=stylesheet]")].some((link) => link.getAttribute("href") === href);

function load(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.onload = () => { sheets.set(href, null); resolve(); };
    link.onerror = () => { sheets.delete(href); link.remove(); };
    document.head.append(link);
  });
}

/** Return a promise for the style sheets of this page that are not loaded yet, or null if there are none. */
export function missingStyles(model) {
  const missing = (navigationOf(model)?.attributes.styles || []).map((href) => {
    if (!sheets.has(href)) sheets.set(href, isLinked(href) ? null : load(href));
    return sheets.get(href);
  });
  return missing.some(Boolean) ? Promise.all(missing) : null;
}
