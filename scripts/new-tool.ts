/** Lays out a new tool: its definition, its test, its document, its line in the registry. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const REGISTRY = 'src/tools/registry.ts';

const name = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name)) {
  console.error(
    'Name the tool as on the wire, in lower case with underscores: npm run new-tool rotate_image',
  );
  process.exit(1);
}
const folder = join('src', 'tools', name);
if (existsSync(folder)) {
  console.error(`${folder} exists already.`);
  process.exit(1);
}
const constant = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const title = name.replaceAll('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase());

mkdirSync(folder);
writeFileSync(join(folder, `${name}.ts`), definition());
writeFileSync(join(folder, `${name}.test.ts`), test());
writeFileSync(join(folder, `${name}.md`), documentText());
register();
spawnSync('biome', ['check', '--write', folder, REGISTRY], { stdio: 'inherit' });
console.log(
  `${folder} is laid out and registered. Its test fails until it is written: describe what it does first.`,
);

function definition(): string {
  return `/** ${name}: what it does, and the specification it follows. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';

export const ${constant} = defineTool({
  name: '${name}',
  title: '${title}',
  domain: 'dev',
  description: 'What it does, when to use it, what it returns, the limits that matter.',
  input: z.strictObject({
    text: z.string().describe('What it works on.'),
  }),
  output: z.object({ text: z.string() }),
  example: { parameters: { text: 'input' } },
  access: 'anyone',
  limits: [],
  doors: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: [],
  run({ text }) {
    return json({ text });
  },
});
`;
}

function test(): string {
  return `import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { ${constant} } from './${name}.ts';

describe('${name}', () => {
  it('does what its description says', async () => {
    const { value } = await runTool(${constant}, { text: 'input' });
    expect(value.text).toBe('the expected output');
  });
});
`;
}

/** The form that docs/content.md describes. */
function documentText(): string {
  const today = new Date().toISOString().slice(0, 10);
  return `---
title: ${title}
description: One sentence on what it is for.
tags: [${name.replaceAll('_', ', ')}]
publishedAt: ${today}
updatedAt: ${today}
---
What it is.

## When to use it

## Parameters

<!-- parameters -->

## Examples

### Three of them, which the tests run

\`\`\`json call
{"tool":"${name}","parameters":{"text":"input"}}
\`\`\`

\`\`\`json result
{ "text": "input" }
\`\`\`

## Limits

<!-- limits -->

## Errors

## When another tool is better
`;
}

function register(): void {
  const source = readFileSync(REGISTRY, 'utf8');
  const imported = source.replace(
    /(\n\nexport const TOOLS)/,
    `\nimport { ${constant} } from './${name}/${name}.ts';$1`,
  );
  writeFileSync(REGISTRY, imported.replace(/\n\];/, `\n  ${constant},\n];`));
}
