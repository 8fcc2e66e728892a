/** Renders the blog as two feeds: Atom (RFC 4287) and JSON Feed (jsonfeed.org, version 1.1). */
import type { ListedDocument } from '../core/content.ts';
import { xmlText } from './xml-text.ts';

interface Service {
  serviceName: string;
  baseUrl: string;
}

/** The date of a feed that has no entries. */
const FIRST_DAY = '2026-11-21T00:00:00.000Z';

export function atomFeed(
  documents: readonly ListedDocument[],
  { serviceName, baseUrl }: Service,
): string {
  const updated = documents.map(({ updatedAt }) => updatedAt).sort();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xmlText(`${baseUrl}/feed.xml`)}</id>`,
    `<title>${xmlText(serviceName)}</title>`,
    `<author><name>${xmlText(serviceName)}</name></author>`,
    `<updated>${updated.at(-1) ?? FIRST_DAY}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(`${baseUrl}/feed.xml`)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(`${baseUrl}/blog`)}"/>`,
    ...documents.map((document) => atomEntry(document, baseUrl)),
    '</feed>',
    '',
  ].join('\n');
}

function atomEntry(document: ListedDocument, baseUrl: string): string {
  const url = xmlText(baseUrl + document.path);
  return [
    '<entry>',
    `<id>${url}</id>`,
    `<title>${xmlText(document.title)}</title>`,
    `<link rel="alternate" type="text/html" href="${url}"/>`,
    `<published>${document.publishedAt}</published>`,
    `<updated>${document.updatedAt}</updated>`,
    ...document.tags.map((tag) => `<category term="${xmlText(tag)}"/>`),
    `<summary>${xmlText(document.description)}</summary>`,
    '</entry>',
  ].join('\n');
}

export function jsonFeed(
  documents: readonly ListedDocument[],
  { serviceName, baseUrl }: Service,
): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: serviceName,
    home_page_url: `${baseUrl}/blog`,
    feed_url: `${baseUrl}/feed.json`,
    items: documents.map((document) => ({
      id: baseUrl + document.path,
      url: baseUrl + document.path,
      title: document.title,
      summary: document.description,
      content_text: document.description,
      date_published: document.publishedAt,
      date_modified: document.updatedAt,
      tags: document.tags,
    })),
  });
}
