// A page with one form and one button, in the server's markup.

import { $, act, h, open, Socket } from "./browser.js";

export const form = (attributes, ...more) => h("form", { "data-command": "note_add", "data-argument": "7", ...attributes },
  h("input", { name: "text" }), h("button", { type: "submit", "data-busy": "Saving..." }, "Leave it"), ...more);
export const stamp = (attributes) => h("button", { type: "button", "data-command": "stamp", "data-argument": "7:quick", ...attributes }, "Stamp");
export const page = (...children) => h("main", null, ...children);

/** Open a live page with these children. */
export async function openPage(children, { live = true, ...options } = {}) {
  const found = await open("", { model: h("main"), root: 'data-account="5" data-cancel="Cancel" data-too-long="Too long."', ...options });
  if (live) await Socket.last.isLive(page(...children));
  else await act(async () => {});
  return found;
}

export const reconnect = async (...children) => {
  await Socket.last.isLive(page(...children));
  return Socket.last;
};
export const submit = (submitter = $("form [type=submit]")) => act(async () => $("form").requestSubmit(submitter ?? undefined));

/** Return the frames since the last call: [name, { argument, fields, key }] of a command, [target, ...data] of an event. */
export const takeSent = () => Socket.last.take().map(({ target, data, name, argument, fields, key }) => (data ? [target, ...data] : [name, { argument, fields, key }]));
export const answer = (key, more) => Socket.last.says({ type: "answer", key, ok: true, text: "Kept", empty: true, ...more });
