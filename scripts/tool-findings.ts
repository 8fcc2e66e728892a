/** Lists the tools' missing or incorrect files and values, and where to fix them. Does not need a running service. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tool } from '../src/core/define-tool.ts';
import { SAMPLE_FILES } from '../test/content/sample-files.ts';
import { MCP_TOOLS } from '../test/contract/contract-tools.ts';
import { isIcon } from './site-icons.ts';
import { documentFindings } from './tool-document-findings.ts';
import { constantOf, toolFolders } from './tool-registry.ts';

/** The placeholder that the author of a tool must replace in scaffolded files. */
export const PLACEHOLDER = 'FILL IN';

const OPERATIONS = 'containers/media/operations';

/**
 * Returns one line per finding. Each line starts with the location: `src/tools/NAME/sample.ts is missing: …`.
 */
export async function toolFindings(): Promise<string[]> {
  const findings = await Promise.all(toolFolders().map(findingsOf));
  return [...findings.flat(), ...(await sharedValues()), ...unusedOperations(), ...placeholders()];
}

async function findingsOf(name: string): Promise<string[]> {
  const folder = `src/tools/${name}`;
  const definition = `${folder}/${name}.ts`;
  const findings = missingFiles(name);
  if (!existsSync(definition)) return findings;
  const tool = await exported<Tool>(definition, constantOf(name));
  if (typeof tool === 'string') return [...findings, tool];
  findings.push(...definitionFindings(tool, name).map((finding) => `${definition}: ${finding}`));
  findings.push(...operationFindings(definition));
  const document = `${folder}/${name}.md`;
  if (existsSync(document)) {
    const markdown = readFileSync(document, 'utf8');
    findings.push(
      ...documentFindings(markdown, tool.run !== undefined).map(
        (finding) => `${document}: ${finding}`,
      ),
    );
  }
  const sample = `${folder}/sample.ts`;
  if (existsSync(sample)) findings.push(...(await sampleFindings(sample, tool)));
  return findings;
}

function missingFiles(name: string): string[] {
  const folder = `src/tools/${name}`;
  const hasOperation = globSync(`${OPERATIONS}/*/${name}.{operation,work}.ts`).length > 0;
  const tests = [`${folder}/${name}.test.ts`, `${folder}/${name}.media.test.ts`];
  const needed: [paths: string[], what: string][] = [
    [[`${folder}/${name}.ts`], 'the tool definition'],
    [hasOperation ? tests.reverse() : tests, 'the test of the tool'],
    [[`${folder}/${name}.md`], 'the tool document (docs/content.md)'],
    [[`${folder}/sample.ts`], 'the sample call (test/support/sample.ts)'],
  ];
  return needed
    .filter(([paths]) => !paths.some((path) => existsSync(path)))
    .map(([[path], what]) => `${path} is missing: ${what}.`);
}

/** Returns the module's export of this name, or a finding. */
async function exported<Value extends object>(path: string, name: string): Promise<Value | string> {
  try {
    const module = await import(pathToFileURL(resolve(path)).href);
    return module[name] ?? `${path} does not export ${name}.`;
  } catch (error) {
    return `${path} cannot be loaded: ${String(error)}.`;
  }
}

/** Finds titles and icons that more than one tool uses. */
async function sharedValues(): Promise<string[]> {
  const loaded = await Promise.all(
    toolFolders()
      .map((name) => [name, `src/tools/${name}/${name}.ts`] as const)
      .filter(([, path]) => existsSync(path))
      .map(async ([name, path]) => exported<Tool>(path, constantOf(name))),
  );
  const tools = loaded.filter((tool) => typeof tool !== 'string');
  return (['title', 'icon'] as const).flatMap((field) =>
    tools.flatMap((tool) => {
      const other = tools.find((each) => each !== tool && each[field] === tool[field]);
      if (!other) return [];
      return `src/tools/${tool.name}/${tool.name}.ts: \`${field}\` is already used by ${other.name}. Choose a different one.`;
    }),
  );
}

const NEEDED = ['title', 'shortName', 'kind', 'icon', 'description', 'surfaces'] as const;

