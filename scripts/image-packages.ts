/** The npm packages in the image of the media worker: those that its code imports, as the root lock file has them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  version: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

/** A package in a lock file (lockfileVersion 3). */
export interface LockedPackage {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** Packages by their path, such as `node_modules/sharp`. */
export type LockedPackages = Record<string, LockedPackage>;

/** Started as programs or found by name, not imported by the server. */
const ENTRIES = [
  'containers/media/server.ts',
  'containers/media/operations/*/*.{operation,work}.ts',
  'containers/media/operations/*/process/*-process.ts',
];

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
export const lockedPackages: LockedPackages = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;

/** The packages that the Worker, the site and the media worker need together. */
export const productionDependencies: readonly string[] = Object.keys(manifest.dependencies);

/** The packages that the media worker imports. */
export const imageDependencies = (): string[] => importedPackages(globSync(ENTRIES));

/** The package.json and the package-lock.json of the image, by their path. */
export function imageManifests(): Record<string, string> {
  const names = imageDependencies();
  const root = {
    name: 'tools-media',
    version: manifest.version,
    license: manifest.license,
    private: true,
    type: 'module',
    engines: manifest.engines,
    dependencies: Object.fromEntries(names.map((name) => [name, manifest.dependencies[name]])),
  };
  const { name, version, license, engines, dependencies } = root;
  const packages: Record<string, unknown> = {
    '': { name, version, license, dependencies, engines },
  };
  for (const path of closure(names)) {
    const { dev: _, devOptional, ...entry } = lockedPackages[path]!;
    packages[path] = devOptional ? { ...entry, optional: true } : entry;
  }
  const lock = { name, version, lockfileVersion: 3, requires: true, packages };
  return {
    'containers/media/package.json': `${JSON.stringify(root, null, 2)}\n`,
    'containers/media/package-lock.json': `${JSON.stringify(lock, null, 2)}\n`,
  };
}

/** The names of the packages that these files import, directly or through other files, in order. */
function importedPackages(files: string[]): string[] {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, target] of text.matchAll(
      /(?:\bfrom |\bimport |\bimport\(|\bresolve\()'([^'\s]+)'/g,
    )) {
      if (target!.startsWith('.')) waiting.push(join(dirname(file), target!));
      else if (packageOf(target!) in manifest.dependencies) packages.add(packageOf(target!));
    }
  }
  return [...packages].sort();
}

/** The package in an import such as `@scope/name/file.json`. */
const packageOf = (target: string): string =>
  target.split('/', target.startsWith('@') ? 2 : 1).join('/');

/** The paths of these packages of the root and of everything that they depend on, in the order of the lock file. */
export function closure(names: readonly string[]): string[] {
  const paths = new Set<string>();
  const waiting = names.map((name) => `node_modules/${name}`);
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (paths.has(path)) continue;
    paths.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      lockedPackages[path]!;
    const needed = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    for (const name of Object.keys(needed)) {
      if (peerDependenciesMeta?.[name]?.optional) continue;
      const found = find(path, name);
      if (found) waiting.push(found);
    }
  }
  return Object.keys(lockedPackages).filter((path) => paths.has(path));
}

/** The path of the package that Node finds under this name from `path`, or undefined. */
function find(path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const candidate = `${folder}/node_modules/${name}`;
    if (candidate in lockedPackages) return candidate;
    if (!folder.includes('/node_modules/')) break;
  }
  const top = `node_modules/${name}`;
  return top in lockedPackages ? top : undefined;
}
