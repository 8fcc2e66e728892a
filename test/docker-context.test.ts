/** Checks that all files that the Dockerfiles copy exist, and that no ignore file excludes them. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');

/**
 * Returns the paths that the last stage of a Dockerfile copies, and a function that returns whether a file is in the
 * image.
 */
function context(dockerfile: string, ignoreFile: string) {
  const lastStage = read(dockerfile).slice(read(dockerfile).lastIndexOf('\nFROM '));
  const copied = [...lastStage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
    sources!.split(' '),
  );
  const ignored = read(ignoreFile)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isInImage = (path: string) =>
    copied.some((source) => path === source || path.startsWith(`${source}/`)) &&
    !ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
  return { copied, ignored, isInImage };
}

/** Returns a module and all files that it needs, either by an import or by a relative path. */
function needed(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  const text = read(path);
  const imports = [...text.matchAll(/(?:from|import) '(\.{1,2}\/[^']+)'/g)];
  const started = [...text.matchAll(/join\(import\.meta\.dirname, '([^']+\.ts)'\)/g)];
  for (const [, target] of [...imports, ...started]) {
    needed(join(dirname(path), target!), known);
  }
  return known;
}

/**
 * Returns the packages that a module imports statically. Dynamic imports are excluded, because they may run outside the
 * image.
 */
const packagesOf = (path: string): string[] =>
  [
    ...read(path).matchAll(
      /^(?:import|export) (?!type\b)(?:[^;']* from )?'(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)[/']/gm,
    ),
  ]
    .map(([, name]) => name!)
    .filter((name) => !isBuiltin(name));

/** The server loads the operations by name. */
const OPERATIONS = globSync('containers/media/operations/*/*.{operation,work}.ts');

/** The programs that operators run inside the image, according to their documents. */
const COMMANDS = ['key', 'admin', 'backup', 'restore'].map((name) => `scripts/${name}.ts`);

interface LockedPackage {
  version: string;
  cpu?: string[];
  os?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

/** Returns platform-specific packages, grouped by the package that selects among them. */
function platformPackages(lockFile: string): Map<string, LockedPackage[]> {
  const packages: Record<string, LockedPackage> = JSON.parse(read(lockFile)).packages;
  const located = (owner: string, name: string) =>
    packages[`${owner}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
  return new Map(
    Object.entries(packages).flatMap(([owner, { cpu: ownPlatform, optionalDependencies = {} }]) => {
      if (ownPlatform) return [];
      const found = Object.keys(optionalDependencies).map((name) => located(owner, name));
      const forPlatforms = found.filter((locked) => locked?.cpu && locked.os) as LockedPackage[];
      return forPlatforms.length > 0 ? [[owner, forPlatforms]] : [];
    }),
  );
}

/** Returns the versions of the packages for this CPU on Debian. */
const versionsFor = (packages: LockedPackage[], cpu: string) =>
  packages
    .filter(({ cpu: cpus = [], os = [], libc = ['glibc'] }) =>
      [cpus.includes(cpu), os.includes('linux'), libc.includes('glibc')].every(Boolean),
    )
    .map(({ version }) => version);

/** The stage that bundles the Worker uses the lock file at the root. */
const LOCK_FILES = ['package', 'containers/media/package', 'containers/service/package'].map(
  (path) => `${path}-lock.json`,
);

describe('an image for arm64', () => {
  it.each(LOCK_FILES)('contains every native package of the amd64 image, from %s', (lockFile) => {
    const owners = platformPackages(lockFile);
    expect([...owners.keys()]).toContain('node_modules/sharp');
    for (const [owner, packages] of owners) {
      expect([owner, versionsFor(packages, 'arm64')]).toEqual([
        owner,
        versionsFor(packages, 'x64'),
      ]);
    }
  });

  it('needs no compiled code from other packages', () => {
    const lockFile = 'containers/service/package-lock.json';
    const packages: Record<string, LockedPackage> = JSON.parse(read(lockFile)).packages;
    const paths = Object.keys(packages).filter((path) => path !== '' && !packages[path]!.cpu);
    expect(paths).toContain('node_modules/sharp');
    expect(paths.flatMap((path) => globSync(`${path}/**/*.{node,so,so.*}`))).toEqual([]);
  });

  it.each(['media', 'service'])('is built by the same instructions in containers/%s', (image) => {
    const named = /amd64|arm64|x86|x64|aarch|--platform|linux-/i;
    const lines = read(`containers/${image}/Dockerfile`).split('\n');
    expect(lines.filter((line) => named.test(line) && !line.startsWith('#'))).toEqual([]);
  });
});

describe.each([
  {
    image: 'media',
    ignoreFile: '.dockerignore',
    entries: ['containers/media/server.ts', ...OPERATIONS],
  },
  {
    image: 'service',
    ignoreFile: 'containers/service/Dockerfile.dockerignore',
    entries: [
      ...['containers/media/server.ts', ...OPERATIONS, 'scripts/serve.ts', ...COMMANDS],
      'containers/service/health.mjs',
    ],
  },
])('the image in containers/$image', ({ image, ignoreFile, entries }) => {
  const folder = `containers/${image}`;
  const { copied, ignored, isInImage } = context(`${folder}/Dockerfile`, ignoreFile);

  it('copies only files that exist', () => {
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(copied.filter((path) => ignored.includes(path))).toEqual([]);
  });

  it('contains every file that its programs and their child programs import', () => {
    expect(entries.length).toBeGreaterThan(8);
    const all = entries.flatMap((path) => [...needed(path)]);
    expect(all).toContain('containers/media/operations/pdf/recode-images.ts');
    expect(all).toContain('containers/media/operations/pdf/process/document-process.ts');
    expect(all).toContain('containers/media/operations/image/process/image-process.ts');
    expect(all).toContain('src/core/errors.ts');
    expect(all.filter((path) => !isInImage(path))).toEqual([]);
  });

  it('contains no test', () => {
    const tests = globSync('{containers,scripts,src}/**/*.test.{ts,tsx}');
    expect(tests.length).toBeGreaterThan(20);
    expect(tests.filter(isInImage)).toEqual([]);
  });

  it('installs the packages that its code imports, in the versions of the root lock file', () => {
    const { dependencies } = JSON.parse(read(`${folder}/package.json`));
    expect(Object.keys(dependencies)).toContain('sharp');
    const imported = entries.flatMap((path) => [...needed(path)]).flatMap(packagesOf);
    expect(imported).toContain('ipaddr.js');
    expect(imported.filter((name) => !(name in dependencies))).toEqual([]);
    const own = JSON.parse(read(`${folder}/package-lock.json`)).packages;
    const root = JSON.parse(read('package-lock.json')).packages;
    const paths = Object.keys(own).filter((path) => path !== '');
    expect(paths).toContain('node_modules/@img/sharp-libvips-linux-x64');
    expect(paths.filter((path) => own[path].version !== root[path].version)).toEqual([]);
    const names = paths.map((path) => path.slice(path.lastIndexOf('node_modules/') + 13));
    expect(names.filter((name) => /vite|rolldown|babel|esbuild|wrangler/.test(name))).toEqual([]);
    expect(names.length).toBeLessThan(90);
  });
});
