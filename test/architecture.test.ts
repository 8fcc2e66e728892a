/**
 * Checks that every tool is complete and registered, that every file starts with a documentation comment, and that the
 * Worker starts fast (docs/architecture.md).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolFindings } from '../scripts/tool-findings.ts';

const MEDIA = 'containers/media';
const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !/(^test-|\.(test|d)\.)/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name));

const sources = sourcesIn('src');
const mediaSources = sourcesIn(MEDIA);

/** These packages delay the Worker's start by milliseconds, so they must be imported dynamically. */
const HEAVY =
  /^(marked|fflate|file-type|pdf-lib|chardet|htmlparser2|agents|@modelcontextprotocol|@simplewebauthn|zod-openapi|@faker-js|@cloudflare\/puppeteer)\b/;

/** Returns the modules that an import of `path` loads, including transitive static imports but not type imports. */
function loadedWith(path: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(path)) return seen;
  const statements = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export)\s+(?!type\b)(?:[^;]*?from\s+)?'([^']+)';/gm,
  );
  const names = [...statements].map((match) => match[1]!);
  seen.set(
    path,
    names.filter((name) => !name.startsWith('.')),
  );
  for (const name of names) {
    const imported = join(dirname(path), name);
    if (name.startsWith('.') && sources.includes(imported)) loadedWith(imported, seen);
  }
  return seen;
}

/** Returns the files in the module list of docs/architecture.md that do not exist in the listed folder. */
function missingFiles(): string[] {
  const modules = /## Modules\n+```\n([^`]*)```/.exec(
    readFileSync('docs/architecture.md', 'utf8'),
  )![1]!;
  let root = '';
  let within: string[] = [];
  return modules.split('\n').flatMap((line) => {
    const begun = /^[\w/]+\//.exec(line)?.[0];
    if (begun) {
      root = begun;
      within = readdirSync(root, { recursive: true }).map((path) => `/${path}`);
    }
    return [...line.matchAll(/[\w.-]+\.(?:tsx?|mjs|md|txt)\b/g)]
      .filter(([name]) => !within.some((path) => path.endsWith(`/${name}`)))
      .map(([name]) => root + name);
  });
}

describe('the architecture', () => {
  it('contains every file that docs/architecture.md lists', () => {
    expect(missingFiles()).toEqual([]);
  });

  it('loads no heavy package at startup', () => {
    const loaded = [...loadedWith('src/index.ts')];
    expect(loaded.length).toBeGreaterThan(100);
    const heavy = loaded.flatMap(([path, names]) =>
      names.filter((name) => HEAVY.test(name)).map((name) => `${path}: ${name}`),
    );
    expect(heavy).toEqual([]);
  });

  it('imports zod as a namespace, which bundles to a third of the size', () => {
    const named = sources.filter((path) =>
      /import \{[^}]*\} from 'zod'/.test(readFileSync(path, 'utf8')),
    );
    expect(named).toEqual([]);
  });

  it('starts every file with a documentation comment', () => {
    const silent = [...sources, ...mediaSources].filter(
      (path) => !readFileSync(path, 'utf8').startsWith('/**'),
    );
    expect(silent).toEqual([]);
  });

  it('has no file with a vague name such as utils or helpers', () => {
    const vague = [...sources, ...mediaSources].filter((path) =>
      /\/(utils?|helpers?|common|misc)\.tsx?$/.test(path),
    );
    expect(vague).toEqual([]);
  });

  it('has no finding for any tool (npm run check shows the details)', async () => {
    expect(await toolFindings()).toEqual([]);
  });

  it('lists the system packages of the worker in one file, which Dockerfile and setup read', () => {
    expect(readFileSync('containers/media/Dockerfile', 'utf8')).toContain('apt-packages.txt');
    expect(readFileSync('scripts/setup.mjs', 'utf8')).toContain('apt-packages.txt');
  });
});
