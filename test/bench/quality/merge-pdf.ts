/**
 * Compares merge_pdf with qpdf and pdfunite. Counts the named destinations and tags of the inputs that poppler finds in
 * the result.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOperation } from '../../../containers/media/operations/test-operation.ts';
import { atLeast, type Row } from '../row.ts';
import { printed } from './printed-page.ts';

const MERGES = 20;
const FILES = 3;
const SECTIONS = 6;

/** Merges the files into `target`. */
type Merge = (paths: readonly string[], target: string) => unknown;

const run = (program: string, ...given: string[]) =>
  execFileSync(program, given, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const MERGERS: Record<string, Merge> = {
  ours: async (paths, target) => {
    const files = paths.map((path) => ({ name: path, bytes: readFileSync(path) }));
    writeFileSync(target, (await runOperation('merge_pdf', {}, files)).bytes);
  },
  'qpdf --pages': (paths, target) => run('qpdf', '--empty', '--pages', ...paths, '--', target),
  pdfunite: (paths, target) => run('pdfunite', ...paths, target),
};

/** Returns the named destinations as `PAGE NAME`. Page numbers start at `first`. */
const destinationsOf = (path: string, first = 1) =>
  [...run('pdfinfo', '-dests', path).matchAll(/^ *(\d+) \[.*?\] "(.*)"$/gm)].map(
    ([, page, name]) => `${Number(page) + first - 1} ${name}`,
  );

/** Returns the strings in the structure tree in logical order. */
const taggedTexts = (path: string) =>
  [...run('pdfinfo', '-struct-text', path).matchAll(/^ *"(.*)"$/gm)].map(([, text]) => text!);

const pagesOf = (path: string) => Number(run('qpdf', '--show-npages', path));

/**
 * Counts the expected values that are in `values`. A repeated value counts as many times as it occurs in both lists.
 */
function found(expected: readonly string[], values: readonly string[]): number {
  const left = new Map<string, number>();
  for (const value of values) left.set(value, (left.get(value) ?? 0) + 1);
  return expected.filter((value) => {
    const count = left.get(value) ?? 0;
    left.set(value, count - 1);
    return count > 0;
  }).length;
}

export async function mergePdfRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-quality-'));
  try {
    const documents = Array.from({ length: MERGES + FILES - 1 }, (_, seed) => {
      const path = join(folder, `${seed}.pdf`);
      copyFileSync(printed(folder, html(seed), true), path);
      return path;
    });
    const counts: Record<string, [destinations: number, tags: number]> = {};
    const add = (who: string, destinations: number, tags: number) => {
      const [first, second] = counts[who] ?? [0, 0];
      counts[who] = [first + destinations, second + tags];
    };
    const target = join(folder, 'merged.pdf');
    for (let first = 0; first < MERGES; first += 1) {
      const paths = documents.slice(first, first + FILES);
      let page = 1;
      const destinations = paths.flatMap((path) => {
        const own = destinationsOf(path, page);
        page += pagesOf(path);
        return own;
      });
      const tags = paths.flatMap(taggedTexts);
      add('all', destinations.length, tags.length);
      for (const [who, merge] of Object.entries(MERGERS)) {
        await merge(paths, target);
        add(who, found(destinations, destinationsOf(target)), found(tags, taggedTexts(target)));
      }
    }
    return ['named destinations', 'tagged texts'].flatMap((kind, at) =>
      ['all', ...Object.keys(MERGERS).slice(1)].map((other) =>
        atLeast(
          `merge_pdf, ${kind} of ${MERGES} merges / ${other}`,
          ...([counts.ours![at]!, counts[other]![at]!, 1, ''] as const),
        ),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes a short document with links to its sections. The section names are unique among all documents. */
function html(seed: number): string {
  const sections = Array.from({ length: SECTIONS }, (_, at) => `s${seed}-${at}`);
  const contents = sections.map((name) => `<li><a href="#${name}">Section ${name}</a></li>`);
  const prose = sections.map(
    (name, at) =>
      `<h2 id="${name}">Section ${name}</h2><p>${`The harbour of ${name} was quiet that winter. `.repeat(20 + 5 * ((seed + at) % 7))}</p><table><tr><th>Item ${name}</th><th>Price</th></tr><tr><td>Salt</td><td>${seed + at}</td></tr></table>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Document ${seed}</title><h1>Document ${seed}</h1><ul>${contents.join('')}</ul>${prose.join('')}`;
}
