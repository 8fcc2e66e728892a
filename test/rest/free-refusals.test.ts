/** Checks that a call refused before its tool runs does not use a unit of the tool's limits (decisions.md, Limits). */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partName } from '../../src/core/define-tool.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { callOf, post } from '../mcp/post.ts';
import { startService, stopService } from '../support/global-setup.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-refusals-'));
let service: { child: ChildProcess; baseUrl: string };
let stored: { text: string; unknown: string };

beforeAll(async () => {
  const settings = { RATE_LIMITS: 'on', TRUSTED_PROXY: 'on', SCREENSHOTS: 'off' };
  service = await startService({ ...settings, STATE_DIR: folder });
  const text = await upload(new File(['plain text'], 'notes.txt', { type: 'text/plain' }));
  stored = { text, unknown: text.replace(/\/files\/[^/]{8}/, (id) => id.slice(0, -1)) };
});
afterAll(async () => {
  await stopService(service.child);
  rmSync(folder, { recursive: true, force: true });
});

let addresses = 0;
function newAddress(): Record<string, string> {
  addresses += 1;
  return { 'X-Forwarded-For': `198.51.100.${addresses}` };
}

function send(tool: string, parameters: object, files: File[] = [], part = 'file') {
  const url = `${service.baseUrl}/api/v1/tools/execute`;
  if (files.length === 0) {
    const headers = { ...newAddress(), 'Content-Type': 'application/json' };
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ tool, parameters }) });
  }
  const form = new FormData();
  form.append('tool', tool);
  form.append('parameters', JSON.stringify(parameters));
  for (const file of files) form.append(part, file);
  return fetch(url, { method: 'POST', headers: newAddress(), body: form });
}

async function upload(file: File): Promise<string> {
  const response = await send('upload_file', {}, [file]);
  return ((await response.json()) as { url: string }).url;
}

const TEXT = new File(['plain text'], 'notes.md', { type: 'text/plain' });
const PAGE = new File(['<!doctype html><p>'], 'page.txt', { type: 'text/plain' });
const LARGE = new File([new Uint8Array(6 * 2 ** 20)], 'clip.mp4', { type: 'video/mp4' });
const PRIVATE = 'http://10.0.0.1/';

interface Refused {
  parameters?: object;
  files?: File[];
  status?: number;
}

/** Calls that are refused before the tool runs, by tool. Every rate-limited tool is included. */
const REFUSED: Record<string, Refused[]> = {
  compress_image: [
    { files: [TEXT] },
    { parameters: { width: 20_000 }, files: [image()], status: 413 },
  ],
  compress_pdf: [{ files: [TEXT] }],
  compress_video: [{ files: [TEXT] }, { files: [image()] }, { files: [LARGE], status: 413 }],
  draft_email: [{ parameters: { prompt: ' ' } }],
  extract_text_ocr: [{ files: [TEXT] }, { parameters: { language: 'xyz' }, files: [image()] }],
  fetch_page_metadata: [{ parameters: { url: PRIVATE } }],
  fetch_site_logo: [{ parameters: { url: PRIVATE } }],
  generate_blog_outline: [{ parameters: { topic: ',' } }],
  generate_image: [{ parameters: { prompt: ' ' } }],
  generate_sql: [{ parameters: { prompt: ' ' } }],
  generate_text: [{ parameters: { type: 'x'.repeat(10_000) } }],
  humanize_text: [{ parameters: { text: ' ' } }],
  images_to_pdf: [
    { files: [TEXT] },
    { parameters: { pageSize: 'a4', margin: 400 }, files: [image()] },
  ],
  merge_pdf: [{ files: [TEXT, TEXT] }, { files: [image()] }],
  parse_document: [{ files: [TEXT] }],
  screenshot_url: [
    { parameters: { url: PRIVATE } },
    { parameters: { url: 'https://example.com/' }, status: 403 },
  ],
  shorten_url: [{ parameters: { url: 'ftp://a.example' } }, { parameters: { url: 'OWN' } }],
  split_image: [{ files: [TEXT] }],
  split_pdf: [
    { parameters: { ranges: ['3-1'] }, files: [image()] },
    { parameters: { ranges: ['1'] }, files: [TEXT] },
  ],
  upload_file: [{ files: [PAGE] }, { files: [new File(['a'], 'a.png', { type: 'image/png' })] }],
};

