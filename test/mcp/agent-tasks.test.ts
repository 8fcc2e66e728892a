/**
 * Performs ten tasks as an agent without a shell. The agent can only call the MCP endpoint for agents and send files
 * with PUT. Prints the number of tokens that a model reads for each task.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_ENDPOINT } from '../../src/catalogue/mcp-endpoints.ts';
import { type Connected, connectNew } from '../support/mcp-clients.ts';
import { baseUrl } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-agent-tasks-'));
/** The assumed number of image pixels that a model counts as one token. */
const PIXELS_PER_TOKEN = 750;

let client: Connected;
let wrongCalls = 0;
let tokens = 0;
const spent: Record<string, number> = {};

beforeAll(async () => {
  client = await connectNew(baseUrl + AGENT_ENDPOINT.path);
  // The client now knows the output schemas. It throws if a result does not match its schema.
  await client.list();
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
  console.log('Tokens read per task:', JSON.stringify(spent));
});

async function call(name: string, given: Record<string, unknown>) {
  const result = await client.call(name, given);
  if (result.isError) wrongCalls++;
  for (const item of result.content) {
    if (item.type === 'text') tokens += encode(item.text).length;
    else if (item.type === 'image') tokens += await imageTokens(item.data);
    else tokens += encode(JSON.stringify(item)).length;
  }
  return result;
}

async function imageTokens(data: string): Promise<number> {
  const { width = 0, height = 0 } = await sharp(Buffer.from(data, 'base64')).metadata();
  return Math.ceil((width * height) / PIXELS_PER_TOKEN);
}

/** Uploads a file. This is the only step that is not a tool call. */
async function send(filename: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { structuredContent } = await call('create_upload', { filename });
  const { uploadUrl } = structuredContent as { uploadUrl: string };
  expect((await fetch(uploadUrl, { method: 'PUT', body: bytes })).status).toBe(200);
  return uploadUrl;
}

const fetched = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer());

