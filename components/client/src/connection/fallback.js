// Finds out that no socket lasts: for some seconds none was live, or one after the other ended soon. Then it loads
// polling.js, which asks whether the site answers by HTTP (ADR 21).

const LOOK = 2500; // milliseconds from one look to the next
const PATIENCE = 5000;
const SHORT_LIVED = 3; // sockets in a row that did not last

export function watchForBlocking({ connection, ...page }) {
  let lost = 0; // milliseconds
  let polling;
  setInterval(() => {
    const { live, attempt, isPaused, isServed } = connection;
    const isFine = isPaused || isServed || document.hidden || (live && attempt < SHORT_LIVED);
    lost = isFine ? 0 : lost + LOOK;
    if (lost < PATIENCE) return;
    polling ||= import(page.root.dataset.module).then(({ createPolling }) => createPolling({ connection, ...page }), () => { polling = null; });
    polling.then((its) => its?.start());
  }, LOOK);
}
