/** Reads the HTML of a document, which scripts/content/document-html.ts rendered, and inserts this service's URLs. */
import { withAddresses } from '../../content/addresses.ts';
import type { AppContext } from '../../http.ts';

export async function documentHtml(c: AppContext, path: string): Promise<string> {
  const { config, staticFile } = c.env.services;
  // The files have the extension .txt, because the asset server would rewrite URLs that end in .html.
  const file = await staticFile(`pages${path}.txt`);
  return withAddresses(await file.text(), config);
}
