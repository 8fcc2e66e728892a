/** Every tool through every door that it declares: driven by the registry, so that no tool can be forgotten. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/registry.ts';
import { baseUrl, body, executeForm } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A real two-page PDF, written by Ghostscript. */
function pdf(name: string): File {
  const path = join(folder, name);
  const program = '/Helvetica 24 selectfont 72 700 moveto (A page) show showpage';
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', path, '-c', `${program} ${program}`]);
  return new File([readFileSync(path)], name, { type: 'application/pdf' });
}

interface Sample {
  parameters?: Record<string, unknown>;
  files?: () => File[];
  /** What the answer must be: fields of the JSON result, or the media type of the file. */
  result: Record<string, unknown> | string;
}

const SAMPLES: Record<string, Sample> = {
  calculate_percentage: {
    parameters: { operation: 'increase', value1: 0.1, value2: 10 },
    result: { operation: 'increase', result: 0.11 },
  },
  compare_text: {
    parameters: { text1: 'a\nb', text2: 'a\nc' },
    result: { identical: false, linesCompared: 2, changeCount: 1 },
  },
  decode_base64: { parameters: { encoded: ' aGk ' }, result: { decoded: 'hi' } },
  decode_jwt: {
    parameters: { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.' },
    result: { header: { alg: 'none' }, payload: { sub: 'me' }, signatureVerified: false },
  },
  decode_url: { parameters: { encoded: 'a%20b+c' }, result: { decoded: 'a b+c' } },
  encode_base64: { parameters: { text: 'hi' }, result: { encoded: 'aGk=' } },
  encode_url: { parameters: { url: 'a b/c' }, result: { encoded: 'a%20b%2Fc' } },
  fetch_page_metadata: {
    parameters: { url: 'http://page.test/' },
    result: { title: 'A test page', finalUrl: 'http://page.test/', icons: [], cached: false },
  },
  fetch_site_logo: {
    parameters: { url: 'http://page.test/' },
    result: { title: 'A test page', logo: { source: 'favicon', format: 'svg' }, cached: false },
  },
  format_json: { parameters: { json: '{"a":1}' }, result: { valid: true, minified: '{"a":1}' } },
  generate_fake_data: {
    parameters: { type: 'user', count: 2 },
    result: { type: 'user', count: 2 },
  },
  generate_qr_code: { parameters: { text: 'hi' }, result: { text: 'hi', size: 300 } },
  merge_pdf: { files: () => [pdf('a.pdf'), pdf('b.pdf')], result: 'application/pdf' },
  screenshot_url: {
    parameters: { url: 'http://page.test/', width: 400, height: 300 },
    result: { width: 400, height: 300, format: 'webp', cached: false, source: 'vps' },
  },
  shorten_url: {
    parameters: { url: 'https://example.com/', customCode: `c-${Date.now()}` },
    result: { shortUrl: expect.stringContaining('/c-') },
  },
  split_pdf: {
    parameters: { ranges: ['1'] },
    files: () => [pdf('a.pdf')],
    result: 'application/pdf',
  },
  upload_file: { files: () => [pdf('a.pdf')], result: { filename: 'a.pdf', storage: 'r2' } },
};

const executable = TOOLS.filter((tool) => tool.run);

describe('the REST door', () => {
  it.each(
    executable
      .filter((tool) => tool.doors.includes('rest'))
      .map((tool) => [tool.name, tool] as const),
  )('runs %s', async (name, tool) => {
    const sample = SAMPLES[name];
    if (!sample) throw new Error(`there is no sample call of ${name}`);
    const files = (sample.files?.() ?? []).map((file): [string, Blob, string] => [
      'files',
      file,
      file.name,
    ]);
    const response = await executeForm([
      ['tool', name],
      ['parameters', JSON.stringify(sample.parameters ?? {})],
      ...files,
    ]);
    expect(response.status).toBe(200);
    if (typeof sample.result === 'string') {
      expect(response.headers.get('Content-Type')).toBe(sample.result);
      expect(tool.produces).toContain(sample.result);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
      return;
    }
    const value = await body(response);
    expect(value).toMatchObject(sample.result);
    expect(tool.output?.strict().safeParse(value).error).toBeUndefined();
  });
});

describe('the catalogue', () => {
  it('lists every tool with its schema, and counts them', async () => {
    const catalogue = await body(await fetch(`${baseUrl}/api/v1/tools`));
    expect(catalogue.tools.map((tool: { name: string }) => tool.name)).toEqual(
      TOOLS.map((tool) => tool.name),
    );
    expect(catalogue.count).toBe(TOOLS.length);
    expect(catalogue.executableCount).toBe(executable.length);
    for (const entry of catalogue.tools) {
      expect(Object.keys(entry).sort()).toEqual([
        'description',
        'executable',
        'name',
        'parameters',
      ]);
      expect(entry.parameters.type).toBe('object');
      expect(entry.parameters.properties).toBeTypeOf('object');
    }
  });

  it('holds no tool that is not the contract’s or a browser-only one', () => {
    for (const tool of TOOLS)
      expect(tool.run !== undefined || tool.name === 'hash_text').toBe(true);
  });
});
