// Reports an error that was caught here to the page's faults.js: it never reaches the browser's own error events.

export const fault = (kind, error) => document.dispatchEvent(new CustomEvent("page:fault", { detail: { kind, error } }));
