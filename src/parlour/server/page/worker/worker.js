// The service worker: the page, the rules and the lessons without the network. Tables are never cached.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** The hash of the bundle, which the server inserts. */
const VERSION = "VERSION";
const PREFIX = "parlour-";
const CACHE = `${PREFIX}${VERSION}`;

/** Caches that are kept: that of this version, and the previous one for pages that are still open. */
const KEPT_CACHES = 2;

/** Milliseconds of the vibration of a notice. */
const VIBRATION = 200;

/** The addresses of the page. */
const PAGES = /^\/(?:(?:mine|daily|puzzles|club|games|learn|game|table)(?:\/.*)?)?$/;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const answer = answerTo(event);
  if (answer) event.respondWith(answer);
});

worker.addEventListener("push", (event) => event.waitUntil(showNotice(event.data)));
worker.addEventListener("notificationclick", (event) => event.waitUntil(showTable(event.notification)));

/**
 * Show a notice that came by the push service, unless the player looks at its table.
 *
 * @param {PushMessageData | null} data
 */
async function showNotice(data) {
  if (!data) return;
  const { title, body, table } = data.json();
  const path = `/table/${table}`;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isSeen = pages.some(
    ({ url, visibilityState }) => visibilityState === "visible" && new URL(url).pathname === path,
  );
  if (isSeen) return;
  const options = { body, tag: table, icon: "/page/img/icon-192.png", vibrate: [VIBRATION], data: path };
  await worker.registration.showNotification(title, options);
}

/**
 * Show the page that a notice is about.
 *
 * @param {Notification} notice its `data` is the path of the page
 */
async function showTable(notice) {
  notice.close();
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === notice.data);
  if (page) await page.focus();
  else await worker.clients.openWindow(notice.data);
}

/** Keep the bundle of this version. An incomplete one is discarded, and the earlier version continues. */
async function install() {
  const response = await fetch(`/offline/${VERSION}.json`);
  if (!response.ok) throw new Error(`the bundle is missing: ${response.status}`);
  /** @type {Record<string, [Record<string, string>, string]>} */
  const bundle = await response.json();
  const cache = await caches.open(CACHE);
  const entries = Object.entries(bundle).map(([path, [headers, text]]) =>
    cache.put(path, new Response(text, { headers: { ...headers, "X-Parlour-Kept": VERSION } })),
  );
  await Promise.all(entries);
  await worker.skipWaiting();
}

async function activate() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.slice(0, names.length - KEPT_CACHES + 1).map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/**
 * The answer to a request; null if the worker leaves it to the browser.
 *
 * @param {FetchEvent} event
 * @returns {Promise<Response> | null}
 */
function answerTo({ request, preloadResponse }) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return null;
  if (request.mode === "navigate") return PAGES.test(pathname) ? online(request, "/", preloadResponse) : null;
  if (pathname.startsWith("/page/")) return versioned(request);
  return /^\/api\/games(\/|$)/.test(pathname) ? online(request, pathname) : null;
}

/**
 * The server's answer, and a kept one only if there is none.
 *
 * @param {Request} request
 * @param {string} kept the path of the kept answer
 * @param {Promise<Response | undefined>} [preloaded]
 */
async function online(request, kept, preloaded) {
  try {
    return (await preloaded) ?? (await fetch(request));
  } catch (error) {
    const found = await (await caches.open(CACHE)).match(kept);
    if (found) return found;
    throw error;
  }
}

/**
 * A file of the page. Its path has its version, so that a kept one is never stale.
 *
 * @param {Request} request
 */
const versioned = async (request) => (await caches.match(request)) ?? fetch(request);
