/**
 * Completes package-lock.json after `npm install` against a registry that has only some platforms' packages. npm omits
 * optional packages that the registry lacks, and `npm ci` then rejects the lock file on every platform. The script adds
 * each missing package with its version and platform, so that npm installs the package only on its platform. With
 * --check, it only reports missing packages.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const { packages } = lock;
let added = 0;
for (const [path, entry] of Object.entries(packages)) {
  const names = Object.keys(entry.optionalDependencies ?? {});
  const present = names.map((name) => find(path, name)).filter(Boolean);
  for (const name of names) {
    if (find(path, name)) continue;
    const version = entry.optionalDependencies[name];
    if (!/^\d+\.\d+\.\d+/.test(version))
      throw new Error(`${path} requires ${name} ${version}, which is not an exact version.`);
    const sibling = present.find((other) => packages[other].version === version);
    const folder = sibling
      ? sibling.slice(0, sibling.lastIndexOf('node_modules/') + 'node_modules/'.length)
      : `${path}/node_modules/`;
    packages[folder + name] = {
      version,
      ...platformOf(name),
      optional: true,
      ...(entry.dev && { dev: true }),
    };
    added += 1;
  }
}
if (process.argv.includes('--check')) {
  if (added > 0)
    console.log(`Packages missing from ${FILE}: ${added}. Run: node scripts/complete-lock.mjs`);
  process.exit(added > 0 ? 1 : 0);
}
if (added > 0) {
  const [root, ...others] = Object.entries(packages);
  lock.packages = Object.fromEntries([root, ...others.sort(([a], [b]) => (a < b ? -1 : 1))]);
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`Packages for other platforms added to ${FILE}: ${added}`);

/** Returns the path to which Node resolves `name` from the package at `from`, or undefined. */
function find(from, name) {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/**
 * Extracts the platform from a package name such as `@oxc-parser/binding-linux-arm-gnueabihf` or
 * `@cloudflare/workerd-windows-64`.
 */
function platformOf(name) {
  const words = name
    .split('/')
    .at(-1)
    .replace('windows', 'win32')
    .replace(/-64$/, '-x64')
    .split('-');
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  if (os.length !== 1 && !cpu.includes('wasm32'))
    throw new Error(`The platform of ${name} is unknown.`);
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : undefined;
  return { ...(cpu.length > 0 && { cpu }), ...(os.length > 0 && { os }), ...(libc && { libc }) };
}
