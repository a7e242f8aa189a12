"""The states of controls in forced colours (Windows High Contrast)."""

from playwright.async_api import Page

# Returns the controls that look the same in two states, and how many were compared. A look is what forced colours leave
# of an element, its label and their generated content; a rotation or a weight is no difference.
ALIKE = """() => {
  const STATES = ["aria-pressed", "aria-selected", "aria-checked", "aria-current"];
  const MARKS = ["unheard", "marked", "changed", "waiting", "shown", "counts"];
  const NAMES = ["backgroundColor", "backgroundImage", "backgroundSize", "boxShadow", "color", "content",
    "textDecorationLine"];
  const LINES = ["borderTop", "borderRight", "borderBottom", "borderLeft", "outline"];
  const line = (style, name) => style[`${name}Style`] === "none" || style[`${name}Width`] === "0px" ? ""
    : ["Style", "Width", "Color"].map((part) => style[name + part]).join(" ");
  const look = (element) => [null, "::before", "::after"].map((pseudo) => {
    const style = getComputedStyle(element, pseudo);
    if (pseudo && style.content === "none") return "";
    return [...NAMES.map((name) => style[name]), ...LINES.map((name) => line(style, name))].join("; ");
  }).join(" | ");
  const alike = new Set();
  let compared = 0;
  const compare = (element, looks) => {
    compared += 1;
    if (new Set(looks).size < looks.length) alike.add(`${element.localName}.${element.className} ${element.id}`);
  };

  for (const name of STATES) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const now = element.getAttribute(name);
      const own = look(element);
      if (name === "aria-current") element.removeAttribute(name);
      else element.setAttribute(name, now === "true" ? "false" : "true");
      compare(element, [own, look(element)]);
      element.setAttribute(name, now);
    }
  }
  for (const input of document.querySelectorAll("[type=checkbox], [type=radio]")) {
    if (getComputedStyle(input).appearance !== "none") continue; // the browser draws it
    const others = input.form ? [...input.form.elements].filter(({ name }) => name === input.name) : [];
    const before = others.map(({ checked }) => checked);
    const { checked, indeterminate } = input;
    const states = [[true, false], [false, false], ...(input.type === "checkbox" ? [[false, true]] : [])];
    compare(input, states.map((state) => {
      [input.checked, input.indeterminate] = state;
      document.getAnimations().forEach((each) => each.finish()); // a colour may take its time to change
      return look(input) + look(input.labels[0] ?? input);
    }));
    [input.checked, input.indeterminate] = [checked, indeterminate];
    others.forEach((each, at) => { each.checked = before[at]; });
  }
  for (const sign of document.querySelectorAll(".sign[data-own]")) {
    const { own } = sign.dataset;
    compare(sign, MARKS.map((mark) => {
      sign.dataset.own = mark;
      return look(sign);
    }));
    sign.dataset.own = own;
  }
  return [[...alike], compared];
}"""


async def states_that_look_alike(page: Page) -> str:
    """Return the controls of this page whose states look alike in forced colours, or an empty string.

    Every page with the bar has at least the button for the theme.
    """
    await page.emulate_media(forced_colors="active")
    alike, compared = await page.evaluate(ALIKE)
    await page.emulate_media(forced_colors="none")
    return "" if compared and not alike else f"alike in forced colours, of {compared}: {alike}"
