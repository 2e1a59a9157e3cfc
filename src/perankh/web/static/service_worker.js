// The service worker: shows the offline page when the server cannot be reached, and notifications when it is somebody's turn.
// Nothing else is kept: what a table shows always comes from the server.

const here = new URL(self.location);
const lang = here.searchParams.get("lang");
const version = here.searchParams.get("v");
const KEPT = `offline-${version}-${lang}`;
const root = here.pathname.replace(/\/service-worker\.js$/, "");
const PAGE = `${root}/offline/${lang}`;
const FILES = [PAGE, ...["base.css", "icons.svg", "favicon.svg", "installed.js"].map((name) => `${root}/static/${name}?v=${version}`)];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([
    self.clients.claim(),
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))),
  ]));
});

self.addEventListener("fetch", (event) => {
  const { pathname, search } = new URL(event.request.url);
  if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request).catch(async () => (await caches.match(PAGE)) ?? Response.error()));
  } else if (FILES.includes(pathname + search)) {
    event.respondWith(fetch(event.request).catch(async () => (await caches.match(event.request)) ?? Response.error()));
  }
});

// --- Turns ---------------------------------------------------------------------------------------------------------------

self.addEventListener("push", (event) => {
  const said = event.data?.json() ?? {};
  const shown = self.registration.showNotification(said.title, {
    body: said.body,
    tag: said.tag, // a later one about the same table takes its place
    renotify: true,
    lang: said.lang,
    icon: `${root}/icon/icon-192.png`,
    badge: `${root}/icon/badge-96.png`,
    data: { url: said.url, stop: said.stop },
    actions: [{ action: "stop", title: said.stop_words }],
  });
  event.waitUntil(Promise.all([shown, said.count ? self.navigator.setAppBadge?.(said.count) : undefined]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url, stop } = event.notification.data;
  event.waitUntil(show(event.action === "stop" ? stop : url));
});

/** Bring a page to the front, or open it. Only pages of this site. */
async function show(url) {
  const wanted = new URL(url, self.location.origin);
  if (wanted.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window" });
  const open = windows.find((client) => new URL(client.url).pathname === wanted.pathname);
  await (open ? open.focus() : self.clients.openWindow(wanted.href));
}

// The push service has given this browser another address: tell the server.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil((async () => {
    const fresh = event.newSubscription ?? (await self.registration.pushManager.subscribe(event.oldSubscription.options));
    const body = JSON.stringify({ kind: "push", subscription: fresh.toJSON(), lang, replaces: event.oldSubscription?.endpoint });
    await fetch(`${root}/api/alerts/channels`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  })());
});
