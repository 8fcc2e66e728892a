/** The HTML of a document, which scripts/content/document-html.ts rendered, with the addresses of this service. */
import { withAddresses } from '../../content/addresses.ts';
import type { AppContext } from '../../http.ts';

/** `path`: that of a document of the library. */
export async function documentHtml(c: AppContext, path: string): Promise<string> {
  const { config, staticFile } = c.env.services;
  // Not named .html, whose addresses the asset server rewrites.
  const file = await staticFile(`pages${path}.txt`);
  return withAddresses(await file.text(), config);
}
