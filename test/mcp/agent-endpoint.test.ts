/** Tests the MCP endpoint for agents: links, images, files, long texts, jobs and resources. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { AGENT_ENDPOINT } from '../../src/catalogue/mcp-endpoints.ts';
import { accountKey } from '../support/account-key.ts';
import { covering } from '../support/matrix.ts';
import { CLIENTS, callPatiently } from '../support/mcp-clients.ts';
import { baseUrl, body, executeForm, stateDir } from '../support/service.ts';
import { callOf, initialize, request } from './post.ts';

const PATH = AGENT_ENDPOINT.path;
const LEGACY = { 'MCP-Protocol-Version': '2025-06-18' };

async function post(message: unknown, headers: Record<string, string> = LEGACY, path = PATH) {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });
  return { status: response.status, body: await body(response) };
}

const call = async (name: string, given: unknown, headers?: Record<string, string>) =>
  (await post(callOf(name, given), headers)).body.result;

async function stored(name: string, bytes: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const file = new File([bytes], name);
  const answer = await executeForm([
    ['tool', 'upload_file'],
    ['file', file, name],
  ]);
  return (await body(answer)).url;
}

const imageOf = (result: { content: { type: string; data?: string }[] }) =>
  sharp(
    Buffer.from(result.content.find(({ type }) => type === 'image')!.data!, 'base64'),
  ).metadata();

let key: string;
beforeAll(async () => {
  key = await accountKey(stateDir);
});

describe('the agent endpoint', () => {
  it('lists the 28 tools and six more in at most 7,500 tokens', async () => {
    const { tools } = (await post(request('tools/list'))).body.result;
    expect(tools).toHaveLength(34);
    expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(7500);
  });

  it('costs as many tokens as the comparison with REST says, like the other endpoints', async () => {
    const page = readFileSync('src/content/comparisons/mcp-and-rest.md', 'utf8');
    const rows = [...page.matchAll(/`(\/api\/\S+)` +\| (\d+) +\| about ([\d,]+) \|/g)];
    expect(rows.map(([, path]) => path)).toEqual(['/api/mcp/dev', '/api/mcp', PATH]);
    for (const [, path = '', count, figure = ''] of rows) {
      const { tools } = (await post(request('tools/list'), LEGACY, path)).body.result;
      expect(tools, path).toHaveLength(Number(count));
      const ratio = encode(JSON.stringify(tools)).length / Number(figure.replace(',', ''));
      expect(Math.abs(ratio - 1), path).toBeLessThan(0.05);
    }
  });

  it('lists output schemas of at most 60 tokens from 2025-06-18 on, or all of them on request', async () => {
    const schemas = async (search: string, headers: Record<string, string>) => {
      const response = await fetch(baseUrl + PATH + search, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(request('tools/list')),
      });
      const { tools } = (await body(response)).result as { tools: { outputSchema?: object }[] };
      return tools.flatMap(({ outputSchema }) => outputSchema ?? []);
    };
    const short = await schemas('', LEGACY);
    expect(short.length).toBeGreaterThan(20);
    for (const outputSchema of short) {
      expect(encode(JSON.stringify({ outputSchema })).length).toBeLessThanOrEqual(60);
    }
    expect(await schemas('?outputSchemas=all', LEGACY)).toHaveLength(34);
    for (const version of ['2024-11-05', '2025-03-26']) {
      const older = { 'MCP-Protocol-Version': version };
      expect(await schemas('?outputSchemas=all', older)).toEqual([]);
    }
  });

  it.each(Object.entries(CLIENTS))(
    'serves the client %s, which validates whole and truncated results against their schemas',
    async (_, connect) => {
      const client = await connect(baseUrl + PATH);
      expect(Object.keys(await client.outputSchemas())).toContain('encode_base64');
      expect(await client.list()).toContain('create_upload');
      const result = await client.call('encode_base64', { text: 'hi' });
      expect(result.structuredContent).toEqual({ encoded: 'aGk=' });
      const cut = await client.call('encode_base64', { text: 'long '.repeat(20_000) });
      expect(cut.structuredContent).toMatchObject({ truncated: true });
      await client.close();
    },
  );

  it('returns 404 for initialize in version 2026-07-28, which removed it', async () => {
    const version = { 'MCP-Protocol-Version': '2026-07-28' };
    const { status, body } = await post(initialize('2026-07-28'), version);
    expect([status, body.error.code]).toEqual([404, -32601]);
    const older = await post(initialize('2025-11-25'));
    expect(older.body.result.capabilities).toMatchObject({ tools: {}, resources: {} });
  });

  it('is not served below /api/mcp, where an unknown domain returns 404', async () => {
    const response = await fetch(`${baseUrl}/api/mcp/agent`, { method: 'POST' });
    expect(response.status).toBe(404);
  });

  it('is recommended by the other endpoints for the tools that they lack', async () => {
    const errorOf = async (name: string) => {
      const response = await fetch(`${baseUrl}/api/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(callOf(name, {})),
      });
      return (await body(response)).error;
    };
    const video = await errorOf('compress_video');
    expect(video.code).toBe(-32602);
    expect(video.message).toMatch(/transcode_video at \/api\/agent\/mcp.*50 MB.*REST.*5 MB/);
    expect((await errorOf('upload_file')).message).toMatch(/create_upload at \/api\/agent\/mcp/);
    expect((await errorOf('run_chain')).message).toContain('/api/agent/mcp');
  });
});

describe('a file link', () => {
  it('may be a create_upload address after its file has arrived', async () => {
    const { uploadUrl, dropPage } = (await call('create_upload', { filename: 'a.txt' }))
      .structuredContent;
    const early = await call('read_document', { fileUrl: uploadUrl });
    expect(early.isError).toBe(true);
    expect(early.content[0].text).toMatch(/No file has arrived/);
    const page = await fetch(dropPage);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('a.txt')]);
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'hello' })).status).toBe(200);
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'again' })).status).toBe(404);
    expect((await fetch(dropPage)).status).toBe(404);
    const read = await call('read_document', { fileUrl: uploadUrl });
    expect(read.structuredContent).toEqual({ text: 'hello' });
    const short = await call('shorten_url', { url: uploadUrl });
    const { shortUrl } = short.structuredContent;
    expect(await (await fetch(shortUrl)).text()).toBe('hello');
    const path = await call('read_document', { fileUrl: '/home/ann/a.txt' });
    expect(path.content[0].text).toMatch(/takes URLs, not paths.*create_upload/);
  });

  it('may be a public web address, and is refused for private addresses and file: URLs', async () => {
    const seen = await call('compress_image', { fileUrl: 'https://shop.example/card.png' });
    expect(seen.isError).toBeFalsy();
    for (const fileUrl of ['http://127.0.0.1/a.png', 'https://localhost/a.png', 'file:///a']) {
      const refused = await call('compress_image', { fileUrl });
      expect(refused.isError, fileUrl).toBe(true);
    }
  });

  it('may be a data: URL of at most 2 kB, if its content is complete', async () => {
    const read = (fileUrl: string) => call('read_document', { fileUrl });
    const url = (bytes: number) =>
      `data:text/plain;base64,${Buffer.alloc(bytes, 'a').toString('base64')}`;
    expect((await read(url(2048))).structuredContent.text).toHaveLength(2048);
    expect((await read('data:,a%20b')).structuredContent.text).toBe('a b');
    const large = await read(url(2049));
    expect(large.content[0].text).toMatch(/2049 bytes; the limit is 2048.*create_upload/);
    expect((await read('data:text/plain;base64,aGk!')).content[0].text).toMatch(/malformed/);
  });

  it('is returned for each part of a split with as: "links"', async () => {
    const sheet = await sharp({
      create: { width: 40, height: 20, channels: 3, background: 'teal' },
    })
      .png()
      .toBuffer();
    const fileUrl = await stored('sheet.png', new Uint8Array(sheet));
    const given = { fileUrl, rows: 1, cols: 2 };
    const linked = await call('split_image', { ...given, as: 'links' });
    const known = { width: 20, height: 20, inputBytes: sheet.byteLength };
    expect(linked.structuredContent.files).toMatchObject([
      { filename: 'panel-01.png', contentType: 'image/png', ...known },
      { filename: 'panel-02.png', contentType: 'image/png', ...known },
    ]);
    const zipped = await call('split_image', given);
    expect(zipped.structuredContent.contentType).toBe('application/zip');
    const wrong = await call('split_image', { ...given, as: 'tar' });
    expect(wrong.content[0].text).toBe('"as" must be "zip" or "links".');
  });
});

describe('the tool descriptions', () => {
  it('state what the endpoint returns', async () => {
    const { tools } = (await post(request('tools/list'))).body.result;
    const describedAs = (name: string) =>
      tools.find((tool: { name: string }) => tool.name === name).description;
    expect(describedAs('transcode_video')).toMatch(
      /Returns \{jobId, status, progress, result\}\.$/,
    );
    expect(describedAs('generate_qr_code')).toMatch(
      /Returns the image and \{url, text, size, svg\}/,
    );
    expect(describedAs('run_chain')).toMatch(/Returns the result of the last step\.$/);
    expect(/dataUrl|data URI/.test(JSON.stringify(tools))).toBe(false);
  });
});

describe('an image', () => {
  it('is shown reduced to 1,568 pixels and 300 kB, with a link to the full image', async () => {
    const { data, info } = await sharp({
      create: {
        width: 2400,
        height: 1200,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true });
    const fileUrl = await stored('noise.png', new Uint8Array(data));
    const result = await call('compress_image', { fileUrl, format: 'png', quality: 1 });
    const block = result.content.find(({ type }: { type: string }) => type === 'image');
    expect(Buffer.from(block.data, 'base64').byteLength).toBeLessThanOrEqual(300_000);
    const seen = await imageOf(result);
    expect(Math.max(seen.width!, seen.height!)).toBeLessThanOrEqual(1568);
    const link = result.content.find(({ type }: { type: string }) => type === 'resource_link');
    const whole = await (await fetch(link.uri)).arrayBuffer();
    expect(await sharp(whole).metadata()).toMatchObject({ width: info.width, height: 1200 });
  });

  it('in a data: URL is stored, and its bytes are not part of the text', async () => {
    const result = await call('generate_qr_code', { text: 'hello' });
    expect(result.content[0].text).not.toContain('base64');
    expect(await imageOf(result)).toMatchObject({ width: 300 });
    const { url, expiresAt } = result.structuredContent;
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect((await fetch(url)).headers.get('Content-Type')).toBe('image/png');
  });

  it('has no resource_link before 2025-06-18', async () => {
    const result = await call('generate_qr_code', { text: 'hello' }, {});
    const kinds = result.content.map(({ type }: { type: string }) => type);
    expect(kinds).toEqual(['text', 'image']);
  });
});

describe('a long text', () => {
  it('can be read to its end, by page or by cursor', async () => {
    const pages = Array.from({ length: 20 }, (_, page) => {
      const lines = Array.from({ length: 40 }, (_, line) => {
        const words = `Page ${page + 1} line ${line + 1} and ten more words that fill the line`;
        return `72 ${760 - line * 18} moveto (${words}) show`;
      });
      return `/Helvetica 11 selectfont ${lines.join(' ')} showpage`;
    });
    const words = ['-q', '-sDEVICE=pdfwrite', '-sOutputFile=-', '-'];
    const pdf = execFileSync('gs', words, { input: pages.join('\n'), maxBuffer: 2 ** 26 });
    const fileUrl = await stored('long.pdf', new Uint8Array(pdf));
    let text = '';
    let next: Record<string, string> | undefined = { fileUrl };
    let parts = 0;
    while (next) {
      const result = await call('read_document', next);
      expect(encode(result.content[0].text).length).toBeLessThan(8000);
      text += result.structuredContent.text;
      next = result.structuredContent.next;
      parts++;
    }
    expect(parts).toBeGreaterThan(1);
    for (let page = 1; page <= 20; page++) expect(text).toContain(`Page ${page} line 40`);
    const some = await call('read_document', { fileUrl, pages: '19-30' });
    expect(some.structuredContent.text).toMatch(/^--- Page 19 ---\n.*Page 20 line 40/s);
    expect(some.structuredContent.text).not.toContain('Page 18 line');
    const none = await call('read_document', { fileUrl, pages: '21' });
    expect(none.content[0].text).toMatch(
      /"21" selects no page: the last page of the document is 20/,
    );
  });

  it('continues with the call named in the truncated result', async () => {
    const text = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join('\n');
    const cut = await call('encode_base64', { text });
    expect(cut.structuredContent.truncated).toBe(true);
    const [, given] = /Continue with read_document (\{.*\})/.exec(cut.content.at(-1).text)!;
    let encoded = cut.structuredContent.encoded;
    let next = JSON.parse(given!);
    while (next) {
      const { structuredContent } = await call('read_document', next);
      encoded += structuredContent.text;
      next = structuredContent.next;
    }
    expect(Buffer.from(encoded, 'base64').toString()).toBe(text);
  });
});

describe('run_chain', () => {
  it('returns the last result only, or every step on request', async () => {
    const toolChain = [
      { tool: 'encode_base64', parameters: { text: '{"a":1}' } },
      { tool: 'decode_base64' },
      { tool: 'format_json' },
    ];
    const last = await call('run_chain', { toolChain });
    expect(last.structuredContent.formatted).toBe('{\n  "a": 1\n}');
    const all = await call('run_chain', { toolChain, steps: true });
    expect(all.structuredContent.results).toHaveLength(3);
  });

  it('reads a document created by a step, and continues reading it', async () => {
    const page = (text: string) => `/Helvetica 24 selectfont 72 700 moveto (${text}) show showpage`;
    const words = ['-q', '-sDEVICE=pdfwrite', '-sOutputFile=-', '-'];
    const input = [page('One'), page('Two'), page('Three')].join('\n');
    const fileUrl = await stored('three.pdf', new Uint8Array(execFileSync('gs', words, { input })));
    const split = (ranges: string[], as?: string) => ({
      tool: 'split_pdf',
      parameters: { fileUrl, ranges, ...(as && { as }) },
    });
    const chain = (...toolChain: unknown[]) => call('run_chain', { toolChain });
    const read = await chain(split(['2-3']), { tool: 'read_document' });
    expect(read.structuredContent).toMatchObject({ pages: 2 });
    expect(read.structuredContent.text).toMatch(/Two.*Three/s);
    const ranges = ['1', '9', '2-3'];
    const { structuredContent: chained } = await chain(split(ranges, 'links'));
    expect(chained.files).toMatchObject([
      { filename: 'pages-1.pdf', pages: 1 },
      { filename: 'pages-2-3.pdf', pages: 2 },
    ]);
    const { structuredContent: alone } = await call('split_pdf', { fileUrl, ranges, as: 'links' });
    expect(alone.files.map(({ pages }: { pages: number }) => pages)).toEqual([1, 2]);
    // A ZIP of PDFs also contains PDF headers, but compress_pdf must still refuse it.
    const zipped = await chain(split(['1', '2']), { tool: 'compress_pdf' });
    expect(zipped.content[0].text).toMatch(/^Step 1 \(compress_pdf\): .* is not a PDF/);
    const job = await chain({ tool: 'get_job' });
    expect(job.content[0].text).toBe(
      'Step 0: get_job cannot be a step of a chain. Call it separately.',
    );

    const long = await stored('long.txt', 'A line of a long text.\n'.repeat(5000));
    const part = await chain({ tool: 'read_document', parameters: { fileUrl: long } });
    const { next } = part.structuredContent;
    expect(next.fileUrl).toBe(long);
    expect((await call('read_document', next)).structuredContent.text).toMatch(/^A line/);
  });

  it('checks literal links before the chain starts', async () => {
    const customCode = `agent-${Date.now()}`;
    const refused = await call('run_chain', {
      toolChain: [
        { tool: 'shorten_url', parameters: { url: 'https://example.com/', customCode } },
        {
          tool: 'merge_pdf',
          parameters: { fileUrls: ['{{prev.shortUrl}}', 'http://127.0.0.1:22/'] },
        },
      ],
    });
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toMatch(/^Step 1: .*refused/);
    expect((await fetch(`${baseUrl}/${customCode}`, { redirect: 'manual' })).status).toBe(404);
  });

  it('names the failed step and reports the steps that ran', async () => {
    const failed = await call('run_chain', {
      toolChain: [
        { tool: 'decode_base64', parameters: { encoded: 'eyJhIjo=' } },
        { tool: 'format_json' },
      ],
    });
    expect(failed.isError).toBe(true);
    expect(failed.content[0].text).toMatch(/^Step 1 \(format_json\): .*\nCompleted steps: step 0/s);
  });
});

describe('progress', () => {
  const given: Record<string, Record<string, unknown>> = {};
  beforeAll(async () => {
    const page = '/Helvetica 48 selectfont 36 60 moveto (Hello world) show showpage ';
    const words = ['-q', '-sDEVICE=pdfimage24', '-r100', '-g500x200', '-sOutputFile=-', '-'];
    const pdf = execFileSync('gs', words, { input: page.repeat(2) });
    const fileUrl = await stored('scan.pdf', new Uint8Array(pdf));
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=5:duration=1'];
    const asMp4 = ['-movflags', 'frag_keyframe', '-f', 'mp4', '-'];
    const video = execFileSync('ffmpeg', ['-v', 'error', ...source, ...asMp4]);
    const videoUrl = await stored('clip.mp4', new Uint8Array(video));
    const step = { tool: 'extract_text_ocr', parameters: { fileUrl } };
    given.compress_pdf = { fileUrl };
    given.extract_text_ocr = { fileUrl };
    given.parse_document = { fileUrl, ocr: 'auto' };
    given.run_chain = { toolChain: [step, { tool: 'encode_base64' }] };
    given.transcode_video = { fileUrl: videoUrl, preset: 'ultrafast' };
  });
  const LONG = 'compress_pdf extract_text_ocr parse_document run_chain transcode_video'.split(' ');
  const clients = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[];

  it.each(covering(clients.flatMap((client) => LONG.map((name) => ({ client, name })))))(
    'of $name reaches the client $client and starts at 0',
    async ({ client: kind, name }) => {
      const client = await CLIENTS[kind](baseUrl + PATH);
      const { result, progress } = await callPatiently(client, name, given[name]!);
      expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
      expect(progress[0]).toBe(0);
      if (name !== 'transcode_video') expect(progress.at(-1)).toBeGreaterThan(0);
      expect(progress).toEqual(progress.toSorted((one, other) => one - other));
      await client.close();
    },
  );
});

describe('resources', () => {
  const list = async (headers: Record<string, string>) =>
    (await post(request('resources/list'), headers)).body.result.resources;

  it('list the files of the key of the caller only', async () => {
    const mine = { ...LEGACY, Authorization: `Bearer ${key}` };
    const { structuredContent } = await call('generate_qr_code', { text: 'mine' }, mine);
    const uris = (await list(mine)).map(({ uri }: { uri: string }) => uri);
    expect(uris).toContain(structuredContent.url);
    expect(await list(LEGACY)).toEqual([]);
    const other = await accountKey(stateDir, { account: 'Others' });
    expect(await list({ ...LEGACY, Authorization: `Bearer ${other}` })).toEqual([]);
  });

  it('list files that a person sent to an upload address of the key', async () => {
    const mine = { ...LEGACY, Authorization: `Bearer ${key}` };
    const { uploadUrl } = (await call('create_upload', { filename: 'sent.txt' }, mine))
      .structuredContent;
    await fetch(uploadUrl, { method: 'PUT', body: 'sent' });
    const listed = await list(mine);
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: 'sent.txt',
        mimeType: expect.stringContaining('text/plain'),
      }),
    );
  });

  it('can be read only by their owner', async () => {
    const mine = { ...LEGACY, Authorization: `Bearer ${key}` };
    const { url: uri } = (await call('generate_qr_code', { text: 'own' }, mine)).structuredContent;
    const read = async (headers: Record<string, string>) =>
      (await post(request('resources/read', { uri }), headers)).body;
    expect((await read(mine)).result.contents).toHaveLength(1);
    const other = await accountKey(stateDir, { account: 'Strangers' });
    for (const headers of [LEGACY, { ...LEGACY, Authorization: `Bearer ${other}` }]) {
      expect((await read(headers)).error.code).toBe(-32602);
    }
  });

  it('can be read by their URI, as text or as bytes', async () => {
    const read = async (uri: string) => (await post(request('resources/read', { uri }))).body;
    const uri = await stored('a.txt', 'some text');
    expect((await read(uri)).result.contents).toMatchObject([{ uri, text: 'some text' }]);
    const { url } = (await call('generate_qr_code', { text: 'x' })).structuredContent;
    const [image] = (await read(url)).result.contents;
    expect(await sharp(Buffer.from(image.blob, 'base64')).metadata()).toMatchObject({
      width: 300,
    });
    expect((await read('https://example.com/a')).error.code).toBe(-32602);
  });
});
