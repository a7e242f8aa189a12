// A clock that the test moves. (Node's mock timers lose other timers when a fired one is cleared.)

import { act } from "./browser.js";

const NAMES = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"];

/** Returns `pass(milliseconds)`, during which timers fire; `pass.asleep(milliseconds)` moves only the time of day, `pass.clear()` drops the timers. */
export function stopClock(context, start = 1_800_000_000_000) {
  const timers = new Map(); // id -> { due, every, call }
  let clock = 0;
  let slept = 0;
  let last = 0;
  const add = (call, delay = 0, every = 0) => {
    timers.set((last += 1), { due: clock + delay, every, call });
    return last;
  };
  const stock = Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]));
  Object.assign(globalThis, {
    setTimeout: (call, delay) => add(call, delay),
    setInterval: (call, delay) => add(call, delay, delay),
    clearTimeout: (id) => timers.delete(id),
    clearInterval: (id) => timers.delete(id),
  });
  context.mock.method(Date, "now", () => start + clock + slept);
  context.mock.method(performance, "now", () => clock);
  context.after(() => Object.assign(globalThis, stock));

  async function pass(milliseconds) {
    const end = clock + milliseconds;
    for (;;) {
      const [id, timer] = [...timers].sort(([, a], [, b]) => a.due - b.due)[0] || [];
      if (!timer || timer.due > end) break;
      clock = timer.due;
      if (timer.every) timer.due += timer.every;
      else timers.delete(id);
      await act(async () => timer.call());
    }
    clock = end;
  }
  pass.asleep = (milliseconds) => { slept += milliseconds; };
  pass.clear = () => timers.clear();
  pass.waiting = () => timers.size;
  return pass;
}
