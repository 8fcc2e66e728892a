/** Checks that imports follow the module order and form no cycles, in the Worker, the media worker and the scripts. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const PURE = ['src/core', 'src/lib'];
const SURFACE = [
  ...['src/http.ts', 'src/exchange.ts', 'src/catalogue', 'src/execute', 'src/content'],
  ...['src/access', 'src/tools', ...PURE],
];

const media = (names: readonly string[]) => names.map((name) => `containers/media/${name}`);
/** The files that start and limit programs. Each file may import the files before it. */
const PROGRAMS = media([
  ...[
    'log.ts',
    'cores.ts',
    'programs.ts',
    'root.ts',
    'refused.ts',
    'work-directory.ts',
    'work-limit.ts',
  ],
  ...['cpu-time.ts', 'cpu-ledger.ts', 'current-call.ts'],
  ...[
    'confinement.ts',
    'lower-priority.ts',
    'program-failure.ts',
    'run-program.ts',
    'work-queue.ts',
  ],
]);
const OPERATION = [...media(['operations', 'processes']), ...PROGRAMS, 'src/tools', ...PURE];

/**
 * The modules in order from top to bottom, each with the other modules that it may import. A file belongs to the module
 * with the longest matching path prefix.
 */
const MODULES: readonly [module: string, ...mayImport: string[]][] = [
  [
    'scripts',
    ...media(['programs.ts', 'root.ts']),
    ...[
      'src/catalogue',
      'src/content',
      'src/execute',
      'src/admin',
      'src/adapters',
      'src/access',
      'src/tools',
      'src/command',
      // The build renders these modules.
      'src/site',
    ],
    ...PURE,
  ],

  // The client's package contains none of the service's code, and the client itself imports nothing.
  ['src/command', 'src/client', 'src/core'],

  [
    'containers/media',
    ...media(['operations/registry.ts', 'operations', 'operations/image', 'processes']),
    ...[...PROGRAMS, 'src/web', ...PURE],
  ],
  [
    'containers/media/operations/registry.ts',
    ...media(['ocr', 'pdf', 'image', 'video'].map((kind) => `operations/${kind}`)),
    'containers/media/operations',
  ],
  [
    'containers/media/operations/ocr',
    ...media(['operations/pdf', 'operations/image', 'pdf']),
    ...OPERATION,
  ],
  ['containers/media/operations/pdf', ...media(['operations/image', 'pdf', 'png']), ...OPERATION],
  ['containers/media/operations/image', ...media(['jpeg', 'png']), ...OPERATION],
  ['containers/media/operations/video', ...OPERATION],
  ['containers/media/operations', ...media(['processes']), ...PROGRAMS, 'src/tools', ...PURE],
  ['containers/media/pdf', ...media(['jpeg', 'png']), ...PURE],
  ['containers/media/jpeg'],
  ['containers/media/png'],
  ['containers/media/processes', ...PROGRAMS, ...PURE],
  ...PROGRAMS.map((name, at): [string, ...string[]] => [
    name,
    ...PROGRAMS.slice(0, at).reverse(),
    ...PURE,
  ]).reverse(),

  [
    'src/index.ts',
    ...['src/app.ts', 'src/clean-up.ts', 'src/jobs', 'src/idempotency', 'src/services.ts'],
    ...['src/adapters', 'src/content', 'src/access', ...PURE],
  ],
  [
    'src/app.ts',
    ...['src/rest', 'src/mcp', 'src/site', 'src/http.ts', 'src/exchange.ts', 'src/services.ts'],
    ...PURE,
  ],
  ['src/env.d.ts', 'src/jobs', 'src/idempotency', 'src/services.ts', 'src/adapters', 'src/access'],
  ['src/clean-up.ts', 'src/services.ts', ...PURE],
  ['src/rest', ...SURFACE],
  ['src/mcp', ...SURFACE, 'src/services.ts'],
  // The site's scripts use the client's code that reads the file name in a response.
  ['src/site', 'src/admin', 'src/client', ...SURFACE],
  ['src/jobs', 'src/services.ts', 'src/execute', 'src/tools', ...PURE],
  ['src/idempotency', ...PURE],
  ['src/http.ts', 'src/exchange.ts', 'src/access', ...PURE],
  ['src/exchange.ts', 'src/services.ts', 'src/access', ...PURE],
  ['src/admin', 'src/access', ...PURE],
  // Only this module connects adapters with ports.
  ['src/services.ts', 'src/adapters', 'src/content', 'src/access', ...PURE],
  ['src/adapters', 'src/web', ...PURE],
  ['src/catalogue', 'src/tools', ...PURE],
  ['src/execute', 'src/tools', 'src/web', ...PURE],
  ['src/content', ...PURE],
  ['src/access', ...PURE],
  ['src/tools', 'src/web', ...PURE],
  ['src/web', ...PURE],
  ['src/client'],
  ['src/lib', 'src/core'],
  ['src/core'],
];