/** Returns a PNG of one pixel. */
function image(): File {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    'base64',
  );
  return new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' });
}

const LIMITED = TOOLS.filter(
  ({ run, limits, access }) => run && (limits.length > 0 || typeof access === 'object'),
);
const LINKED = LIMITED.filter(({ files }) => files && !files.uploadOnly);

/**
 * Checks that a refused call used only the general limit. The headers report the limit with the fewest remaining units.
 */
function expectOnlyGeneral(headers: Headers, policy: string, limit: number): void {
  expect(headers.get('RateLimit')).toMatch(new RegExp(`^"${policy}";r=${limit - 1};`));
}

describe('a call refused before its tool runs', () => {
  it('has a case for every tool with limits', () => {
    expect(Object.keys(REFUSED).sort()).toEqual(LIMITED.map(({ name }) => name).sort());
  });

  it.each(LIMITED.map(({ name }) => name))('%s charges only the general limit', async (name) => {
    const tool = TOOLS.find((one) => one.name === name)!;
    for (const { parameters = {}, files, status = 400 } of REFUSED[name]!) {
      const own = `${service.baseUrl}/abcDEF12`;
      const given = JSON.parse(JSON.stringify(parameters).replace('"OWN"', JSON.stringify(own)));
      const response = await send(name, given, files, tool.files && partName(tool.files));
      expect([name, response.status]).toEqual([name, status]);
      expectOnlyGeneral(response.headers, 'execution', 35);
    }
  });

  it.each(LINKED.map(({ name }) => name))(
    '%s with an invalid link charges only the general limit',
    async (name) => {
      const { files } = TOOLS.find((one) => one.name === name)!;
      const links = name === 'parse_document' ? [stored.unknown] : [stored.unknown, stored.text];
      for (const link of links) {
        const given = files!.max > 1 ? { fileUrls: [link, link] } : { fileUrl: link };
        const parameters = { ...given, ...(name === 'split_pdf' && { ranges: ['1'] }) };
        const response = await send(name, parameters);
        expect([name, link, response.status]).toEqual([name, link, 400]);
        expectOnlyGeneral(response.headers, 'execution', 35);
        const foreign = JSON.parse(
          JSON.stringify(parameters).replaceAll(link, 'https://example.com/a.png'),
        );
        for (const over of [parameters, foreign]) {
          const { headers, body } = await post(callOf(name, over), {
            to: service.baseUrl,
            headers: newAddress(),
          });
          expect([name, over, body.result.isError]).toEqual([name, over, true]);
          expectOnlyGeneral(headers, 'mcp', 30);
        }
      }
    },
  );
});

it('a PUT of a refused type charges no unit of upload_file, and the upload address remains valid', async () => {
  const created = await fetch(`${service.baseUrl}/api/v1/uploads`, {
    method: 'POST',
    headers: { ...newAddress(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ filename: 'notes.txt' }),
  });
  const { uploadUrl } = (await created.json()) as { uploadUrl: string };
  const put = (file: File) =>
    fetch(uploadUrl, { method: 'PUT', headers: newAddress(), body: file.slice(0, file.size, '') });
  for (const file of [PAGE, new File([], 'notes.txt')]) {
    const refused = await put(file);
    expect(refused.status).toBe(400);
    expectOnlyGeneral(refused.headers, 'uploads', 120);
  }
  expect((await put(TEXT)).status).toBe(200);
  expect((await put(TEXT)).status).toBe(404);
});

it('screenshot_url returns 403 while it is disabled', async () => {
  const response = await send('screenshot_url', { url: 'http://a.test/' });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'tool_unsupported' });
});

it('a caller known to have no tool quota is refused before a stored file is opened', async () => {
  const headers = newAddress();
  const call = () =>
    post(callOf('split_image', { fileUrl: link }), { to: service.baseUrl, headers });
  const link = await upload(image());
  expect(link).toContain('/files/');
  for (let calls = 0; calls < 20; calls++) expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(429);
  const unknown = callOf('split_image', { fileUrl: stored.unknown });
  expect((await post(unknown, { to: service.baseUrl, headers })).status).toBe(429);
});
