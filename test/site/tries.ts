/** A real input for every tool's page, and its expected result. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { findTool, TOOLS } from '../../src/tools/registry.ts';
import { baseUrl, body, execute } from '../support/service.ts';

export interface Try {
  /** Field values by the end of the field's id, in addition to the page's example if no file is sent. */
  parameters?: Record<string, string>;
  files?: readonly string[];
  /** The expected result. */
  shows: string | RegExp;
  /** Where it appears, on pages that work in the browser while one types. */
  at?: string;
}

const TRIES: Record<string, Try> = {
  calculate_percentage: { shows: '92' },
  compare_text: { shows: 'cherries' },
  compress_image: { parameters: { width: '300' }, files: ['photo.jpg'], shows: '300 × 150 pixels' },
  compress_pdf: { files: ['first.pdf'], shows: 'Save first-compressed.pdf' },
  compress_video: { parameters: { preset: 'ultrafast' }, files: ['clip.mp4'], shows: '/clip.mp4' },
  convert_timestamp: {
    parameters: { value: '1735689600' },
    shows: '2025-01-01T00:00:00.000Z',
    at: '#result',
  },
  decode_base64: { shows: 'Hello, world!' },
  decode_jwt: { shows: '"name": "Ada"' },
  decode_qr_code: { files: ['code.png'], shows: 'https://example.com/', at: '#output' },
  decode_url: { shows: 'café & crème' },
  draft_email: { shows: 'Dear all' },
  encode_base64: { shows: 'SGVsbG8sIHdvcmxkIQ==' },
  encode_url: { shows: 'caf%C3%A9%20%26%20cr%C3%A8me%3F' },
  extract_text_ocr: { files: ['word.png'], shows: 'Hello' },
  fetch_page_metadata: { parameters: { url: 'http://page.test/' }, shows: 'A test page' },
  fetch_site_logo: { parameters: { url: 'http://page.test/' }, shows: 'favicon' },
  format_json: { shows: '"name": "Ada"' },
  generate_blog_outline: { shows: 'Title' },
  generate_fake_data: { shows: /@example\./ },
  generate_image: { shows: /Save .+\.png/ },
  generate_password: {
    parameters: { length: '32' },
    shows: /^\S{32}\s/,
    at: '#passwords',
  },
  generate_qr_code: { shows: '400 × 400 pixels' },
  generate_sql: { shows: 'SELECT 1;' },
  generate_text: { shows: 'Words of the model.' },
  hash_text: {
    parameters: { text: 'abc' },
    shows: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    at: '#digest',
  },
  humanize_text: { shows: 'Words of the model.' },
  images_to_pdf: { files: ['photo.jpg', 'word.png'], shows: /Save .+\.pdf/ },
  merge_pdf: { files: ['first.pdf', 'second.pdf'], shows: /Save .+\.pdf/ },
  parse_document: { files: ['first.pdf'], shows: 'Save as first.txt' },
  preview_markdown: { parameters: { markdown: '# Hello' }, shows: /^Hello$/, at: '#preview' },
  screenshot_url: {
    parameters: { url: 'http://page.test/', width: '500', height: '400' },
    shows: '500 × 400 pixels',
  },
  shorten_url: { shows: `${baseUrl}/` },
  split_image: { parameters: { rows: '1', cols: '2' }, files: ['photo.jpg'], shows: 'panel-02' },
  split_pdf: { parameters: { ranges: '1' }, files: ['first.pdf'], shows: /Save .+\.pdf/ },
  test_regex: { parameters: { pattern: '\\d{2}\\.' }, shows: '1 match', at: '#count' },
  upload_file: { files: ['photo.jpg'], shows: '/photo.jpg' },
};

export function tryOf(name: string): Try {
  const found = TRIES[name];
  if (!found) throw new Error(`there is no try of ${name}`);
  return found;
}

/** The value of each field, by the field's id. */
export function valuesOf(name: string): Map<string, string> {
  const { parameters, files, at } = tryOf(name);
  const prefix = at ? '' : 'p-';
  const values = { ...(files || at ? {} : findTool(name)?.example?.parameters), ...parameters };
  return new Map(
    Object.entries(values).map(([field, value]) => [prefix + field, [value].flat().join('\n')]),
  );
}

export const EXECUTABLE = TOOLS.filter(isExecutable).map(({ name }) => name);
export const ALL = TOOLS.map(({ name }) => name);

export interface Files {
  /** The path of the file with this name. */
  at(name: string): string;
  remove(): void;
}

/** Creates the files that the tests send. */
export async function makeFiles(): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'tools-site-'));
  const at = (name: string) => join(folder, name);
  const text = (word: string) => `/Helvetica 40 selectfont 72 400 moveto (${word}) show showpage`;
  for (const name of ['first.pdf', 'second.pdf']) {
    execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', at(name), '-c', text(name)]);
  }
  const page150 = ['-q', '-sDEVICE=png16m', '-r150', '-g900x1200', '-o', at('word.png')];
  execFileSync('gs', [...page150, '-c', text('Hello')]);
  await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .extend({ right: 200, background: 'orange' })
    .jpeg()
    .toFile(at('photo.jpg'));
  const video = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=320x240:d=1', at('clip.mp4')];
  execFileSync('ffmpeg', video);
  const { dataUrl } = await body(
    await execute('generate_qr_code', { text: 'https://example.com/', size: 400 }),
  );
  writeFileSync(at('code.png'), Buffer.from(dataUrl.split(',')[1], 'base64'));
  return { at, remove: () => rmSync(folder, { recursive: true }) };
}