const NAMES = MODULES.map(([name]) => name);

const moduleOf = (path: string): string | undefined =>
  NAMES.filter((name) => path === name || path.startsWith(`${name}/`)).sort(
    (a, b) => b.length - a.length,
  )[0];

/**
 * Returns the module that contains a file: `scripts`, or a folder or file directly under `src` or `containers/media`.
 */
const folderOf = (path: string) =>
  path.startsWith('scripts/') ? 'scripts' : path.split('/').slice(0, 2).join('/');

const sources = ['src', 'containers', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(tsx?|m?js)$/.test(name) && !/(^test-|\.test\.)/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name)),
);

const imports = new Map(sources.map((path) => [path, importsOf(path)]));

/** Returns the project's files that a file imports, including type-only imports. */
function importsOf(path: string): string[] {
  const code = readFileSync(path, 'utf8');
  const specifiers = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'?]+)(?:\?[^']*)?'/g);
  return [...specifiers]
    .map((match) => join(dirname(path), match[1]!))
    .filter((imported) => sources.includes(imported));
}

/** Returns the files that belong to an import cycle, each with the next file of the cycle. */
function circles(): string[] {
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of imports.get(from) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      reached(next, seen);
    }
    return seen;
  };
  const below = new Map(sources.map((path) => [path, reached(path)]));
  return sources.flatMap((path) =>
    imports
      .get(path)!
      .filter((next) => below.get(next)!.has(path))
      .map((next) => `${path} > ${next}`),
  );
}

/** Returns the modules that use a file in `src/lib`, directly or through other files in `src/lib`. */
function servedBy(path: string, seen = new Set<string>()): Set<string> {
  for (const [user, imported] of imports) {
    if (!imported.includes(path) || seen.has(user)) continue;
    seen.add(user);
    if (user.startsWith('src/lib/')) servedBy(user, seen);
  }
  return new Set([...seen].filter((user) => !user.startsWith('src/lib/')).map(folderOf));
}

describe('imports', () => {
  it('are detected', () => {
    expect(sources.length).toBeGreaterThan(400);
    expect([...imports.values()].flat().length).toBeGreaterThan(1500);
  });

  it('point downwards in the module list', () => {
    const upward = MODULES.flatMap(([name, ...mayImport], at) =>
      mayImport
        .filter((imported) => NAMES.indexOf(imported) <= at)
        .map((imported) => `${name} > ${imported}`),
    );
    expect(upward).toEqual([]);
  });

  it('go only to modules that the list allows', () => {
    const allowed = new Map(MODULES.map(([name, ...mayImport]) => [name, mayImport]));
    const illegal = [...imports].flatMap(([path, imported]) => {
      const from = moduleOf(path);
      if (from === undefined) return imported.length > 0 ? [`${path} is in no module`] : [];
      return imported
        .filter((to) => moduleOf(to) !== from && !allowed.get(from)!.includes(moduleOf(to) ?? ''))
        .map((to) => `${path} imports ${to}`);
    });
    expect(illegal).toEqual([]);
  });

  it('form no cycle', () => {
    expect(circles()).toEqual([]);
  });

  it('of a file in src/lib come from at least three modules', () => {
    const few = sources
      .filter((path) => path.startsWith('src/lib/'))
      .map((path) => [path, [...servedBy(path)]] as const)
      .filter(([, modules]) => modules.length < 3)
      .map(([path, modules]) => `${path} serves ${modules.join(' and ')}`);
    expect(few).toEqual([]);
  });
});
