// Turns push on in this browser: asks for permission after a press, subscribes, and sends the form with what the browser
// gave. Otherwise it says in a sentence why this browser gets no pushes.

import { createElement as h, useEffect, useState } from "react";

/** Whether this browser has push; some refuse to tell where cookies are blocked. */
function hasPush() {
  try { return Boolean(navigator.serviceWorker && window.PushManager && window.Notification); } catch { return false; }
}
const isSupported = hasPush();
// Safari on iPhone and iPad has push only for a site that was opened from the Home Screen.
const needsHomeScreen = !isSupported && navigator.standalone === false;

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

/** Whether the subscription takes the messages of this site's key; browsers that do not tell are trusted. */
function isForKey(subscription, publicKey) {
  const key = subscription.options?.applicationServerKey;
  return !key || String(new Uint8Array(key)) === String(bytes(publicKey));
}

/** Return the state of this browser: "" if push is on in it, "off", or the name of a text. */
async function stateOf(isOn, publicKey) {
  if (!isSupported) return needsHomeScreen ? "install" : "unsupported";
  if (Notification.permission === "denied") return "denied";
  if (!isOn) return "off";
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription && isForKey(subscription, publicKey) ? "" : "lost";
}

/** Subscribe and return the address and the keys of this browser. */
async function subscribe(worker, publicKey) {
  await navigator.serviceWorker.register(worker, { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  let subscription = await pushManager.getSubscription();
  if (subscription && !isForKey(subscription, publicKey)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ||= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(publicKey) });
  return subscription.toJSON();
}

function send(form, { endpoint, keys }) {
  Object.assign(form.elements.endpoint, { value: endpoint });
  Object.assign(form.elements.p256dh, { value: keys.p256dh });
  Object.assign(form.elements.auth, { value: keys.auth });
  form.requestSubmit();
}

export function Push({ form, isOn, publicKey, worker, label, busy, texts }) {
  const [state, setState] = useState("");

  useEffect(() => {
    let isShown = true;
    stateOf(isOn, publicKey).catch(() => "lost").then((next) => isShown && setState(next));
    return () => { isShown = false; };
  }, [isOn, publicKey]);

  async function turnOn() {
    setState("busy");
    try {
      const permission = await Notification.requestPermission();
      if (permission !== "granted") return setState(permission === "denied" ? "denied" : "undecided");
      send(document.getElementById(form), await subscribe(worker, publicKey));
      setState(isOn ? "" : "off"); // until the answer changes `isOn`
    } catch {
      setState("failed");
    }
    return undefined;
  }
  const canTurnOn = !["", "install", "unsupported", "denied"].includes(state);
  const button = { type: "button", className: "button", onClick: turnOn, disabled: state === "busy" };
  return h(
    "div",
    { className: "stack" },
    h("p", { role: "status" }, texts[state] || ""), // mounted before its text: screen readers announce only later changes
    canTurnOn && h("div", null, h("button", button, state === "busy" ? busy : label)),
  );
}
