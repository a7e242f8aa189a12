// One event for all that follows what the page shows: `page:changed`, after React has changed the document.

let isDue = false;

export function tellChange() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    document.dispatchEvent(new Event("page:changed"));
  });
}
