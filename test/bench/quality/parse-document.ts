/**
 * Compares parse_document with pdftotext on pages whose reading order is known. Chromium prints generated pages, whose
 * tables and headings are also known, tagged and untagged. It prints pages whose order is marked by hand untagged.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from '../compare.ts';
import { atLeast, type Row } from '../row.ts';
import { withService } from '../service.ts';
import { orderedPages, shareOfNeighbors } from './ordered-page.ts';
import { printed } from './printed-page.ts';

const DOCUMENTS = 20;
/** The minimum score for each measure on the generated pages, regardless of the other program's score. */
const MIN_SCORES: Record<string, number> = { order: 0.95, rows: 0.85, headings: 0.78 };
/** The minimum score on pages whose reading order is marked by hand. */
const MARKED = 0.9;
const ROWS = 6;

const WORDS =
  'river stone market winter copper garden letter harbour silver window bridge forest engine paper'.split(
    ' ',
  );

interface Sample {
  html: string;
  /** The words in reading order. */
  words: string[];
  rows: string[];
  headings: string[];
}

/** Makes HTML of unique words, so that the position of each word in a text can be determined. */
function sample(seed: number): Sample {
  let count = 0;
  const words: string[] = [];
  const word = () => {
    count += 1;
    const next = `${WORDS[(seed + count * 7) % WORDS.length]}${count}`;
    words.push(next);
    return next;
  };
  const text = (length: number) => Array.from({ length }, word).join(' ');
  const headings: string[] = [];
  const rows: string[] = [];
  const heading = (level: number) => {
    const title = text(3);
    headings.push(title);
    return `<h${level}>${title}</h${level}>`;
  };
  const row = (tag: string) => {
    const cells = Array.from({ length: 3 + (seed % 3) }, () => text(1 + (seed % 2)));
    rows.push(cells.join(' '));
    return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  };
  const table = () =>
    `<table>${row('th')}${Array.from({ length: ROWS }, () => row('td')).join('')}</table>`;
  const prose = () => `<p>${text(60 + seed)}.</p>`;
  const body =
    heading(1) +
    prose() +
    heading(2) +
    `<div class="columns">${prose()}${prose()}${prose()}</div>` +
    table() +
    heading(2) +
    `<div class="side"><div>${prose()}</div><aside>${prose()}</aside></div>`;
  const style =
    'body{font:11px/1.4 serif}td,th{padding:2px 14px;text-align:left}.columns{columns:2}' +
    '.side{display:flex;gap:20px}aside{width:30%}';
  const html = `<!doctype html><meta charset="utf-8"><title>t</title><style>${style}</style>${body}`;
  return { html, words, rows, headings };
}

/** Returns the share of adjacent word pairs that are also adjacent in the text. */
function shareInOrder(text: string, words: readonly string[]): number {
  const positions = new Map([...text.matchAll(/[a-z]+\d+/g)].map(([word], at) => [word, at]));
  const followed = words.filter((word, at) => {
    const next = words[at + 1];
    return next && positions.get(next) === (positions.get(word) ?? -9) + 1;
  });
  return followed.length / (words.length - 1);
}

/** Returns the share of table rows whose words are on one line, in order. */
function shareOfRows(text: string, rows: readonly string[]): number {
  const lines = text.split('\n').map((line) => (line.match(/[a-z]+\d+/g) ?? []).join(' '));
  return rows.filter((row) => lines.includes(row)).length / rows.length;
}

const headingsFound = (markdown: string, headings: readonly string[]) =>
  headings.filter((title) => new RegExp(`^#+ ${title}$`, 'm').test(markdown)).length /
  headings.length;

const absolute = (name: string, ours: number, theirs: number, least: number): Row => ({
  ...atLeast(name, ours, theirs, least, ''),
  reached: ours >= least,
});

export async function parseDocumentRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-parse-'));
  try {
    return await withService(async (baseUrl) => {
      const sums = new Map<string, [ours: number, theirs: number]>();
      const add = (name: string, ours: number, theirs: number) => {
        const [first, second] = sums.get(name) ?? [0, 0];
        sums.set(name, [first + ours / DOCUMENTS, second + theirs / DOCUMENTS]);
      };
      for (let seed = 0; seed < DOCUMENTS; seed += 1) {
        const { html, words, rows, headings } = sample(seed);
        for (const isTagged of [true, false]) {
          const path = printed(folder, html, isTagged);
          const call = (parameters: object) => parsed(baseUrl, path, parameters);
          const [text, markdown] = [await call({}), await call({ format: 'markdown' })];
          const kind = isTagged ? 'tagged' : 'without tags';
          add(
            `order, ${kind} / pdftotext`,
            shareInOrder(text, words),
            shareInOrder(pdftotext(path), words),
          );
          add(
            `rows on one line, ${kind} / pdftotext -layout`,
            shareOfRows(markdown, rows),
            shareOfRows(pdftotext(path, '-layout'), rows),
          );
          add(`headings, ${kind} / none`, headingsFound(markdown, headings), 0);
        }
      }
      const rows = [...sums].map(([name, [ours, theirs]]) =>
        absolute(`parse_document, ${name}`, ours, theirs, MIN_SCORES[name.split(/[ ,]/)[0]!]!),
      );
      return [...rows, ...(await markedRows(baseUrl, folder))];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compares the reading order of hand-marked pages with that of pdftotext, by the mean share of adjacent words that stay
 * adjacent.
 */
async function markedRows(baseUrl: string, folder: string): Promise<Row[]> {
  const columns = new Map<string, number[]>();
  const add = (name: string, share: number) =>
    columns.set(name, [...(columns.get(name) ?? []), share]);
  for (const { html, words } of orderedPages()) {
    const path = printed(folder, html, false);
    const shares = {
      text: shareOfNeighbors(await parsed(baseUrl, path, {}), words),
      markdown: shareOfNeighbors(await parsed(baseUrl, path, { format: 'markdown' }), words),
      '-raw': shareOfNeighbors(pdftotext(path, '-raw'), words),
      '-layout': shareOfNeighbors(pdftotext(path, '-layout'), words),
      default: shareOfNeighbors(pdftotext(path), words),
    };
    for (const [name, share] of Object.entries(shares)) add(name, share);
  }
  const mean = (name: string) => {
    const shares = columns.get(name) ?? [];
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
  };
  return (['text', 'markdown'] as const).flatMap((ours) =>
    ['-raw', '-layout', 'default'].map((theirs) =>
      absolute(
        `parse_document, order of marked pages, ${ours} / pdftotext ${theirs}`,
        mean(ours),
        mean(theirs),
        MARKED,
      ),
    ),
  );
}

const pdftotext = (path: string, ...options: string[]) =>
  execFileSync('pdftotext', [...options, path, '-']).toString();

async function parsed(baseUrl: string, path: string, parameters: object): Promise<string> {
  const result = await execute(baseUrl, [
    ['tool', 'parse_document'],
    ['parameters', JSON.stringify(parameters)],
    ['file', new Blob([readFileSync(path)]), 'page.pdf'],
  ]);
  return JSON.parse(result.toString('utf8')).text;
}
