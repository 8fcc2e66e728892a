/**
 * Reads a page for the two metadata tools. The page is fetched and its head is parsed. The content is extracted only on
 * request.
 */
import type { EgressPort } from '../core/ports.ts';
import { fetchPage } from './fetch-page.ts';
import { type Head, readHead } from './html-head.ts';
import { mainContent } from './main-content.ts';
import { type FoundMetadata, metadataOf } from './page-metadata.ts';

export interface ReadPage extends FoundMetadata {
  /** The URL after redirects. */
  url: URL;
  head: Head;
  /** The content as Markdown. It is present only if `withContent` is set. */
  content: string | undefined;
  /** Whether the content was truncated. */
  isCut: boolean;
}

/** Reads the page at `address`. The metadata contains `requested` as its URL. */
export async function readPage(
  egress: EgressPort,
  address: URL,
  requested: string,
  param: string,
  signal: AbortSignal,
  withContent = false,
): Promise<ReadPage> {
  const page = await fetchPage(egress, address, param, signal);
  const head = await readHead(page.html, page.url, page.isXml);
  const content = withContent ? await mainContent(page.html, head.base, page.isXml) : undefined;
  const { markdown, isCut = false } = content ?? {};
  return {
    url: page.url,
    head,
    content: markdown,
    isCut,
    ...metadataOf(head, requested, page.url.href),
  };
}
