/** The house keeps its shape: data flows one way, every tool is whole and registered (docs/design.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolFindings } from '../scripts/tool-findings.ts';

/** Which rooms a room may import from, beside itself. */
const LEGAL_IMPORTS: Record<string, string[]> = {
  core: [],
  lib: ['core'],
  pdf: ['core', 'lib'],
  web: ['core', 'lib'],
  tools: ['core', 'lib', 'pdf', 'web'],
  content: ['core', 'lib'],
  execute: ['core', 'lib', 'tools', 'web'],
  access: ['core', 'lib'],
  catalogue: ['core', 'tools', 'execute'],
  adapters: ['core', 'lib', 'web'],
  'services.ts': ['core', 'lib', 'content', 'access', 'adapters'],
  idempotency: ['core'],
  jobs: ['core', 'lib', 'execute', 'services.ts'],
  'exchange.ts': ['access', 'services.ts'],
  'http.ts': ['core', 'access', 'exchange.ts'],
  rest: [
    'core',
    'lib',
    'content',
    'access',
    'execute',
    'catalogue',
    'tools',
    'exchange.ts',
    'http.ts',
  ],
  mcp: [
    'core',
    'lib',
    'access',
    'execute',
    'catalogue',
    'tools',
    'services.ts',
    'exchange.ts',
    'http.ts',
  ],
  site: [
    'core',
    'lib',
    'content',
    'access',
    'execute',
    'catalogue',
    'tools',
    'exchange.ts',
    'http.ts',
  ],
  'app.ts': ['core', 'rest', 'mcp', 'site', 'exchange.ts', 'http.ts', 'services.ts'],
  'index.ts': ['app.ts', 'services.ts', 'content', 'access', 'adapters', 'idempotency', 'jobs'],
};

const MEDIA = 'containers/media';
/** What starts and bounds programs. */
const PROGRAMS = [
  ...['cores.ts', 'large-pages.ts', 'programs.ts', 'root.ts', 'work-directory.ts', 'work-limit.ts'],
  ...['cpu-time.ts', 'cpu-ledger.ts', 'current-call.ts'],
  ...['confinement.ts', 'run-program.ts', 'work-queue.ts'],
];

/** The same for the media worker, by the longest name that fits; what fits none is the server, which may import all. */
const LEGAL_MEDIA_IMPORTS: Record<string, string[]> = {
  ...Object.fromEntries(PROGRAMS.map((name, at) => [name, PROGRAMS.slice(0, at)])),
  processes: PROGRAMS,
  operations: ['processes', ...PROGRAMS],
  'operations/image': ['operations', 'processes', ...PROGRAMS],
  'operations/pdf': ['operations', 'operations/image', 'processes', ...PROGRAMS],
  'operations/ocr': ['operations', 'operations/image', 'operations/pdf', ...PROGRAMS],
  'operations/video': ['operations', ...PROGRAMS],
  'operations/registry.ts': ['operations', 'operations/image'],
};
/** The pure rooms of the Worker, which run in both places. */
const SHARED_MODULES = ['core', 'lib', 'pdf', 'web'];

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !/(^test-|\.(test|d)\.)/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name));

const sources = sourcesIn('src');
const mediaSources = sourcesIn(MEDIA);

const moduleOf = (path: string) => relative('src', path).split('/')[0]!;

function importsOf(path: string): string[] {
  const code = readFileSync(path, 'utf8');
  const specifiers = code.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g);
  // A file of a package, imported as text, is in no room.
  return [...specifiers]
    .map((match) => join(dirname(path), match[1]!))
    .filter((imported) => /^(src|containers)\/.*\.tsx?$/.test(imported));
}

/** Undefined for the server. */
const mediaModuleOf = (path: string) => {
  const within = relative(MEDIA, path);
  return Object.keys(LEGAL_MEDIA_IMPORTS)
    .filter((module) => within === module || within.startsWith(`${module}/`))
    .sort((a, b) => b.length - a.length)[0];
};

/** Whether a file of the media worker may import this one. */
function isLegalInMedia(path: string, imported: string): boolean {
  if (imported.startsWith('src/')) return SHARED_MODULES.includes(moduleOf(imported));
  const [from, to] = [mediaModuleOf(path), mediaModuleOf(imported)];
  if (from === undefined || from === to) return true;
  return to !== undefined && LEGAL_MEDIA_IMPORTS[from]!.includes(to);
}

