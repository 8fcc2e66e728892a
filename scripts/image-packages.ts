/** Finds the npm packages that the code of each image imports, at the versions in the root lock file. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  version: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
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

/** Packages by path, such as `node_modules/sharp`. */
export type LockedPackages = Record<string, LockedPackage>;

interface Image {
  name: string;
  folder: string;
  entries: readonly string[];
  /** Files that run only while the image is being built. Their imports are ignored. */
  notInside: readonly string[];
}

/** The server, and the entry points that it does not import, but starts as programs or loads by name. */
const MEDIA_ENTRIES = [
  'containers/media/server.ts',
  'containers/media/operations/*/*.{operation,work}.ts',
  'containers/media/operations/*/process/*-process.ts',
];

const MEDIA_IMAGE: Image = {
  name: 'tools-media',
  folder: 'containers/media',
  entries: MEDIA_ENTRIES,
  notInside: [],
};

const SERVICE_IMAGE: Image = {
  name: 'tools-service',
  folder: 'containers/service',
  entries: [...MEDIA_ENTRIES, 'scripts/{serve,key,admin,backup,restore}.ts'],
  notInside: ['scripts/build.ts'],
};

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
export const lockedPackages: LockedPackages = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;

/** The packages that the Worker, the site and the media worker need together. */
export const productionDependencies: readonly string[] = Object.keys(manifest.dependencies);

/** Includes Miniflare, the only development dependency that the service's image needs. It runs workerd. */
const installable: Record<string, string> = {
  ...manifest.dependencies,
  miniflare: manifest.devDependencies.miniflare!,
};

/** Returns the packages that the media worker imports. */
export const mediaDependencies = (): string[] => importedPackages(MEDIA_IMAGE);

/** Returns the packages that the service imports outside the bundled Worker. */
export const serviceDependencies = (): string[] => importedPackages(SERVICE_IMAGE);

/** Returns the package.json and the package-lock.json of each image, by path. */
export const imageManifests = (): Record<string, string> => ({
  ...manifestsOf(MEDIA_IMAGE),
  ...manifestsOf(SERVICE_IMAGE),
});

function manifestsOf(image: Image): Record<string, string> {
  const names = importedPackages(image);
  const root = {
    name: image.name,
    version: manifest.version,
    license: manifest.license,
    private: true,
    type: 'module',
    engines: manifest.engines,
    dependencies: Object.fromEntries(names.map((name) => [name, installable[name]])),
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
    [`${image.folder}/package.json`]: `${JSON.stringify(root, null, 2)}\n`,
    [`${image.folder}/package-lock.json`]: `${JSON.stringify(lock, null, 2)}\n`,
  };
}

/** Returns the sorted names of the packages that the files import, directly or transitively. */
function importedPackages({ entries, notInside }: Image): string[] {
  const seen = new Set<string>(notInside);
  const packages = new Set<string>();
  const waiting = globSync(entries);
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, target] of text.matchAll(
      /(?:\bfrom |\bimport |\bimport\(|\bresolve\()'([^'\s]+)'/g,
    )) {
      if (target!.startsWith('.')) waiting.push(join(dirname(file), target!));
      else if (packageOf(target!) in installable) packages.add(packageOf(target!));
    }
  }
  return [...packages].sort();
}

/** Returns the package name in an import such as `@scope/name/file.json`. */
const packageOf = (target: string): string =>
  target.split('/', target.startsWith('@') ? 2 : 1).join('/');

/** Returns the paths of these root packages and of all their transitive dependencies, in the order of the lock file. */
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

/** Returns the path of the package to which Node resolves `name` from `path`, or undefined. */
function find(path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const candidate = `${folder}/node_modules/${name}`;
    if (candidate in lockedPackages) return candidate;
    if (!folder.includes('/node_modules/')) break;
  }
  const top = `node_modules/${name}`;
  return top in lockedPackages ? top : undefined;
}
