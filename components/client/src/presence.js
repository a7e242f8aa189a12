// Presence on pages of forms, which have no client: a socket that only reports, by its close code, that the viewer was
// signed out or has other permissions. The page is then loaded again.

import { Connection, SIGNED_OUT, watchForWaking } from "./connection.js";
import { pageLoad, reloadSignedOut } from "./reload.js";

const silent = () => {}; // the page works without the socket, so a lost connection is not shown

export function watchViewerState(root) {
  pageLoad.again = () => pageLoad.to(location.pathname + location.search); // a reload would post the form again
  const connection = new Connection({
    url: root.dataset.presence, versions: () => ({}),
    onUpdate: silent, onParts: silent, onNotice: silent, onAnswer: silent, onExcess: silent, onWait: silent,
    onState(state, code) {
      root.dataset.connection = state;
      if (code === SIGNED_OUT) reloadSignedOut();
    },
  });
  watchForWaking(connection);
  connection.start();
}

for (const root of document.querySelectorAll("[data-presence]")) watchViewerState(root);
