// Drafts in localStorage, as "draft:<account>:<name>": an anonymous visitor's account is empty. `at` is the time of the
// last key. How long they stay: draft-expiry.js does the same on pages of forms, which have no client.

export const PREFIX = "draft:";
const VISITOR = `${PREFIX}:`;
export const SIGNED_IN = "account"; // holds the account that this browser is signed in to; "" since a sign-out, until the next page
const DAY = 24 * 3600 * 1000; // milliseconds that an account's draft waits once its session has ended
const VISITOR_DAYS = 2; // a mailed link works for one day
const MOST = 20; // drafts of visitors

export const attempt = (work) => { try { return work(); } catch { return null; } }; // storage may be forbidden, or full
export const storageKey = (account, name) => `${PREFIX}${account}:${name}`;
export const keysOf = (prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
export const readKey = (key) => attempt(() => JSON.parse(localStorage.getItem(key)));
export const dropKey = (key) => attempt(() => localStorage.removeItem(key));

/** Drop what is too old or too many, and with an account signed in the drafts of every other account. */
export function prune(account) {
  const age = (key) => Math.abs(Date.now() - (readKey(key)?.at ?? 0));
  const isOver = (key, number) => key.startsWith(VISITOR) ? number >= MOST || age(key) > VISITOR_DAYS * DAY
    : account ? !key.startsWith(storageKey(account, "")) : age(key) > DAY;
  const drafts = keysOf(PREFIX).sort((one, other) => !one.startsWith(VISITOR) - !other.startsWith(VISITOR) || age(one) - age(other));
  drafts.filter(isOver).forEach(dropKey);
}

/** A page of this account begins: other windows learn whose browser it is. */
export const begin = (account) => attempt(() => {
  if (account) localStorage.setItem(SIGNED_IN, account);
  else localStorage.removeItem(SIGNED_IN);
  prune(account);
});

/** An account takes over what was typed in this browser before it signed in. */
export const adopt = (account) => attempt(() => {
  for (const key of keysOf(VISITOR)) {
    localStorage.setItem(storageKey(account, key.slice(VISITOR.length)), localStorage.getItem(key));
    dropKey(key);
  }
});
