// On pages of forms, which have no client: a socket that says nothing but that the page is no longer true, because its
// viewer was signed out or may do other things now. Then the page is asked for anew.

import { Connection } from "./connection.js";
import { pageLoad } from "../page/page-loads.js";
import { watchForWaking } from "./wake-events.js";

const silent = () => {}; // the page works without it, so nothing is said of a lost connection

export function watchViewerState(root) {
  pageLoad.again = () => pageLoad.to(location.pathname + location.search); // a reload would post its form once more
  const connection = new Connection({
    url: root.dataset.presence, versions: () => ({}),
    onUpdate: silent, onPart: silent, onNotice: silent, onAnswer: silent, onExcess: silent, onWait: silent,
    onState(state) { root.dataset.connection = state; },
  });
  watchForWaking(connection);
  connection.start();
}

for (const root of document.querySelectorAll("[data-presence]")) watchViewerState(root);
