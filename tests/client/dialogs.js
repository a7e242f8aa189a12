// jsdom's dialogs neither open nor close: these do, and the test answers them.

import { $, act } from "./browser.js";

/** Call in every document, after it was opened. */
export function dialogs() {
  const { prototype } = window.HTMLDialogElement;
  prototype.showModal = function showModal() { this.open = true; };
  prototype.close = function close(value) {
    this.open = false;
    if (value !== undefined) this.returnValue = value;
    this.dispatchEvent(new window.Event("close"));
  };
}

/** Return the open dialog's texts and buttons, or null. */
export const question = () => ($("dialog")?.open ? [...$("dialog").querySelectorAll("h2, p, button")].map((place) => place.textContent) : null);
export const say = (value) => act(async () => $("dialog").close(value));
