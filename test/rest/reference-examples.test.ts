/**
 * Runs the curl command that the API reference shows for each endpoint and tool. Compares the output with the
 * reference.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readDocuments } from '../../scripts/content/sources.ts';
import { ENDPOINT_EXAMPLES } from '../../scripts/reference/endpoint-examples.ts';
import { curlOf } from '../../scripts/reference/pages.ts';
import { withValues } from '../../scripts/reference/sample-values.ts';
import {
  curlOfTool,
  errorBodyOf,
  errorOf,
  linkIn,
  responseOfTool,
} from '../../scripts/reference/tool-part.ts';
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { hasShapeOf, isLike, isTextLike } from '../content/like.ts';
import { makeSampleFiles } from '../content/sample-files.ts';
import { accountKey } from '../support/account-key.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { baseUrl, body, stateDir } from '../support/service.ts';

/** The time limit for waits only guards against hangs. */
const PATIENCE = { timeout: PATIENCE_MS, interval: 100 };
const run = promisify(execFile);
const EXECUTE = `${baseUrl}/api/v1/tools/execute`;

/** Returns values for the placeholders, which are words in capital letters. */
async function placeholders(): Promise<Record<string, string>> {
  const job = await body(
    await fetch(EXECUTE, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify({ tool: 'encode_base64', parameters: { text: 'Hello, world!' } }),
    }),
  );
  const report = async () => body(await fetch(`${baseUrl}/api/v1/jobs/${job.id}`));
  const isDone = async () => expect(await report()).toMatchObject({ status: 'succeeded' });
  await vi.waitFor(isDone, PATIENCE);
  const form = new FormData();
  form.set('tool', 'upload_file');
  form.set('file', new File([String(ENDPOINT_EXAMPLES.getFile!.result)], 'notes.txt'));
  const file = await body(await fetch(EXECUTE, { method: 'POST', body: form }));
  return {
    JOB_ID: String(job.id),
    FILE_ID: new URL(String(file.url)).pathname.split('/')[2]!,
    DELETE_TOKEN: String(file.deleteToken),
    YOUR_KEY: await accountKey(stateDir),
    '{base_url}': baseUrl,
  };
}

const documents = readDocuments();
/** The tools that refuse an empty call, with the error. */
const REFUSED = TOOLS.filter(isExecutable).flatMap((tool) => {
  const error = errorOf(tool);
  return error ? [[tool.name, error] as const] : [];
});
const withoutNumbers = (text: string) => text.replace(/[\d.]+/g, '0').toLowerCase();

describe('the reference example of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-reference-'));
  let words: Record<string, string>;
  beforeAll(async () => {
    words = await placeholders();
    await makeSampleFiles(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('compress_image saves an image or JSON, and prints which', async () => {
    const tool = TOOLS.find(({ name }) => name === 'compress_image')!;
    const { markdown } = documents.find(({ path }) => path === '/docs/tools/compress_image')!;
    const command = curlOfTool(tool, markdown).replace('{base_url}', baseUrl);
    const own = mkdtempSync(join(folder, 'either-'));
    const side = 1400;
    const noise = randomBytes(side * side * 3);
    await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
      .png()
      .toFile(join(own, 'large.png'));
    await copyFile(join(folder, 'photo.jpg'), join(own, 'photo.jpg'));
    const printed = async (shown: string) =>
      (await run('bash', ['-c', shown], { cwd: own })).stdout.trim();
    expect(await printed(command)).toBe('image/webp: photo.webp');
    expect(await printed(command.replace('photo.jpg', 'large.png'))).toBe(
      'application/json: compress_image',
    );
    const saved = JSON.parse(readFileSync(join(own, 'compress_image'), 'utf8'));
    expect(saved).toMatchObject({ filename: 'large.webp' });
  });

  /** Runs the command and returns its output. Throws if the status of the response is not 2xx. */
  async function textOf(shown: string): Promise<string> {
    let command = shown;
    for (const [word, value] of Object.entries(words)) command = command.replaceAll(word, value);
    const options = `-sS -w '%{http_code}'`;
    const { stdout } = await run('bash', ['-c', `${command} ${options}`], { cwd: folder });
    const [, text, status] = /^([\s\S]*)(\d{3})$/.exec(stdout)!;
    expect(status, text).toMatch(/^2/);
    return text!;
  }

  it.each(Object.keys(ENDPOINT_EXAMPLES))('%s matches the service', async (id) => {
    const text = await textOf(curlOf(id));
    const { result } = ENDPOINT_EXAMPLES[id]!;
    if (result === undefined) expect(text).toBe('');
    else if (typeof result === 'string') expect(isTextLike(result, text), text).toBe(true);
    else expect(isLike(result, JSON.parse(text)), text).toBe(true);
  });

  it.each(TOOLS.filter(isExecutable).map((tool) => [tool.name, tool] as const))(
    'the tool %s matches the service',
    async (name, tool) => {
      const { markdown } = documents.find(({ path }) => path === `/docs/tools/${name}`)!;
      const { headers, json } = responseOfTool(tool, markdown);
      const text = await textOf(`${curlOfTool(tool, markdown)} -D headers`);
      if (!headers) {
        const value = JSON.parse(text);
        const isSo = isLike(json, value) || hasShapeOf(withValues(json), value);
        return expect(isSo, text).toBe(true);
      }
      const sent = readFileSync(join(folder, 'headers'), 'utf8');
      for (const line of Object.entries(headers).map((header) => header.join(': ')))
        expect(withoutNumbers(sent)).toContain(withoutNumbers(line));
      const link = await textOf(
        `${curlOfTool(tool, markdown).replace(/ -(o \S+|OJ)/, '')} -H 'Accept: application/json'`,
      );
      expect(hasShapeOf(withValues(linkIn(headers)), JSON.parse(link)), link).toBe(true);
    },
  );

  it.each(REFUSED)('an error of %s matches the service', async (name, error) => {
    const response = await fetch(`${baseUrl}/api/v1/tools/${name}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${words.YOUR_KEY}`,
      },
      body: '{}',
    });
    expect(response.status).toBe(error.status);
    expect(await response.json()).toEqual({
      ...JSON.parse(JSON.stringify(errorBodyOf(error))),
      requestId: expect.any(String),
    });
  });
});
