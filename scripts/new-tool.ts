/**
 * `npm run new-tool NAME [--file]` creates the files of a new tool, updates generated files and lists the placeholders
 * to fill in.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileToolFiles } from './scaffold/file-tool.ts';
import { textToolFiles } from './scaffold/text-tool.ts';
import { constantOf } from './tool-registry.ts';

// npm parses options that do not follow `--`, and passes them on as npm_config_… variables.
const given = process.env.npm_config_file;
const words = [...process.argv.slice(2), ...(given && given !== 'true' ? [given] : [])];
const isFileTool = given !== undefined || words.includes('--file');
const name = words.find((word) => word !== '--file') ?? '';

if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name)) {
  console.error(
    'Pass a tool name that consists of a verb and a noun: npm run new-tool rotate_image --file',
  );
  process.exit(1);
}
if (existsSync(`src/tools/${name}`)) {
  console.error(`src/tools/${name} already exists.`);
  process.exit(1);
}

const title = name.replaceAll('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase());
const shortName = title.split(' ').slice(0, 3).join(' ');
const tool = { name, constant: constantOf(name), title, shortName };
const files = isFileTool ? fileToolFiles(tool) : textToolFiles(tool);
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  console.log(`${path} written`);
}
const run = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'inherit' });
spawnSync('biome', ['check', '--write', ...Object.keys(files)]);
run('node', 'scripts/gen.ts');
console.log(
  '\nThe tool works and its tests pass. Fill in the following (npm run check lists it too):\n',
);
run('node', 'scripts/tool-findings.ts');
