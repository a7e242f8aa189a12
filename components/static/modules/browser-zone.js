// Before the first choice of notifications the list of time zones starts with the browser's zone. It becomes the list's
// default, so that it counts as no edit of the user, who may choose another one.

import { createElement, useLayoutEffect, useRef } from "react";

/** Return the name of the browser's zone; empty if the browser refuses it. */
function zoneName() {
  try { return Intl.DateTimeFormat().resolvedOptions().timeZone; } catch { return ""; }
}

export function BrowserZone() {
  const place = useRef(null);
  useLayoutEffect(() => {
    const { time_zone: list } = place.current.form.elements;
    const options = [...list.options];
    const zone = zoneName();
    const own = options.find(({ value }) => value === zone);
    if (!own || list.value) return; // a zone was chosen, or is restored from a draft
    for (const option of options) option.defaultSelected = option === own;
    own.selected = true;
  }, []);
  return createElement("input", { type: "hidden", ref: place });
}
