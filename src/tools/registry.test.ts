import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { prepare } from '../execute/execute.ts';
import { findTool } from './find-tool.ts';
import { TOOLS } from './registry.ts';

const published = (name: string) =>
  z.toJSONSchema(findTool(name)?.input as z.ZodObject, { io: 'input' }) as {
    required?: string[];
    properties: Record<string, Record<string, unknown>>;
  };

describe('the tool registry', () => {
  it('finds every tool by its exact name and no other', () => {
    for (const tool of TOOLS) expect(findTool(tool.name)).toBe(tool);
    expect(findTool('toString')).toBeUndefined();
  });

  it('has input and output schemas that can be published', () => {
    for (const tool of TOOLS) {
      const { properties } = published(tool.name);
      expect(Object.keys(properties)).toEqual(Object.keys(tool.input.shape));
      for (const [name, schema] of Object.entries(properties)) {
        expect([name, schema]).toEqual([
          name,
          expect.objectContaining({ type: expect.anything() }),
        ]);
        expect([name, schema]).toEqual([
          name,
          expect.objectContaining({ description: expect.anything() }),
        ]);
      }
      if (tool.output) z.toJSONSchema(tool.output, { io: 'output' });
    }
  });

  it('has example results that match the schemas of the results', () => {
    for (const { name, output, example } of TOOLS) {
      if (example?.result)
        expect([name, output?.parse(example.result)]).toEqual([name, example.result]);
    }
  });

  it('publishes limits and defaults, even if a wrong value is replaced instead of rejected', () => {
    expect(published('format_json')).toMatchObject({
      required: ['json'],
      properties: { indent: { type: 'integer', minimum: 0, maximum: 10, default: 2 } },
    });
    expect(published('generate_fake_data')).toMatchObject({
      required: ['type'],
      properties: { count: { type: 'number', minimum: 1, maximum: 100, default: 1 } },
    });
    expect(published('generate_qr_code')).toMatchObject({
      required: ['text'],
      properties: {
        size: { type: 'number', minimum: 21, maximum: 4096, default: 300 },
        errorCorrection: { type: 'string', enum: ['L', 'M', 'Q', 'H'], default: 'M' },
      },
    });
    expect(published('calculate_percentage')).toMatchObject({
      required: ['operation', 'value1', 'value2'],
      properties: { operation: { enum: ['of', 'increase', 'decrease', 'change'] } },
    });
  });

  it('marks tools as untrusted if they fetch pages or read the text of files', () => {
    const readers = TOOLS.filter(({ output, files, needs, untrusted }) => {
      const readsFiles = files !== undefined && Object.hasOwn(output?.shape ?? {}, 'text');
      return untrusted || readsFiles || needs.includes('egress');
    });
    expect(readers.map(({ name, untrusted }) => [name, untrusted]).sort()).toEqual([
      ['extract_text_ocr', true],
      ['fetch_page_metadata', true],
      ['fetch_site_logo', true],
      ['parse_document', true],
    ]);
  });
});

describe('a tool that runs only in the browser', () => {
  const browserTools = TOOLS.filter(({ run, surfaces }) => !run || surfaces.length === 0);

  it.each(browserTools.map(({ name }) => name))(
    '%s returns 501 with a link to its page, and is in no MCP domain',
    (name) => {
      const tool = findTool(name)!;
      const call = () => prepare(tool, { parameters: {}, files: [], surface: 'rest' });
      expect(call).toThrow(
        expect.objectContaining({
          status: 501,
          code: 'tool_unsupported',
          message: expect.stringContaining(`/tools/${name}`),
        }),
      );
      expect(tool).toMatchObject({ surfaces: [], domain: null });
      expect(tool.run).toBeUndefined();
    },
  );
});