function definitionFindings(tool: Tool, name: string): string[] {
  const findings = NEEDED.filter((field) => !tool[field]).map(
    (field) => `\`${field}\` is missing (src/core/define-tool.ts).`,
  );
  if (findings.length > 0) return findings;
  if (tool.name !== name) findings.push(`\`name\` is "${tool.name}", but its folder is "${name}".`);
  if (!isIcon(tool.icon)) findings.push('`icon` is not the name of a Lucide icon.');
  if (tool.shortName.split(' ').length > 3) findings.push('`shortName` has more than three words.');
  if (tool.surfaces.includes('mcp') !== MCP_TOOLS.includes(name)) {
    findings.push(
      `\`surfaces\` must ${MCP_TOOLS.includes(name) ? '' : 'not '}list "mcp": /api/mcp offers exactly the tools of test/contract/contract-tools.ts.`,
    );
  }
  if (tool.surfaces.includes('mcp') !== (tool.domain !== null)) {
    findings.push('`domain` must be an MCP domain if `surfaces` lists "mcp", otherwise null.');
  }
  if (tool.output && tool.produces && !tool.jsonOrFile) {
    findings.push('`jsonOrFile` must say when the result is JSON and when it is a file.');
  }
  if (tool.run) findings.push(...exampleFindings(tool));
  else if (
    !existsSync(`src/tools/${name}/in-browser.ts`) &&
    !existsSync(`src/site/browser-tools/${name.replaceAll('_', '-')}.tsx`)
  ) {
    findings.push(
      '`run` is missing. Define it here, or in in-browser.ts if the tool runs in the browser.',
    );
  }
  return findings;
}

function exampleFindings({ example, input, files, check }: Tool): string[] {
  if (!example) return ['`example` is missing.'];
  const { parameters, files: named = [] } = example;
  const findings = countFindings('`example.files`', named.length, files);
  try {
    if (parameters) check?.(input.parse(parameters) as never);
  } catch (error) {
    findings.push(`\`example.parameters\` are invalid: ${(error as Error).message}`);
  }
  if (parameters === undefined && named.length === 0) findings.push('`example` is empty.');
  return findings;
}

function countFindings(what: string, count: number, files: Tool['files']): string[] {
  const { min, max } = files ?? { min: 0, max: 0 };
  if (count >= min && count <= max) return [];
  return [`${what}: the number of files must be from ${min} to ${max}, but is ${count}.`];
}

/** Finds calls to operations that do not exist. */
function operationFindings(definition: string): string[] {
  const called = readFileSync(definition, 'utf8').matchAll(/media\.run\(\s*'(\w+)'/g);
  const names = new Set([...called].map(([, name]) => name!));
  return [...names]
    .filter((name) => globSync(`${OPERATIONS}/*/${name}.{operation,work}.ts`).length !== 1)
    .map(
      (name) =>
        `${OPERATIONS}/image/${name}.work.ts is missing: the operation that ${definition} calls.`,
    );
}

function unusedOperations(): string[] {
  return globSync(`${OPERATIONS}/*/*.{operation,work}.ts`)
    .filter((path) => !existsSync(`src/tools/${/\/(\w+)\.\w+\.ts$/.exec(path)![1]}`))
    .map((path) => `${path}: no tool has this name.`);
}

async function sampleFindings(path: string, tool: Tool): Promise<string[]> {
  const sample = await exported<Record<string, unknown>>(path, 'sample');
  if (typeof sample === 'string') return [sample];
  const { files = [], parameters } = sample as { files?: string[]; parameters?: object };
  const findings = countFindings('`files`', files.length, tool.files);
  const known: readonly string[] = SAMPLE_FILES;
  findings.push(
    ...files
      .filter((name) => !known.includes(name))
      .map((name) => `"${name}" is not a sample file (docs/content.md).`),
  );
  if (!sample.shows) findings.push("`shows` is missing: set it to text on the tool's page.");
  if (tool.run && !sample.result)
    findings.push('`result` is missing: set it to the result over REST and MCP.');
  if (tool.run && parameters) {
    const { error } = tool.input.safeParse(parameters);
    if (error) findings.push(`\`parameters\` are invalid: ${error.message}`);
  }
  return findings.map((finding) => `${path}: ${finding}`);
}

function placeholders(): string[] {
  return globSync(['src/tools/*/*', `${OPERATIONS}/*/*.ts`])
    .sort()
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          line.includes(PLACEHOLDER) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
}

if (import.meta.main) {
  const findings = await toolFindings();
  for (const finding of findings) console.log(finding);
  process.exit(findings.length > 0 ? 1 : 0);
}
