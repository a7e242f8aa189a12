// The browser's storage of input that the server has not acknowledged: drafts.js and kept-marks.js. The key is
// "draft:<account>:<name>"; an anonymous visitor has an empty account. `at` in a value is the time of the last edit.

export const attempt = (work) => { try { return work(); } catch { return null; } }; // storage may be refused or full

export const PREFIX = "draft:";
export const VISITOR = `${PREFIX}:`;
export const storageKey = (account, name) => `${PREFIX}${account}:${name}`;
export const keysOf = (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
export const readKey = (key) => attempt(() => JSON.parse(localStorage.getItem(key)));
export const dropKey = (key) => attempt(() => localStorage.removeItem(key));
