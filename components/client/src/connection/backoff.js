// When to come back after a lost socket.

const STEPS = [1000, 2000, 5000, 10000]; // milliseconds
const NAMED = /^retry=(\d{1,3})$/; // a busy server says in how many seconds

const spread = (delay, share) => delay * (1 - share + Math.random() * 2 * share);

/** Milliseconds until the attempt of this number (from 0); the close reason may name them. */
export function delayBefore(attempt, reason) {
  const named = NAMED.exec(reason);
  return named ? spread(named[1] * 1000, 0.3) : spread(STEPS[Math.min(attempt, STEPS.length - 1)], 0.5);
}

/** Whether a reload for a new version may be made now: at most one in half a minute, else the fault is not the version. */
export function mayReload() {
  try {
    const last = Number(sessionStorage.getItem("reloaded"));
    if (Math.abs(Date.now() - last) < 30000) return false;
    sessionStorage.setItem("reloaded", Date.now());
  } catch { /* storage may be forbidden: rather reload too often than never */ }
  return true;
}
