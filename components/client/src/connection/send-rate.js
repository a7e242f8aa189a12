// How often a window may send: less than the server takes of one (project/limits/rates.py, FRAMES), so that what was held up
// on its way and arrives at once is no flood.

const BURST = 30;
const PER_SECOND = 8;

/** Returns `take(reserve)`: whether one more may go now, after which at least `reserve` are left. */
export function createBudget() {
  let left = BURST;
  let at = performance.now();
  return (reserve) => {
    const now = performance.now();
    left = Math.min(BURST, left + ((now - at) / 1000) * PER_SECOND);
    at = now;
    if (left < reserve + 1) return false;
    left -= 1;
    return true;
  };
}
