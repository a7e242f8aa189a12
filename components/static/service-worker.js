// The service worker shows push messages and opens their pages. It answers no request and caches nothing. Browsers register
// it when a member turns notifications on.

const ICON = "/icon.png";

self.addEventListener("install", () => self.skipWaiting());

/** Return what the push service delivered; a message must show something, whatever it contains. */
function content(data) {
  try { return data.json(); } catch { return {}; }
}

self.addEventListener("push", (event) => {
  const { title = "Parterre", path = "/", tag = "" } = content(event.data);
  // a later notification with the same tag replaces this one, and alerts again
  const options = { tag, renotify: Boolean(tag), icon: ICON, data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

/** Focus the window that shows this address, or open one. Other windows stay: they may contain unsaved texts. */
async function show(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => url.split("#")[0] === address.split("#")[0]);
  await (shown ? shown.focus() : self.clients.openWindow(address));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href, origin } = new URL(event.notification.data?.path || "/", self.location.origin);
  event.waitUntil(show(origin === self.location.origin ? href : self.location.origin));
});

/** The push service gave this browser another address: tell the site, which knows the browser by its session. */
async function renew({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options;
  const subscription = newSubscription || (options && await self.registration.pushManager.subscribe(options));
  if (!subscription) return; // the page offers to turn notifications on again
  const headers = { "Content-Type": "application/json" };
  await fetch("/push-subscription", { method: "POST", headers, body: JSON.stringify(subscription) });
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
