/** Reads the generated API reference. */
import { withAddresses } from '../../content/addresses.ts';
import { notFound } from '../../core/errors.ts';
import type { AppContext } from '../../http.ts';

/**
 * Reads a file that scripts/reference generated, and inserts this service's URLs. Throws 404 if the file does not
 * exist.
 */
export async function readReference<T>(c: AppContext, name: string): Promise<T> {
  const { config, staticFile } = c.env.services;
  const file = /^[\w/.-]+$/.test(name) ? await staticFile(name) : undefined;
  if (!file?.ok) throw notFound('The API reference has no such page. See /docs/api.');
  return JSON.parse(withAddresses(await file.text(), config)) as T;
}
