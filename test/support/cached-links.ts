/** Removes a short link from the data center's cache, which all tests in workerd share. */
export async function forgetCachedLink(origin: string, code: string): Promise<void> {
  const cache = await caches.open('links');
  await cache.delete(`https://links.invalid/${encodeURIComponent(origin)}/${code}`);
}
