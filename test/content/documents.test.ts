/** Checks the front matter of every document, and runs every example against the service. */
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageManifest, writePackage } from '../../scripts/package.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { accountKey } from '../support/account-key.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { baseUrl, stateDir } from '../support/service.ts';
import { runDocument } from './run-document.ts';
import { makeSampleFiles } from './sample-files.ts';
import { readDocument } from './written-document.ts';

const documents = (pattern: string) => globSync(pattern).sort();
const TOOL_DOCS = documents('src/tools/*/*.md');
const HOW_TOS = documents('src/content/how-to/*.md');
/** Excludes the templates in src/content/legal, which contain placeholders. test/legal.test.ts checks them. */
const ALL = [...TOOL_DOCS, ...documents('src/content/{blog,comparisons,how-to}/*.md')];

/** Includes the pages of /docs, which have no tags and no dates. */
const WITH_EXAMPLES = [...ALL, ...documents('src/site/docs/*.md')];

/** This document needs a service with rate limits, which the other documents would exceed. */
const WITH_LIMITS = 'src/content/how-to/stay-within-the-limits.md';

const root = mkdtempSync(join(tmpdir(), 'tools-content-'));
const samples = join(root, 'samples');
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Installs the command and the client with symbolic links, as `npm install` would. */
async function installPackage(modules: string): Promise<void> {
  const folder = join(root, 'package');
  await writePackage(folder);
  const manifest = packageManifest(readFileSync('package.json', 'utf8'));
  writeFileSync(join(folder, 'package.json'), manifest);
  const command = join(folder, JSON.parse(manifest).bin.tools);
  chmodSync(command, 0o755);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(folder, join(modules, 'tools-service'));
  symlinkSync(command, join(modules, '.bin', 'tools'));
}

const read = (path: string) => readDocument(readFileSync(path, 'utf8'));

describe('the written documents', () => {
  it('include at least 20 how-tos, 8 comparisons and 6 blog posts', () => {
    expect(HOW_TOS.length).toBeGreaterThanOrEqual(20);
    expect(documents('src/content/comparisons/*.md').length).toBeGreaterThanOrEqual(8);
    expect(documents('src/content/blog/*.md').length).toBeGreaterThanOrEqual(6);
  });

  it.each(ALL)('%s has complete front matter', (path) => {
    const { frontMatter, body } = read(path);
    const { formerly, ...required } = frontMatter;
    expect(Object.keys(required).sort()).toEqual(
      ['description', 'publishedAt', 'tags', 'title', 'updatedAt'].sort(),
    );
    expect(formerly ?? '[old-name]').toMatch(/^\[[a-z0-9-]+(, [a-z0-9-]+)*\]$/);
    expect(frontMatter.tags).toMatch(/^\[[a-z0-9-]+(, [a-z0-9-]+)*\]$/);
    expect(frontMatter.publishedAt).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(frontMatter.updatedAt! >= frontMatter.publishedAt!).toBe(true);
    expect(frontMatter.description!.length).toBeLessThan(200);
    // The page already shows the title as its first heading.
    expect(body).not.toMatch(/^# /m);
  });

  it('have unique titles', () => {
    const titles = ALL.map((path) => read(path).frontMatter.title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('name only tools that exist', () => {
    const verbs = new Set(TOOLS.map(({ name }) => name.split('_')[0]));
    const names = new Set(TOOLS.map(({ name }) => name));
    const unknown = ALL.flatMap((path) =>
      [...read(path).body.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)`/g)]
        .map(([, name]) => name!)
        .filter((name) => verbs.has(name.split('_')[0]!) && !names.has(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('give a reason for each command that is not run', () => {
    const silent = ALL.flatMap((path) =>
      read(path)
        .blocks.filter(({ words }) => words[0] === 'not-run' && words.length < 3)
        .map(({ line }) => `${path}:${line}`),
    );
    expect(silent).toEqual([]);
  });
});

describe('the commands and results shown in', () => {
  let key: string;
  beforeAll(async () => {
    key = await accountKey(stateDir);
    mkdirSync(samples);
    await makeSampleFiles(samples);
    await installPackage(join(samples, 'node_modules'));
  });
  const folderFor = () => {
    const folder = mkdtempSync(join(root, 'document-'));
    cpSync(samples, folder, { recursive: true });
    return folder;
  };

  // The documents run concurrently, because each one spends most of its time waiting for its tools.
  it.concurrent.each(WITH_EXAMPLES.filter((path) => path !== WITH_LIMITS))(
    '%s match the service',
    async (path) => {
      expect(await runDocument(read(path), { baseUrl, key, folder: folderFor() })).toEqual([]);
    },
  );

  it(`${WITH_LIMITS} match the service`, async () => {
    const limitedState = join(root, 'state');
    const limited = await startService({ STATE_DIR: limitedState, RATE_LIMITS: 'on' });
    try {
      const target = {
        baseUrl: limited.baseUrl,
        key: await accountKey(limitedState),
        folder: folderFor(),
      };
      expect(await runDocument(read(WITH_LIMITS), target)).toEqual([]);
    } finally {
      await stopService(limited.child);
    }
  });
});
