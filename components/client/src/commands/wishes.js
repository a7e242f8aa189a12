// What a visitor pressed that needs an account: the last such command is kept in this browser, never in an address, and
// carried out once, under its key, after a sign-in within 15 minutes.

const NAME = "wish";
const LIFETIME = 15 * 60 * 1000; // milliseconds

const attempt = (work) => { try { return work(); } catch { return null; } }; // storage may be forbidden, or full

export const keepWish = (wish) => attempt(() => localStorage.setItem(NAME, JSON.stringify({ ...wish, at: Date.now() })));
const forget = () => attempt(() => localStorage.removeItem(NAME));

/** Forget a wish that is too old; returns the one that is left, or null. */
export function pruneWish() {
  const wish = attempt(() => JSON.parse(localStorage.getItem(NAME)));
  if (wish && Math.abs(Date.now() - wish.at) <= LIFETIME) return wish;
  forget();
  return null;
}

/** Return the wish, if there is one, and forget it. */
export function takeWish() {
  const wish = pruneWish();
  forget();
  return wish;
}
