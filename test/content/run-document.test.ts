/** Checks that the document test detects wrong results, failing commands and differing output. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { baseUrl } from '../support/service.ts';
import { hasShapeOf, isLike, isTextLike } from './like.ts';
import { runDocument } from './run-document.ts';
import { readDocument } from './written-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-run-document-'));
afterAll(() => rmSync(folder, { recursive: true }));

const block = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n`;
const run = (...blocks: string[]) =>
  runDocument(readDocument(`---\ntitle: A\n---\n${blocks.join('\n')}`), {
    baseUrl,
    key: '',
    folder,
  });

const CALL = block('json call', '{"tool":"encode_base64","parameters":{"text":"hi"}}');

describe('runDocument', () => {
  it('finds nothing if every result matches', async () => {
    expect(
      await run(
        CALL,
        block('json result', '{"encoded":"aGk="}'),
        block('sh', 'echo {base_url} > address'),
        block('sh', 'cut -c1-4 address'),
        block('text output', 'http'),
        block('sh not-run because it would', 'false'),
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'another result',
      [CALL, block('json result', '{"encoded":"aGk"}')],
      /line 4: the answer was 200/,
    ],
    ['an additional field', [CALL, block('json result', '{}')], /the answer was 200/],
    ['another status', [CALL, block('json error 400', '{"…":"…"}')], /the answer was 200/],
    ['a call without a documented result', [CALL], /no block shows/],
    ['a command that fails', [block('sh', 'false; true')], /ended with 1/],
    ['a failure within a pipe', [block('sh', 'false | cat')], /ended with 1/],
    ['another output', [block('sh', 'echo a'), block('text output', 'b')], /the output was/],
    ['output that is not JSON', [block('sh', 'echo a'), block('json output', '{}')], /output was/],
  ])('reports %s', async (_, blocks, finding) => {
    const findings = await run(...blocks);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(finding);
  });

  it('retries a command that gets 503', async () => {
    let calls = 0;
    const server = createServer((_, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 503 : 200).end(calls === 1 ? 'busy' : 'done');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const command = `curl -s http://127.0.0.1:${port}`;
      expect(await run(block('sh', command), block('text output', 'done'))).toEqual([]);
      expect(calls).toBe(2);
    } finally {
      server.close();
    }
  });

  it('refuses a block that is not closed', () => {
    expect(() => readDocument('---\ntitle: A\n---\n```sh\nls\n')).toThrow('not closed');
  });
});

describe('the comparison with the shown result', () => {
  it('matches … with any characters of a text', () => {
    expect(isTextLike('a … (c)', 'a lot of (c)\n')).toBe(true);
    expect(isTextLike('a … (c)', 'a lot of (d)')).toBe(false);
    expect(isTextLike('a', 'ab')).toBe(false);
  });

  it('matches "…" with any value, further items and further fields', () => {
    expect(isLike({ a: '…', b: [1, '…'], '…': '…' }, { a: null, b: [1, 2, 3], c: 4 })).toBe(true);
    expect(isLike({ a: '…' }, {})).toBe(false);
    expect(isLike([1, 2], [1, 2, 3])).toBe(false);
  });

  it('compares a shape by fields and types', () => {
    expect(hasShapeOf({ text: 'a', cached: true }, { text: 'b', cached: false })).toBe(true);
    expect(hasShapeOf({ text: 'a' }, { text: 5 })).toBe(false);
    expect(hasShapeOf({ text: 'a' }, { text: 'a', more: 1 })).toBe(false);
  });
});
