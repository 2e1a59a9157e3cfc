// Every page: has the browser keep the offline page and be ready for notifications, where it can (https, or this computer).

const { lang } = document.documentElement;
const version = new URL(import.meta.url).searchParams.get("v") ?? "";

/** The registration of the service worker; null where there is none. */
export async function serviceWorker() {
  if (!navigator.serviceWorker) return null;
  try {
    return await navigator.serviceWorker.register(new URL(`../service-worker.js?${new URLSearchParams({ v: version, lang })}`, import.meta.url));
  } catch {
    return null; // not allowed here
  }
}

addEventListener("load", () => setTimeout(serviceWorker, 4000)); // after what the page itself needs
