// <form data-guard="Leave without saving?"> holds something that is not saved: going elsewhere by a link, the history or
// the window asks first. Whoever goes all the same throws it away.

import { ask } from "./confirm-dialog.js";
import { controls, isTouched } from "../page/queries.js";

const FORM = "form[data-guard]";

const unsaved = () => [...document.querySelectorAll(FORM)].filter((form) => controls(form).some(isTouched));
const warn = (event) => { if (unsaved().length) event.preventDefault(); };

export function createGuard(drafts) {
  // only once something is typed: browsers do not cache pages that listen to beforeunload
  document.addEventListener("input", ({ target }) => { if (target.form?.matches?.(FORM)) addEventListener("beforeunload", warn); });
  document.addEventListener("page:shown", () => unsaved().length || removeEventListener("beforeunload", warn));

  /** Whether something here is not saved: then the person is asked, and `leave` follows when it may go. */
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
