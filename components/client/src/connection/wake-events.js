// What tells that somebody looks again, that the network is gone, or that it is back.

const WAKE_SPREAD = 2000; // milliseconds: a hall's network comes back for everybody at once, so these attempts are spread

export function watchForWaking(connection) {
  addEventListener("offline", () => connection.cut());
  addEventListener("online", () => connection.wake(Math.random() * WAKE_SPREAD, true));
  addEventListener("pagehide", () => connection.pause());
  addEventListener("pageshow", (event) => event.persisted && connection.start());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.wake(0));
}
