// A dialog that belongs to an address: modal while it is mounted. Closing it follows its link with data-cancel.

import { createElement as h, useLayoutEffect, useRef } from "react";

export function Modal() {
  const mark = useRef(null);
  useLayoutEffect(() => {
    const dialog = mark.current.closest("dialog");
    function show() {
      try { dialog.showModal(); } catch { dialog.setAttribute("open", ""); } // a browser without modal dialogs
    }
    const leave = (event) => {
      event.preventDefault();
      if (!dialog.open) show(); // browsers close it when Escape is pressed twice
      dialog.querySelector("[data-cancel]").click();
    };
    show();
    dialog.addEventListener("cancel", leave);
    dialog.addEventListener("close", leave);
    return () => {
      dialog.removeEventListener("cancel", leave);
      dialog.removeEventListener("close", leave);
      dialog.close?.(); // before the removal, so that the browser restores the focus
    };
  }, []);
  return h("span", { ref: mark, hidden: true });
}
