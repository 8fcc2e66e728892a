/**
 * Checks that a newly scaffolded tool works and passes its tests, and that `npm run check` reports every placeholder to
 * fill in.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const copy = mkdtempSync(join(tmpdir(), 'tools-newcomer-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const PATH = `${resolve('node_modules/.bin')}:${process.env.PATH}`;
const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' });
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z']);
execFileSync('tar', ['--null', '--files-from=-', '-cf', join(copy, 'sources.tar')], {
  input: files,
});
execFileSync('tar', ['-xf', 'sources.tar'], { cwd: copy });
rmSync(join(copy, 'sources.tar'));
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
git('init', '-q');
commit();
run('node', 'scripts/static-files.ts');

function commit(): void {
  git('add', '-A');
  git(
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    'commit',
    '--allow-empty',
    '-qm',
    'state',
  );
}

/** Runs a program in the copied repository. Returns its exit status and output. */
function run(program: string, ...args: string[]) {
  const env = { ...process.env, PATH, VITEST: undefined };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env });
  return { status, output: stdout + stderr };
}

const touched = () =>
  git('status', '--porcelain', '-uall')
    .split('\n')
    .filter((line) => /^( M|\?\?)/.test(line));

describe.each([
  ['count_words', [], 7],
  ['rotate_image', ['--file'], 8],
])('the new tool %s', (name, options, count) => {
  it(`changes ${count} files, and its tests, types and format pass`, () => {
    commit();
    expect(run('node', 'scripts/new-tool.ts', name, ...options).status).toBe(0);
    expect(touched()).toHaveLength(count);
    const tests = run('vitest', 'run', `src/tools/${name}`);
    expect(tests.output).toMatch(/Tests\s.*\d+ passed/);
    expect(tests.status).toBe(0);
    for (const project of ['.', 'test', 'containers', 'scripts']) {
      expect(run('tsc', '--noEmit', '-p', project)).toEqual({ status: 0, output: '' });
    }
    expect(run('biome', 'ci', '--error-on-warnings', '.').status).toBe(0);
    expect(run('node', 'scripts/gen.ts', '--check').status).toBe(0);
  });

  it('passes the tests of every surface', () => {
    const surfaces = ['test/contract', 'test/content/documents', 'test/site/every-tool'];
    const { status, output } = run('node', 'scripts/run-tests.ts', ...surfaces, '-t', name);
    expect(status, output).toBe(0);
    expect(Number(/(\d+) passed, 0 failed/.exec(output)?.[1])).toBeGreaterThan(3);
  });

  it('is reported by the check with every placeholder and every missing file', () => {
    const { status, output } = run('node', 'scripts/tool-findings.ts');
    expect(status).toBe(1);
    const placeholders = touched()
      .map((line) => line.slice(3))
      .filter((path) => path.includes(name))
      .flatMap((path) =>
        readFileSync(join(copy, path), 'utf8')
          .split('\n')
          .flatMap((line, index) => (line.includes('FILL IN') ? [`${path}:${index + 1}`] : [])),
      );
    expect(placeholders.length).toBeGreaterThan(10);
    for (const position of placeholders) expect(output).toContain(`${position}: `);

    const paths = touched().map((line) => line.slice(3));
    for (const path of paths.filter((known) => known.includes(name))) {
      const content = readFileSync(join(copy, path));
      rmSync(join(copy, path));
      expect(run('node', 'scripts/tool-findings.ts').output).toContain(`${path} is missing: `);
      writeFileSync(join(copy, path), content);
    }
  });
});
