// Where the focus goes when the row goes in which somebody pressed a button: to the same button of the next row, else
// of the one before, else to the words that say what was done. When a form goes, it goes to those words.

const INPUT_EVENTS = ["keydown", "pointerdown"];
const isShown = (element) => element?.getClientRects().length;

/** Note the neighbours of a focused button's row or form; returns what to call, with the answer's place, after a yes. */
export function focusAfterRemoval(button) {
  const row = button?.closest("li") || button?.form;
  if (!row || !(row === button.form ? row.contains(document.activeElement) : document.activeElement === button)) return () => {};
  const same = `[data-command="${button.dataset.command}"]`;
  const rows = [...row.parentElement.children];
  const at = rows.indexOf(row);
  const others = [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];

  return (spot) => {
    function end() {
      document.removeEventListener("page:changed", look);
      for (const type of INPUT_EVENTS) document.removeEventListener(type, end, true);
    }
    function look() {
      if (row.isConnected) return;
      end();
      if (document.activeElement !== document.body) return;
      const nextButton = others.filter((other) => other.isConnected).map((other) => other.querySelector(same)).find(isShown);
      if (!nextButton && !spot.hasAttribute("tabindex")) spot.tabIndex = -1;
      (nextButton || spot).focus({ preventScroll: true });
    }
    document.addEventListener("page:changed", look);
    for (const type of INPUT_EVENTS) document.addEventListener(type, end, true); // who does something else stays there
    look();
  };
}
