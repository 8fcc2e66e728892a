/**
 * Tests that the files of a new tool import only names that exist. test/long/new-tool.test.ts tests the whole scaffold.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileToolFiles } from './file-tool.ts';
import { textToolFiles } from './text-tool.ts';

const tool = { name: 'new_tool', constant: 'newTool', title: 'New tool', shortName: 'New tool' };
const IMPORT = /import (?:type )?\{([^}]*)\} from '(\.[^']*)'/g;

/** Returns each import from a module of the project: the importing file, the module and the imported name. */
function importsOf(files: Record<string, string>): [file: string, module: string, name: string][] {
  return Object.entries(files).flatMap(([file, content]) =>
    [...content.matchAll(IMPORT)].flatMap(([, names, path]) =>
      names!
        .split(',')
        .map((name) => name.replace('type ', '').trim())
        .map((name): [string, string, string] => [file, join(dirname(file), path!), name]),
    ),
  );
}

describe.each([
  ['on text', textToolFiles(tool)],
  ['on files', fileToolFiles(tool)],
])('a new tool that works %s', (_, files) => {
  it('imports only names that exist', () => {
    const imports = importsOf(files).filter(([, module]) => !Object.hasOwn(files, module));
    expect(imports.length).toBeGreaterThan(3);
    for (const [file, module, name] of imports) {
      const exported = new RegExp(`^export .*\\b${name}\\b`, 'm');
      expect(readFileSync(module, 'utf8'), `${file} imports ${name}`).toMatch(exported);
    }
  });
});
