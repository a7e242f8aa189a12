// Tells the page's faults.js what was caught here: nobody else would hear of it.

export const fault = (kind, error) => document.dispatchEvent(new CustomEvent("page:fault", { detail: { kind, error } }));
