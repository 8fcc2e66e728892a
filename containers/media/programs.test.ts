import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { findProgram, findSystemProgram } from './programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-path-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

/** Creates a folder that contains an executable `qpdf`. */
function withProgram(...path: string[]): string {
  const made = join(folder, ...path);
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, 'qpdf'), '#!/bin/sh\n');
  chmodSync(join(made, 'qpdf'), 0o755);
  return made;
}

describe('the lookup of a program', () => {
  const installed = withProgram('bin');

  it.each([
    ['a node_modules/.bin', withProgram('node_modules', '.bin')],
    [
      'a node_modules/.bin in another notation',
      `${withProgram('node_modules', '.bin')}/../../node_modules//.bin/`,
    ],
    ['an installed package', withProgram('node_modules', 'package', 'bin')],
    ['a relative folder', relative(process.cwd(), withProgram('other'))],
    ['an empty entry', ''],
    ['the working directory', '.'],
  ])('ignores %s', (_, entry) => {
    vi.stubEnv('PATH', entry);
    expect(findProgram('qpdf')).toBeUndefined();
    vi.stubEnv('PATH', `${entry}:${installed}`);
    expect(findProgram('qpdf')).toBe(join(installed, 'qpdf'));
  });

  it('uses only system folders for programs that confine others', () => {
    vi.stubEnv('PATH', installed);
    expect(findSystemProgram('qpdf')).not.toBe(join(installed, 'qpdf'));
    expect(findSystemProgram('sh')).toMatch(/^\/(usr\/)?bin\/sh$/);
  });
});