/** The first circle of imports that is found from `path` on: each file imports the next one. */
function circleFrom(path: string, cleared: Set<string>, way: string[] = []): string[] | undefined {
  if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
  if (cleared.has(path)) return undefined;
  for (const imported of importsOf(path).filter((name) => name.startsWith(MEDIA))) {
    const circle = circleFrom(imported, cleared, [...way, path]);
    if (circle) return circle;
  }
  cleared.add(path);
  return undefined;
}

/** Packages that cost milliseconds of the Worker's start: who needs one imports it when it is needed. */
const HEAVY =
  /^(marked|fflate|file-type|pdf-lib|chardet|htmlparser2|agents|@modelcontextprotocol|@simplewebauthn|@faker-js|@cloudflare\/puppeteer)\b/;

/** What is loaded when `path` is: its imports and theirs, those of types and those made later left out. */
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

/** The files that docs/design.md names in its rooms and that are not to be found beneath the root of their line. */
function namedInVain(): string[] {
  const modules = /## Rooms\n+```\n([^`]*)```/.exec(readFileSync('docs/design.md', 'utf8'))![1]!;
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
  it('has every file that docs/design.md names in its rooms', () => {
    expect(namedInVain()).toEqual([]);
  });

  it('loads no heavy package at the start', () => {
    const loaded = [...loadedWith('src/index.ts')];
    expect(loaded.length).toBeGreaterThan(100);
    const heavy = loaded.flatMap(([path, names]) =>
      names.filter((name) => HEAVY.test(name)).map((name) => `${path}: ${name}`),
    );
    expect(heavy).toEqual([]);
  });

  it('lets imports go down the list of rooms only', () => {
    const illegal = sources.flatMap((path) =>
      importsOf(path)
        .filter((imported) => {
          const [from, to] = [moduleOf(path), moduleOf(imported)];
          return from !== to && !LEGAL_IMPORTS[from]?.includes(to);
        })
        .map((imported) => `${path} imports ${imported}`),
    );
    expect(illegal).toEqual([]);
  });

  it('lets imports of the media worker go down from the server to its programs only', () => {
    expect(mediaSources.length).toBeGreaterThan(50);
    const illegal = mediaSources.flatMap((path) =>
      importsOf(path)
        .filter((imported) => !isLegalInMedia(path, imported))
        .map((imported) => `${path} imports ${imported}`),
    );
    expect(illegal).toEqual([]);
  });

  it('has no file in the media worker that imports itself by way of others', () => {
    const cleared = new Set<string>();
    const circles = mediaSources.flatMap((path) => circleFrom(path, cleared)?.join(' > ') ?? []);
    expect(circles).toEqual([]);
    expect([...cleared].sort()).toEqual([...mediaSources].sort());
  });

  it('keeps the adapters behind services.ts', () => {
    const users = sources.filter((path) =>
      importsOf(path).some((imported) => moduleOf(imported) === 'adapters'),
    );
    const outside = users.filter((path) => moduleOf(path) !== 'adapters');
    expect(outside.sort()).toEqual(['src/index.ts', 'src/services.ts']);
  });

  it('imports zod as a namespace, which bundles to a third', () => {
    const named = sources.filter((path) =>
      /import \{[^}]*\} from 'zod'/.test(readFileSync(path, 'utf8')),
    );
    expect(named).toEqual([]);
  });

  it('begins every file with a sentence that says what it is', () => {
    const silent = [...sources, ...mediaSources].filter(
      (path) => !readFileSync(path, 'utf8').startsWith('/**'),
    );
    expect(silent).toEqual([]);
  });

  it('has no file called after nothing in particular', () => {
    const vague = [...sources, ...mediaSources].filter((path) =>
      /\/(utils?|helpers?|common|misc)\.tsx?$/.test(path),
    );
    expect(vague).toEqual([]);
  });

  it('has nothing missing about any tool (npm run check names the place)', async () => {
    expect(await toolFindings()).toEqual([]);
  });

  it('names the worker’s system packages in one file, which Dockerfile and set-up read', () => {
    expect(readFileSync('containers/media/Dockerfile', 'utf8')).toContain('apt-packages.txt');
    expect(readFileSync('scripts/setup.mjs', 'utf8')).toContain('apt-packages.txt');
  });
});
