/**
 * Keeps one version of the site, whole, and serves it without a connection. Written before this text: VERSION, and FILES,
 * each file's address and hash. Another version waits until the reader asks for it; its files are never mixed with these.
 */
const CACHE = `warplab:${registration.scope}:${VERSION}`;
const HASHES = new Map(FILES.map(([address, hash]) => [new URL(address, registration.scope).href, hash]));

/** A file as this version has it: a host that already has another one gives an error, and the version is not kept. */
const load = async (cache, address) => {
  const response = await fetch(new Request(address, { integrity: HASHES.get(address), cache: "no-cache" }));
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  // Without the marks of a host that has led to another address, which a browser refuses as a page. A page brings its own policy.
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  await cache.put(address, new Response(response.body, { headers: { "content-type": type } }));
};

const loadAll = async () => {
  const cache = await caches.open(CACHE);
  try {
    const left = [...HASHES.keys()];
    const lane = async () => {
      for (let address = left.pop(); address !== undefined; address = left.pop()) await load(cache, address);
    };
    await Promise.all(Array.from({ length: 6 }, lane));
  } catch (problem) {
    await caches.delete(CACHE);
    throw problem;
  }
};

addEventListener("install", (event) => event.waitUntil(loadAll()));

addEventListener("activate", (event) => {
  const clear = async () => {
    const own = `warplab:${registration.scope}:`;
    const old = (await caches.keys()).filter((name) => name.startsWith(own) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  event.waitUntil(clear());
});

addEventListener("message", ({ data }) => {
  if (data === "take over") skipWaiting();
});

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const [address] = url.split(/[?#]/);
  const file = address.endsWith("/") ? `${address}index.html` : address;
  if (method !== "GET" || !HASHES.has(file)) return;
  const answer = async () => (await (await caches.open(CACHE)).match(file)) ?? fetch(event.request);
  event.respondWith(answer());
});
