// Shows that an answer is waited for, once it takes long enough to be noticed.

const PATIENCE = 150; // milliseconds

export function createProgress(root) {
  let timer = 0;
  let isShown = false;
  let isSamePage = false; // the page asks itself again: its results make room for their skeleton

  function show() {
    const bar = document.querySelector("[data-progress]");
    if (bar) bar.hidden = !isShown;
    // What is hidden loses the focus, or cannot get it back when a dialog goes.
    const busyThere = document.activeElement?.closest("[data-results], dialog");
    root.toggleAttribute("data-querying", isShown && isSamePage && !busyThere);
  }
  return {
    begin(again) {
      isSamePage = again;
      if (isShown) show();
      else timer = timer || setTimeout(() => { isShown = true; show(); }, PATIENCE);
    },
    end() {
      clearTimeout(timer);
      timer = 0;
      isShown = false;
      show();
    },
  };
}
