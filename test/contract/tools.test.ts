/** Calls every tool through every surface that it declares; the registry drives it, so that no tool is forgotten. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/catalogue/mcp-endpoints.ts';
import { markTexts } from '../../src/lib/untrusted-text.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { accountKey } from '../support/account-key.ts';
import { CLIENTS, type Connected } from '../support/mcp-clients.ts';
import { baseUrl, body, executeForm, stateDir } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A real two-page PDF, written by Ghostscript. */
function pdf(name: string): File {
  const path = join(folder, name);
  const program = '/Helvetica 24 selectfont 72 700 moveto (A page) show showpage';
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', path, '-c', `${program} ${program}`]);
  return new File([readFileSync(path)], name, { type: 'application/pdf' });
}

/** A real image of two halves. */
async function image(name: string): Promise<File> {
  const half = await sharp({ create: { width: 40, height: 60, channels: 3, background: 'teal' } })
    .extend({ right: 40, background: 'orange' })
    .png()
    .toBuffer();
  return new File([new Uint8Array(half)], name, { type: 'image/png' });
}

/** An image of a word, drawn by Ghostscript. */
function word(): File {
  const path = join(folder, 'word.png');
  const program = '/Helvetica 40 selectfont 20 40 moveto (Hello) show showpage';
  execFileSync('gs', ['-q', '-sDEVICE=png16m', '-r150', '-g600x200', '-o', path, '-c', program]);
  return new File([readFileSync(path)], 'word.png', { type: 'image/png' });
}

/** A second of video, made by FFmpeg. */
function clip(): File {
  const path = join(folder, 'clip.mp4');
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=320x240:d=1', path]);
  return new File([readFileSync(path)], 'clip.mp4', { type: 'video/mp4' });
}

