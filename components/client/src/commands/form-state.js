// What a form shows of what is typed: its button is out of use while data-needs names a field without words, and
// [data-counter] says how much still fits into the field around it when no more than data-from is left.

function drawButton(form) {
  const field = form.elements[form.dataset.needs];
  const button = form.querySelector("[type=submit]");
  if (!button || button.hasAttribute("aria-busy")) return;
  const blank = !field.value.trim();
  if (blank && document.activeElement === button) field.focus({ preventScroll: true }); // one writes on there
  button.disabled = blank;
}

function drawCounter(counter) {
  const field = counter.closest(".field").querySelector("textarea");
  const left = field.maxLength - field.value.length;
  counter.textContent = left <= counter.dataset.from ? counter.dataset.counter.replace("{n}", left) : "";
}

function draw(form) {
  if (form.dataset.needs) drawButton(form);
  form.querySelectorAll("[data-counter]").forEach(drawCounter);
}

export function followForms() {
  const all = () => [...document.forms].forEach(draw);
  document.addEventListener("input", ({ target: { form } }) => form && draw(form));
  document.addEventListener("reset", ({ target }) => queueMicrotask(() => draw(target)));
  for (const type of ["page:shown", "page:changed", "command:done"]) document.addEventListener(type, all);
}