const drawn = (text: string, width = 900, height = 300) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/><text x="40" y="150" font-size="44" font-family="sans-serif">${text}</text></svg>`,
    ),
  );

function make(program: string, name: string, words: (path: string) => string[]) {
  const path = join(folder, name);
  execFileSync(program, words(path));
  return new Uint8Array(readFileSync(path));
}

const pdfOf = (pages: readonly string[]) => {
  const code = pages.map(
    (text) => `/Helvetica 24 selectfont 72 700 moveto (${text}) show showpage`,
  );
  const words = ['-q', '-sDEVICE=pdfwrite'];
  return make('gs', 'report.pdf', (path) => [...words, '-o', path, '-c', code.join(' ')]);
};

const task = (name: string, work: () => Promise<void>) =>
  it(name, async () => {
    tokens = 0;
    await work();
    spent[name] = tokens;
  });

describe('an agent without a shell', () => {
  task('extracts pages from a PDF, compresses and links them', async () => {
    const fileUrl = await send('report.pdf', pdfOf(['One', 'Two', 'Three', 'Four', 'Five']));
    const result = await call('run_chain', {
      toolChain: [
        { tool: 'split_pdf', parameters: { fileUrl, ranges: ['2-3'] } },
        { tool: 'compress_pdf' },
      ],
    });
    const { url } = result.structuredContent!;
    expect(result.content).toContainEqual(
      expect.objectContaining({ type: 'resource_link', uri: url }),
    );
    expect((await fetched(url)).subarray(0, 5).toString()).toBe('%PDF-');
    const read = await call('read_document', { fileUrl: url });
    expect(read.structuredContent).toMatchObject({ pages: 2 });
    expect(read.structuredContent!.text).toMatch(/Two.*Three/s);
  });

  task('puts photos on A4', async () => {
    const photos = await Promise.all(['Sea', 'Hill'].map((text) => drawn(text).jpeg().toBuffer()));
    const fileUrls: string[] = [];
    for (const [index, photo] of photos.entries()) {
      fileUrls.push(await send(`photo-${index}.jpg`, new Uint8Array(photo)));
    }
    const result = await call('images_to_pdf', { fileUrls, pageSize: 'a4' });
    expect(result.structuredContent).toMatchObject({ contentType: 'application/pdf' });
  });

  task('reads a German scan', async () => {
    const scan = await drawn('Die Größe der Straße').png().toBuffer();
    const fileUrl = await send('scan.png', new Uint8Array(scan));
    const result = await call('extract_text_ocr', { fileUrl, language: 'deu' });
    expect(result.structuredContent!.text).toContain('Größe der Straße');
  });

  task('lists the changed lines of two files', async () => {
    const texts: unknown[] = [];
    for (const [name, text] of [
      ['old.txt', 'port = 80\nhost = a\n'],
      ['new.txt', 'port = 443\nhost = a\n'],
    ] as const) {
      const fileUrl = await send(name, new TextEncoder().encode(text));
      texts.push((await call('read_document', { fileUrl })).structuredContent!.text);
    }
    const result = await call('compare_text', { text1: texts[0], text2: texts[1] });
    expect(result.structuredContent).toMatchObject({
      changes: [{ line: 1, before: 'port = 80', after: 'port = 443' }],
    });
  });

  task('reads a JWT', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'HS256' })}.${part({ sub: 'ann', exp: 1 })}.c2ln`;
    const result = await call('decode_jwt', { token });
    expect(result.structuredContent).toMatchObject({ payload: { sub: 'ann' } });
  });

  task('turns Base64 into JSON and that into a QR code', async () => {
    const encoded = Buffer.from('{"a":[1,2]}').toString('base64');
    const result = await call('run_chain', {
      toolChain: [
        { tool: 'decode_base64', parameters: { encoded } },
        { tool: 'format_json' },
        { tool: 'generate_qr_code', parameters: { text: '{{prev.formatted}}' } },
      ],
    });
    expect(result.content.some(({ type }) => type === 'image')).toBe(true);
    expect(result.structuredContent).toMatchObject({ text: '{\n  "a": [\n    1,\n    2\n  ]\n}' });
  });

  task('compresses a video of 40 MB', async () => {
    const source = 'testsrc2=size=1280x720:rate=30:duration=0.54';
    const encoder = ['-c:v', 'rawvideo', '-pix_fmt', 'bgr24'];
    const video = make('ffmpeg', 'clip.avi', (path) => [
      ...['-v', 'error', '-f', 'lavfi', '-i', source],
      ...[...encoder, path],
    ]);
    expect(video.byteLength).toBeGreaterThan(40 * 2 ** 20);
    const fileUrl = await send('clip.avi', video);
    let { structuredContent: job } = await call('transcode_video', {
      fileUrl,
      preset: 'ultrafast',
    });
    while (job!.status === 'queued' || job!.status === 'running') {
      job = (await call('get_job', { jobId: job!.jobId })).structuredContent;
    }
    expect(job).toMatchObject({ status: 'succeeded' });
    const { url, size } = job!.result as { url: string; size: number };
    expect(size).toBeLessThan(video.byteLength / 10);
    expect((await fetched(url)).byteLength).toBe(size);
  });

  task('finds the logo and the metadata of a site', async () => {
    const result = await call('fetch_site_logo', { url: 'https://shop.example/' });
    expect(result.structuredContent).toMatchObject({ title: 'Tea and biscuits' });
    expect(result.content.some(({ type }) => type === 'image')).toBe(true);
  });

  task('splits a sprite sheet and links each sprite', async () => {
    const sheet = await drawn('A B C D', 400, 200).png().toBuffer();
    const fileUrl = await send('sprites.png', new Uint8Array(sheet));
    const result = await call('split_image', { fileUrl, rows: 1, cols: 4, as: 'links' });
    const { files } = result.structuredContent as { files: { url: string }[] };
    expect(files).toHaveLength(4);
    expect(await sharp(await fetched(files[3]!.url)).metadata()).toMatchObject({ width: 100 });
  });

  task('answers a question from the documentation', async () => {
    const result = await call('search_docs', { query: 'How long does the link of a result work?' });
    expect(result.content[0].text).toContain('24 hours');
  });

  it('makes no wrong call in ten tasks', () => {
    expect(Object.keys(spent)).toHaveLength(10);
    expect(wrongCalls).toBe(0);
  });
});
