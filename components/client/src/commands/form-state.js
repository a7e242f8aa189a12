// What a form shows of what is typed: its button is out of use while data-needs names a field without words, and
// [data-counter] says how much fits in when little is left.

const NEEDS = "form[data-needs]";

function draw(form) {
  const field = form.elements[form.dataset.needs];
  const counter = form.querySelector("[data-counter]");
  const button = form.querySelector("[type=submit]");
  if (button && !button.hasAttribute("aria-busy")) {
    const blank = !field.value.trim();
    if (blank && document.activeElement === button) field.focus({ preventScroll: true }); // one writes on there
    button.disabled = blank;
  }
  if (!counter) return;
  const left = field.maxLength - field.value.length;
  counter.textContent = left <= counter.dataset.from ? counter.dataset.counter.replace("{n}", left) : "";
}

export function followForms() {
  const all = () => document.querySelectorAll(NEEDS).forEach(draw);
  document.addEventListener("input", ({ target: { form } }) => form?.matches?.(NEEDS) && draw(form));
  document.addEventListener("reset", ({ target }) => target.matches(NEEDS) && queueMicrotask(() => draw(target)));
  for (const type of ["page:shown", "page:changed", "command:done"]) document.addEventListener(type, all);
}
