/** Everything that the Dockerfile copies exists, and .dockerignore includes it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const copied = [
  ...read('containers/media/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm),
].flatMap(([, sources]) => sources!.split(' '));

const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Whether a file of the repository reaches the image. */
const isInImage = (path: string) =>
  copied.some((source) => path === source || path.startsWith(`${source}/`)) &&
  !ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));

/** The files that a module needs, including itself: by import, or by a path beside it. */
function needed(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  const text = read(path);
  const imports = [...text.matchAll(/(?:from|import) '(\.{1,2}\/[^']+)'/g)];
  const started = [...text.matchAll(/join\(import\.meta\.dirname, '([^']+\.ts)'\)/g)];
  for (const [, target] of [...imports, ...started]) {
    needed(relative(ROOT, resolve(ROOT, dirname(path), target!)), known);
  }
  return known;
}

describe('the image of the media worker', () => {
  it('copies what is there', () => {
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(copied.filter((path) => ignored.includes(path))).toEqual([]);
  });

  it('holds every file that the server and the programs it starts import', () => {
    const found = globSync('containers/media/operations/*/*.{operation,work}.ts', { cwd: ROOT });
    expect(found.length).toBeGreaterThan(8);
    const all = [
      ...needed('containers/media/server.ts'),
      ...found.flatMap((path) => [...needed(path)]),
    ];
    expect(all).toContain('containers/media/operations/pdf/recode-images.ts');
    expect(all).toContain('containers/media/operations/pdf/process/document-process.ts');
    expect(all).toContain('containers/media/operations/image/process/image-process.ts');
    expect(all).toContain('src/core/errors.ts');
    expect(all.filter((path) => !isInImage(path))).toEqual([]);
  });

  it('holds no test', () => {
    const tests = globSync('{containers,src}/**/*.test.ts', { cwd: ROOT });
    expect(tests.length).toBeGreaterThan(20);
    expect(tests.filter(isInImage)).toEqual([]);
  });

  it('installs the packages that its code imports, in the versions of the root lock file', () => {
    const { dependencies } = JSON.parse(read('containers/media/package.json'));
    expect(Object.keys(dependencies)).toContain('sharp');
    const own = JSON.parse(read('containers/media/package-lock.json')).packages;
    const root = JSON.parse(read('package-lock.json')).packages;
    const paths = Object.keys(own).filter((path) => path !== '');
    expect(paths).toContain('node_modules/@img/sharp-libvips-linux-x64');
    expect(paths.filter((path) => own[path].version !== root[path].version)).toEqual([]);
    // What tools and tests are built with must not travel.
    const names = paths.map((path) => path.slice(path.lastIndexOf('node_modules/') + 13));
    expect(names.filter((name) => /vite|rolldown|babel|esbuild|wrangler/.test(name))).toEqual([]);
    expect(names.length).toBeLessThan(80);
  });
});
