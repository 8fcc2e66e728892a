/**
 * Generates the client and CLI files that are derived from the tool definitions. The files are gitignored; the checks,
 * the tests and `npm pack` generate them first.
 */
import { existsSync, readFileSync } from 'node:fs';
import { TOOLS } from '../src/tools/registry.ts';
import { sharedTypes, toolTypes } from './client-types.ts';
import { commandTools } from './command-tools.ts';
import { replaceFile } from './replace-file.ts';

export function writeClientFiles(): void {
  const files = {
    'src/client/tool-types.gen.ts': toolTypes(TOOLS),
    'src/client/shared-types.gen.ts': sharedTypes(),
    'src/command/tools.gen.json': commandTools(TOOLS),
  };
  for (const [path, content] of Object.entries(files)) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== content) replaceFile(path, content);
  }
}

if (import.meta.main) writeClientFiles();
