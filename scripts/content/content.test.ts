import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GENERAL_LIMITS } from '../../src/access/general-limits.ts';
import { PassageIndex } from '../../src/content/passage-index.ts';
import { search } from '../../src/content/search.ts';
import type { LibraryFile } from '../../src/core/content.ts';
import { ERROR_CODES } from '../../src/core/errors.ts';
import { DOCS_PATHS } from '../../src/site/docs/pages.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { answerable, offTopic, readQuestions, recallAt5 } from '../../test/search/questions.ts';
import { writeContentFiles } from './content-files.ts';
import { renderedDocuments } from './document-html.ts';
import { readFrontMatter } from './front-matter.ts';
import { inOrder, readDocuments, renamedPaths } from './sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-content-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeContentFiles(folder);
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const { documents, digest, renamed } = read('documents.json') as LibraryFile;
const index = new PassageIndex(read('search.json'));

describe('front matter', () => {
  it('contains strings, dates and a list of tags', () => {
    const text = `---\ntitle: "Merge: PDFs"\ndescription: 'a, b'\ntags: [one, 'two']\npublishedAt: 2026-11-21\n---\n\n# Body\n---\nrest`;
    expect(readFrontMatter(text)).toEqual({
      fields: {
        title: 'Merge: PDFs',
        description: 'a, b',
        tags: ['one', 'two'],
        publishedAt: '2026-11-21',
        formerly: [],
      },
      body: '# Body\n---\nrest',
    });
  });

  it('is optional, and is refused if it is malformed', () => {
    expect(readFrontMatter('only text')).toEqual({
      fields: { tags: [], formerly: [] },
      body: 'only text',
    });
    for (const line of ['nonsense here', 'title: [a', 'tags: one', 'publishedAt: soon', 'x: 1'])
      expect(() => readFrontMatter(`---\n${line}\n---\nx`), line).toThrow();
  });
});

describe('the documents of the repository', () => {
  it('are well-formed, and every tool has a document and a page', () => {
    const paths = documents.map(({ path }) => path);
    for (const { name } of TOOLS) {
      expect(paths).toContain(`/docs/tools/${name}`);
      expect(paths).toContain(`/tools/${name}`);
    }
    expect(inOrder(documents)).toEqual(documents);
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
  });

  it('have unique paths, including earlier ones', () => {
    expect(renamed['/blog/programs-that-must-end']).toBe(
      '/blog/stopping-programs-that-never-finish',
    );
    const [one, two] = readDocuments();
    expect(() => renamedPaths([one!, { ...two!, formerly: [one!.path] }])).toThrow(one!.path);
  });

  it('are refused by the name of the file if one is malformed', () => {
    const root = join(folder, 'malformed');
    cpSync('src', root, { recursive: true, filter: (path) => /\/[^./]+$|\.md$|^src$/.test(path) });
    expect(readDocuments(root)).toHaveLength(readDocuments().length);
    const file = join(root, 'site/docs/start.md');
    writeFileSync(file, '---\ntitle: a: b\n---\ntext');
    expect(() => readDocuments(root)).toThrow(file);
  });

  it('name the real limit of runs without a key in comparisons', () => {
    const { calls } = GENERAL_LIMITS.execution.anonymous;
    const comparisons = documents.filter(({ section }) => section === 'Comparisons');
    for (const { markdown, path } of comparisons)
      for (const [, count] of markdown.matchAll(/(\d+) (?:calls|runs|executions) an hour/g))
        expect(Number(count), path).toBe(calls);
  });

  it('give every error code an anchor on /docs/errors', () => {
    const [, html] = renderedDocuments(documents).find(([path]) => path === '/docs/errors')!;
    const codes = [...html.matchAll(/<code id="(\w+)">/g)].map(([, code]) => code);
    expect(codes.sort()).toEqual([...ERROR_CODES].sort());
  });

  it('contain no marks of their generated parts', () => {
    for (const { markdown, path } of documents) expect(markdown, path).not.toMatch(/<!--/);
  });

  it('are in the navigation of /docs if their section is Docs', () => {
    const docs = documents.filter(({ section }) => section === 'Docs').map(({ path }) => path);
    expect(docs.sort()).toEqual([...DOCS_PATHS].sort());
  });
});

describe('search without a model', () => {
  const find = async (query: string) => {
    const vectors = { of: async () => new Map(), put: async () => {}, keepOnly: async () => {} };
    const { passages } = await search(query, 10, { index, vectors, embed: async () => null });
    return passages.map(({ passage }) => passage.path);
  };

  it('finds at least 85 % of the answers to the tuning questions among the first five results', async () => {
    const paths = documents.map(({ path }) => path);
    const questions = answerable(readQuestions('tuning'), paths);
    let recall = 0;
    for (const question of questions) recall += recallAt5(question, await find(question.text));
    expect(recall / questions.length).toBeGreaterThanOrEqual(0.85);
  });

  it('finds nothing for at least 35 of 40 questions that no document answers', async () => {
    const questions = offTopic('tuning');
    const answered: string[] = [];
    for (const question of questions)
      if ((await find(question)).length > 0) answered.push(question);
    expect(questions).toHaveLength(40);
    expect(answered.length, answered.join('; ')).toBeLessThanOrEqual(5);
  });
});
