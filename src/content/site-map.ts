/**
 * Builds the site map (sitemaps.org), which lists the pages for search engines. A tool's document is part of the tool's
 * page.
 */
import type { ListedDocument } from '../core/content.ts';
import { xmlText } from './xml-text.ts';

/** The maximum number of pages that the protocol allows in one file. */
const MAX_PAGES = 50_000;
/** Pages that are not documents. */
const PAGES = [
  '/',
  '/chains',
  '/docs/api',
  '/developers',
  '/blog',
  '/how-to',
  '/compare',
  '/privacy',
  '/terms',
  '/contact',
  '/abuse',
];

export function siteMap(
  documents: readonly ListedDocument[],
  reference: readonly string[],
  { baseUrl }: { baseUrl: string },
): string {
  const urls = documents
    .filter(({ section }) => section !== 'Tool docs')
    .slice(0, MAX_PAGES - PAGES.length - reference.length)
    .map(
      ({ path, updatedAt }) =>
        `<url><loc>${xmlText(baseUrl + path)}</loc><lastmod>${updatedAt}</lastmod></url>`,
    );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...PAGES, ...reference].map((path) => `<url><loc>${xmlText(baseUrl + path)}</loc></url>`),
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}
