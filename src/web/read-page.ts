/** Fetches a page and parses its head, for both metadata tools. */
import type { EgressPort } from '../core/ports.ts';
import { fetchPage } from './fetch-page.ts';
import { type Head, readHead } from './html-head.ts';
import { type FoundMetadata, metadataOf } from './page-metadata.ts';

export interface ReadPage extends FoundMetadata {
  /** The final address. */
  url: URL;
  head: Head;
}

/** Reads the page at `address`; `requested` becomes `url` in the result. */
export async function readPage(
  egress: EgressPort,
  address: URL,
  requested: string,
  param: string,
  signal: AbortSignal,
): Promise<ReadPage> {
  const page = await fetchPage(egress, address, param, signal);
  const head = await readHead(page.html, page.url, page.isXml);
  return { url: page.url, head, ...metadataOf(head, requested, page.url.href) };
}
