// A dialog that an address shows: modal while it is on the page; closing it follows its link with data-cancel.

import { createElement as h, useLayoutEffect, useRef } from "react";

export function Modal() {
  const mark = useRef(null);
  useLayoutEffect(() => {
    const dialog = mark.current.closest("dialog");
    function show() {
      try { dialog.showModal(); } catch { dialog.setAttribute("open", ""); } // a browser without modal dialogs shows it in the page
    }
    const leave = (event) => {
      event.preventDefault();
      if (!dialog.open) show(); // a browser closes it when Escape is pressed twice
      dialog.querySelector("[data-cancel]").click();
    };
    show();
    dialog.addEventListener("cancel", leave);
    dialog.addEventListener("close", leave);
    return () => {
      dialog.removeEventListener("cancel", leave);
      dialog.removeEventListener("close", leave);
      dialog.close?.(); // before it is removed: then the focus goes back to what had it
    };
  }, []);
  return h("span", { ref: mark, hidden: true });
}
