/**
 * Checks that each tool is defined in its folder, and that every list and count of tools is derived from these
 * definitions.
 */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../scripts/content/sources.ts';
import { withGeneratedParts } from '../scripts/generated-parts.ts';
import { QUOTAS } from '../src/access/api-keys.ts';
import { toolCounts } from '../src/catalogue/counts.ts';
import { toolsByKind } from '../src/catalogue/kinds.ts';
import { KINDS } from '../src/core/define-tool.ts';
import { TOOLS } from '../src/tools/registry.ts';
import { SAMPLE_FILES } from './content/sample-files.ts';

/** Source files outside a tool's folder that may contain the tool's name, each with the reason. */
const NAMING: Record<string, string> = {
  'src/client/client.ts': 'a function that stores a file',
  'src/command/run-command.ts': 'a command that stores a file',
  'scripts/reference/endpoint-examples.ts': 'the examples of the API reference',
  'scripts/reference/first-call.ts': 'the first call that developers see',
  'scripts/reference/tool-responses.ts': 'the responses to examples of the API reference',
  'scripts/how-to-images.ts': 'draws the results that how-tos show',
  'scripts/serve.ts': 'makes one call to warm up',
  'src/execute/chain-steps.ts': 'an error message shows a chain',
  'src/site/browser-tools/panels.ts': 'the panels of the tools that run in the browser',
  'src/catalogue/kinds.ts': 'the tools that are used most',
  'src/mcp/agent/agent-calls.ts': 'two tools have another name or a warning for agents',
  'src/site/chain/steps.ts': 'a step of the page that stores a file',
  'src/site/chain/step-cautions.ts': 'some tools need advice after others',
  'src/site/chain/templates.ts': 'the templates of the page',
  'src/site/chain/last-result.tsx': 'a QR code is scanned, any other result is read',
  'src/site/client/parts/api.ts': 'the upload that several pages make',
  'src/site/home/replaces.tsx': 'the programs that tools replace',
  'src/site/client/parts/arranged-pages.ts': 'pages of a file to merge are arranged by a split',
  'src/mcp/call-tool.ts': 'an error names where a tool is that MCP lacks',
  'src/execute/shown-image.ts': 'reduces an image with an operation of the same name',
  'src/site/content/how-to-images.ts': 'the how-tos whose images show a result',
  'src/content/llms-text.ts': 'an example request',
  'src/site/images/draw.ts': 'draws the icons of the site with an operation',
};

const NAMES = TOOLS.map(({ name }) => name).join('|');
const NAMED = new RegExp(`['"\`](?:${NAMES})['"\`]|^\\s*(?:${NAMES}):`, 'm');

describe('a tool', () => {
  it('is named by no source outside its folder, except listed files that use a single tool', () => {
    const sources = globSync(['src/**/*.{ts,tsx,js}', 'scripts/**/*.{ts,mjs}']).filter(
      (path) => !/^src\/tools\/|\.(?:test|gen)\.tsx?$/.test(path),
    );
    expect(sources.length).toBeGreaterThan(300);
    const naming = sources.filter((path) => NAMED.test(readFileSync(path, 'utf8')));
    expect(naming.filter((path) => !Object.hasOwn(NAMING, path))).toEqual([]);
    expect(Object.keys(NAMING).filter((path) => !naming.includes(path))).toEqual([]);
  });

  it('is listed once under the heading of its kind', () => {
    const listed = toolsByKind().flatMap(([, tools]) => tools.map(({ name }) => name));
    expect(listed.toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
    expect(toolsByKind().map(([heading]) => heading)).toEqual(Object.values(KINDS));
  });

  it('has a unique icon and title', () => {
    for (const field of ['icon', 'title'] as const) {
      const values = TOOLS.map((tool) => tool[field]);
      expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
    }
  });
});

describe('a document', () => {
  it('counts the tools only in generated parts', () => {
    const { all, api, mcp, browser } = toolCounts();
    expect(api + browser).toBe(all);
    const words = 'twenty-eight|thirty|thirty-six|six';
    const count = new RegExp(`\\b(?:${all}|${api}|${mcp}|${words}) (?:developer )?tools\\b`, 'i');
    const documents = globSync(['*.md', 'docs/*.md', 'src/site/docs/*.md', 'src/content/**/*.md']);
    expect(documents.length).toBeGreaterThan(40);
    const byHand = documents.filter((path) =>
      count.test(readFileSync(path, 'utf8').replace(/<!-- (tool[^>]*?) -->.*?<!-- \/\1 -->/gs, '')),
    );
    expect(byHand).toEqual([]);
  });

  it('lists the daily quotas of both kinds of keys', () => {
    const start = readDocuments().find(({ path }) => path === '/docs')!.markdown;
    for (const { requestsPerDay } of Object.values(QUOTAS))
      expect(start).toContain(`${requestsPerDay.toLocaleString('en')} with a`);
  });

  it('is refused if it names an unknown generated part or leaves one open', () => {
    expect(withGeneratedParts('a.md', '<!-- tools over MCP -->7<!-- /tools over MCP -->')).toBe(
      `<!-- tools over MCP -->${toolCounts().mcp}<!-- /tools over MCP -->`,
    );
    for (const text of ['<!-- tool counts -->', '<!-- nonsense -->1<!-- /nonsense -->']) {
      expect(() => withGeneratedParts('a.md', text)).toThrow('a.md: <!-- ');
    }
  });

  it('lists every sample file', () => {
    const documented = readFileSync('docs/content.md', 'utf8');
    expect(SAMPLE_FILES.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});
