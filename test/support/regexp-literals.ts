/** Parses source files and finds their regular expressions: literals, `RegExp(…)` and `new RegExp(…)`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export interface RegexpLiteral {
  path: string;
  source: string;
  flags: string;
}

export interface RegexpCall {
  path: string;
  /** The source code of the call. */
  code: string;
}

/** Returns the paths of the source files in a folder and its subfolders, excluding tests and samples. */
export const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|m?js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.test.') && !path.endsWith('/sample.ts'));

/** Returns the regular expressions in a file. */
export function regexpsOf(path: string, code = readFileSync(path, 'utf8')) {
  const literals: RegexpLiteral[] = [];
  const calls: RegexpCall[] = [];
  const { program, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      literals.push({ path, source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: takeCall,
    CallExpression: takeCall,
  }).visit(program);
  return { literals, calls };

  function takeCall(node: { callee: { type: string }; start: number; end: number }): void {
    if (!('name' in node.callee) || node.callee.name !== 'RegExp') return;
    calls.push({ path, code: code.slice(node.start, node.end) });
  }
}