interface Sample {
  parameters?: Record<string, unknown>;
  files?: () => File[] | Promise<File[]>;
  /** The expected result: fields of the JSON result, or the media type of the file. */
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
  compress_image: { files: async () => [await image('a.png')], result: 'image/webp' },
  compress_pdf: { files: () => [pdf('a.pdf')], result: 'application/pdf' },
  compress_video: {
    parameters: { preset: 'ultrafast', scale: '320:-1' },
    files: () => [clip()],
    result: { url: expect.stringMatching(/\/files\/.+\/clip\.mp4$/) },
  },
  decode_base64: { parameters: { encoded: ' aGk ' }, result: { decoded: 'hi' } },
  decode_jwt: {
    parameters: { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.' },
    result: { header: { alg: 'none' }, payload: { sub: 'me' }, signatureVerified: false },
  },
  decode_url: { parameters: { encoded: 'a%20b+c' }, result: { decoded: 'a b+c' } },
  draft_email: {
    parameters: { prompt: 'say hello' },
    result: { email: 'Dear all,\n\nHello.' },
  },
  encode_base64: { parameters: { text: 'hi' }, result: { encoded: 'aGk=' } },
  encode_url: { parameters: { url: 'a b/c' }, result: { encoded: 'a%20b%2Fc' } },
  extract_text_ocr: {
    files: () => [word()],
    result: { text: 'Hello', language: 'eng' },
  },
  fetch_page_metadata: {
    parameters: { url: 'http://page.test/' },
    result: { title: 'A test page', finalUrl: 'http://page.test/', icons: [] },
  },
  fetch_site_logo: {
    parameters: { url: 'http://page.test/' },
    result: { title: 'A test page', logo: { source: 'favicon', format: 'svg' } },
  },
  format_json: { parameters: { json: '{"a":1}' }, result: { valid: true, minified: '{"a":1}' } },
  generate_blog_outline: {
    parameters: { topic: 'coffee' },
    result: { outline: expect.stringMatching(/^# Title\n/) },
  },
  generate_fake_data: {
    parameters: { type: 'user', count: 2 },
    result: { type: 'user', count: 2 },
  },
  generate_image: { parameters: { prompt: 'a cat' }, result: 'image/png' },
  generate_qr_code: { parameters: { text: 'hi' }, result: { text: 'hi', size: 300 } },
  images_to_pdf: {
    files: async () => [await image('a.png'), pdf('b.pdf')],
    result: 'application/pdf',
  },
  generate_sql: { parameters: { description: 'one' }, result: { sql: 'SELECT 1;' } },
  generate_text: {
    result: { text: 'Words of the model.', provider: 'openai' },
  },
  humanize_text: {
    parameters: { text: 'It is what it is.' },
    result: { humanizedText: 'Words of the model.' },
  },
  merge_pdf: { files: () => [pdf('a.pdf'), pdf('b.pdf')], result: 'application/pdf' },
  parse_document: {
    files: () => [pdf('a.pdf')],
    result: {
      text: 'A page\n--- Page 2 ---\nA page',
      metadata: { format: 'pdf', pages: 2, words: 4 },
    },
  },
  screenshot_url: {
    parameters: { url: 'http://page.test/', width: 400, height: 300 },
    result: { width: 400, height: 300, format: 'webp', source: 'vps' },
  },
  shorten_url: {
    parameters: { url: 'https://example.com/', customCode: `c-${Date.now()}` },
    result: { shortUrl: expect.stringContaining('/c-') },
  },
  split_image: {
    parameters: { rows: 1, cols: 2 },
    files: async () => [await image('a.png')],
    result: 'application/zip',
  },
  split_pdf: {
    parameters: { ranges: ['1'] },
    files: () => [pdf('a.pdf')],
    result: 'application/pdf',
  },
  upload_file: { files: () => [pdf('a.pdf')], result: { filename: 'a.pdf', storage: 'r2' } },
};

const executable = TOOLS.filter((tool) => tool.run);

/** Created once, because it takes seconds. */
const key = await accountKey(stateDir);

describe('the REST door', () => {
  it.each(
    executable
      .filter((tool) => tool.surfaces.includes('rest'))
      .map((tool) => [tool.name, tool] as const),
  )('runs %s', async (name, tool) => {
    const sample = SAMPLES[name];
    if (!sample) throw new Error(`there is no sample call of ${name}`);
    const files = ((await sample.files?.()) ?? []).map((file): [string, Blob, string] => [
      'files',
      file,
      file.name,
    ]);
    const response = await executeForm(
      [['tool', name], ['parameters', JSON.stringify(sample.parameters ?? {})], ...files],
      tool.access === 'account' ? { Authorization: `Bearer ${key}` } : {},
    );
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

/** The links of a sample's files, uploaded as MCP callers must do. */
async function upload(files: readonly File[]): Promise<string[]> {
  const uploads = files.map(async (file) => {
    const answer = await executeForm([
      ['tool', 'upload_file'],
      ['file', file, file.name],
    ]);
    return (await body(answer)).url as string;
  });
  return Promise.all(uploads);
}

describe.each(Object.entries(CLIENTS))('the MCP door, to the client %s', (_, connect) => {
  it.each(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))(
    'lists the tools of %s',
    async (path, { tools }) => {
      const client = await connect(baseUrl + path);
      expect(await client.list()).toEqual(tools.map(({ name }) => name));
      await client.close();
    },
  );

  it.each(
    ENDPOINTS.flatMap(({ path, tools }) => tools.map((tool) => [path, tool.name, tool] as const)),
  )('at %s runs %s', async (path, name, tool) => {
    const sample = SAMPLES[name];
    if (!sample) throw new Error(`there is no sample call of ${name}`);
    const links = await upload((await sample.files?.()) ?? []);
    const given: Record<string, unknown> = { ...sample.parameters };
    if (tool.files)
      Object.assign(given, tool.files.max > 1 ? { fileUrls: links } : { fileUrl: links[0] });
    // A code can be used only once.
    if (given.customCode)
      given.customCode = `m-${path.length}-${Math.random().toString(36).slice(2)}`;
    const client: Connected = await connect(baseUrl + path, key);
    const result = await client.call(name, given);
    await client.close();
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    expect(result.content[0].type).toBe('text');
    if (typeof sample.result === 'string') {
      const { url, contentType } = result.structuredContent as Record<string, string>;
      expect(contentType).toBe(sample.result);
      if (name === 'generate_image') {
        expect(result.content[1]).toMatchObject({ type: 'image', mimeType: sample.result });
        return;
      }
      expect(result.content[0].text).toContain(url);
      expect(result.content[1]).toMatchObject({ type: 'resource_link', uri: url });
      expect((await fetch(url!)).headers.get('Content-Type')).toBe(sample.result);
      return;
    }
    const expected = { ...sample.result };
    // The REST call came first.
    if ('shortUrl' in expected) expected.shortUrl = expect.stringContaining('/m-');
    expect(result.structuredContent).toMatchObject(expected);
    const shown = tool.untrusted ? markTexts(result.structuredContent) : result.structuredContent;
    expect(JSON.parse(result.content[0].text)).toEqual(shown);
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
    const browserOnly = TOOLS.filter((tool) => tool.run === undefined).map(({ name }) => name);
    expect(browserOnly.sort()).toEqual([
      'convert_timestamp',
      'decode_qr_code',
      'generate_password',
      'hash_text',
      'preview_markdown',
      'test_regex',
    ]);
  });
});
