/**
 * Removes a short link that an earlier test has opened from the data center's cache, which tests in
 * workerd share.
 */
export async function forgetCachedLink(origin: string, code: string): Promise<void> {
  const cache = await caches.open('links');
  await cache.delete(`https://links.invalid/${encodeURIComponent(origin)}/${code}`);
}
