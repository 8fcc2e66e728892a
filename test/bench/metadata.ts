/** Compares fetch_page_metadata with metascraper on the same pages, by speed and accuracy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import metascraper from 'metascraper';
import author from 'metascraper-author';
import description from 'metascraper-description';
import feed from 'metascraper-feed';
import image from 'metascraper-image';
import lang from 'metascraper-lang';
import title from 'metascraper-title';
import url from 'metascraper-url';
import { readHead } from '../../src/web/html-head.ts';
import { metadataOf } from '../../src/web/page-metadata.ts';
import { atLeast, median, type Row } from './row.ts';

const FOLDER = join(import.meta.dirname, 'pages');
const PAGE_CHARACTERS = 200_000;
const MIN_RATIO = 5;
const ROUNDS = 5;
const FIELDS = ['title', 'description', 'canonical', 'image', 'author', 'lang', 'feeds'] as const;

type Field = (typeof FIELDS)[number];
/** The extracted fields, in the same format for both programs. Only the first feed is compared. */
type Taken = Record<Field, string | null>;
/**
 * The correct value of each field. A list contains equally correct values, and null means that the page has no value.
 */
type Expected = { url: string } & Record<Field, string | null | (string | null)[]>;

const scrape = metascraper([author(), description(), feed(), image(), lang(), title(), url()]);
const expected = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<
  string,
  Expected
>;
const pages = Object.entries(expected).map(([name, { url: address }]) => ({
  name,
  address,
  html: readFileSync(join(FOLDER, `${name}.html`), 'utf8'),
}));

export async function metadataRows(): Promise<Row[]> {
  const ours = { right: 0, rates: [] as number[] };
  const theirs = { right: 0, rates: [] as number[] };
  for (const { name, html, address } of pages) {
    ours.right += rightOf(name, 'ours', await takenByUs(html, address));
    theirs.right += rightOf(name, 'theirs', await takenByThem(html, address));
  }
  const long = pages.map(({ html, ...rest }) => ({ ...rest, html: lengthened(html) }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = [await rateOf(long, takenByUs), await rateOf(long, takenByThem)] as const;
    // The first round is a warm-up.
    if (round === 0) continue;
    ours.rates.push(rates[0]);
    theirs.rates.push(rates[1]);
  }
  const questions = pages.length * FIELDS.length;
  return [
    atLeast(
      ...(['metadata of 200 KB pages / metascraper', median(ours.rates)] as const),
      ...([median(theirs.rates), MIN_RATIO, 'pages/s'] as const),
    ),
    atLeast(
      `right of ${questions} fields of ${pages.length} pages / metascraper`,
      ...([ours.right, theirs.right, 1, 'fields'] as const),
    ),
  ];
}

async function takenByUs(html: string, address: string): Promise<Taken> {
  const page = metadataOf(await readHead(html, new URL(address)), address, address).metadata;
  const { openGraph, twitter } = page;
  return {
    title: page.title ?? null,
    description: page.description ?? null,
    canonical: page.canonical ?? null,
    image: openGraph.image ?? twitter.image ?? null,
    author: page.author ?? null,
    lang: page.lang?.slice(0, 2) ?? null,
    feeds: page.feeds[0] ?? null,
  };
}

async function takenByThem(html: string, address: string): Promise<Taken> {
  const page = await scrape({ html, url: address });
  // Restores the straight quotation marks that metascraper changes, because this change does not count as an error.
  const take = (name: string) =>
    (page as Record<string, string | null>)[name]?.replace(/[“”]/g, '"').replace(/’/g, "'") || null;
  return {
    title: take('title'),
    description: take('description'),
    image: take('image'),
    author: take('author'),
    lang: take('lang'),
    feeds: take('feed'),
    // metascraper falls back to the requested URL. This URL counts as canonical only if a page is expected to declare
    // it.
    canonical: take('url') === address ? canonicalOr(address) : take('url'),
  };
}

const canonicalOr = (address: string): string | null =>
  pages.some(({ name }) => [expected[name]!.canonical].flat().includes(address)) ? address : null;

/** Returns the number of correct fields. BENCH_SHOW=1 prints the errors. */
function rightOf(name: string, who: string, taken: Taken): number {
  return FIELDS.filter((field) => {
    const wanted = [expected[name]![field]].flat();
    const right =
      wanted.includes(taken[field]) || (field === 'feeds' && taken.feeds === (wanted[0] ?? null));
    if (!right && process.env.BENCH_SHOW) console.log(name, who, field, taken[field], wanted);
    return right;
  }).length;
}

async function rateOf(
  long: typeof pages,
  take: (html: string, address: string) => Promise<Taken>,
): Promise<number> {
  const started = process.cpuUsage();
  for (const { html, address } of long) await take(html, address);
  const { user, system } = process.cpuUsage(started);
  return (long.length * 1e6) / (user + system);
}

/** Extends the page to a typical length. Inserts paragraphs, lists and images at the end of its body. */
function lengthened(html: string): string {
  const at = html.includes('</body>') ? html.lastIndexOf('</body>') : html.length;
  const block =
    '<section class="story"><h2>Low water</h2><p>Lorem ipsum <a href="/x?a=1&amp;b=2">dolor</a> sit.</p><ul><li>one<li>two</ul><img src="/p.jpg" alt="A picture" loading="lazy"></section>\n';
  const blocks = block.repeat(Math.ceil((PAGE_CHARACTERS - html.length) / block.length));
  return html.slice(0, at) + blocks + html.slice(at);
}
