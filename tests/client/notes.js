// A page on which something can be written: one form and one button, as the server's markup has them.

import { $, act, h, on, open, Socket } from "./browser.js";

const registered = (place) => on(on(h("page-actions"), "note_add", `${place}-note`), "stamp", `${place}-stamp`);

export const form = (attributes, ...more) => h("form", { "data-act": "note_add", "data-argument": "7", ...attributes },
  h("input", { name: "text" }), h("button", { type: "submit", "data-busy": "Saving..." }, "Leave it"), ...more);
export const stamp = (attributes) => h("button", { type: "button", "data-act": "stamp", "data-argument": "7:quick", ...attributes }, "Stamp");
export const pageAt = (place, ...children) => h("main", null, registered(place), ...children);
export const page = (...children) => pageAt("t", ...children);

/** Open a live page with these children. */
export async function opened(children, { live = true, ...options } = {}) {
  const found = await open("", { model: h("main"), root: 'data-account="5" data-cancel="Cancel" data-too-long="Too long."', ...options });
  if (live) await Socket.last.isLive(page(...children));
  else await act(async () => {});
  return found;
}

export const reconnected = async (...children) => {
  await Socket.last.isLive(page(...children));
  return Socket.last;
};
export const submit = (submitter = $("form button")) => act(async () => $("form").requestSubmit(submitter ?? undefined));

/** What was asked for since the last call: [target, { argument, fields, key }], and nothing else was. */
export const asked = () => Socket.last.take().map(({ target, data }) => [target, ...data]);
export const answer = (key, more) => Socket.last.says({ type: "answer", key, ok: true, text: "Kept", ...more });
