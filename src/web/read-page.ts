/** A page fetched and its head read: what both metadata tools begin with. */
import type { EgressPort } from '../core/ports.ts';
import { fetchPage } from './fetch-page.ts';
import { type Head, readHead } from './html-head.ts';
import { metadataOf } from './page-metadata.ts';
import type { PageMetadata } from './page-metadata-fields.ts';

export interface ReadPage {
  /** The address after redirects. */
  url: URL;
  head: Head;
  metadata: PageMetadata;
}

/** Reads the page at `address`; `asked` is what the result calls its url. */
export async function readPage(
  egress: EgressPort,
  address: URL,
  asked: string,
  param: string,
  signal: AbortSignal,
): Promise<ReadPage> {
  const page = await fetchPage(egress, address, param, signal);
  const head = readHead(page.html, page.url, page.isXml);
  return { url: page.url, head, metadata: metadataOf(head, asked, page.url.href) };
}
