// Confirmation: one native dialog for all questions, and the question before the user leaves
// <form data-guard="Leave without saving?"> with unsaved changes by a link, the history or the window.

import { controls, isTouched } from "./fields.js";

let dialog = null;
let onAgree = null;
let openedFrom = null;

function create() {
  dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "asked");
  dialog.innerHTML =
    '<form method="dialog"><h2 id="asked"></h2><p></p><div class="row">' +
    '<button class="button button--plain"></button><button class="button" value="yes"></button></div></form>';
  dialog.addEventListener("close", () => {
    if (document.activeElement === document.body) openedFrom?.focus(); // browsers that do not focus a pressed button
    if (dialog.returnValue === "yes") onAgree();
  });
  document.body.append(dialog);
}

/** Ask, and call `then` if the user agrees. Escape and the first button, which has the focus, mean no. */
export function ask({ question, words = "", no, yes }, element, then) {
  if (!document.body.contains(dialog)) create();
  const texts = [question, words, no, yes];
  dialog.querySelectorAll("h2, p, button").forEach((node, index) => { node.textContent = texts[index]; });
  dialog.querySelector("p").hidden = !words;
  dialog.returnValue = "";
  onAgree = then;
  openedFrom = element;
  try { if (!dialog.open) dialog.showModal(); } catch { // a browser without <dialog>
    dialog.remove();
    if (confirm(`${question}\n${words}`)) then();
  }
}

const GUARDED = "form[data-guard]";

const unsaved = () => [...document.querySelectorAll(GUARDED)].filter((form) => controls(form).some(isTouched));
const preventUnload = (event) => { if (unsaved().length) event.preventDefault(); };

/** Returns `guard(leave, element)`, which asks before `leave` if a form has unsaved changes. Leaving discards them. */
export function createGuard(drafts) {
  // only after an edit: browsers do not cache pages that listen to beforeunload
  document.addEventListener("input", ({ target }) => { if (target.form?.matches?.(GUARDED)) addEventListener("beforeunload", preventUnload); });
  document.addEventListener("page:shown", () => unsaved().length || removeEventListener("beforeunload", preventUnload));

  /** Returns whether it asks the user. */
  return (leave, element) => {
    const forms = unsaved();
    if (!forms.length) return false;
    const { guard: question, guardWords: words, guardNo: no, guardYes: yes } = forms[0].dataset;
    ask({ question, words, no, yes }, element, () => {
      for (const form of forms) {
        form.reset();
        if (form.dataset.draft) drafts.drop(form.dataset.draft);
      }
      leave();
    });
    return true;
  };
}
