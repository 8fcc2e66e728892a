import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, redirect } from '../support/upstream.ts';
import { openWebService, type WebService } from '../support/web-service.ts';

const MB = 2 ** 20;
let one: Uint8Array;
let service: WebService;

async function pdf(...widths: number[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const width of widths) document.addPage([width, 100]);
  return document.save();
}

/** Makes a PDF with a comment of this length after its header. */
const padded = (bytes: Uint8Array, size: number): Uint8Array => {
  const padding = Buffer.alloc(size - bytes.byteLength, 0x20);
  return Buffer.concat([bytes, padding]);
};

const sends =
  (bytes: () => Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/pdf', ...headers }).end(bytes());

const ANSWERS: Record<string, Answer | string> = {
  '/one.pdf': sends(() => one),
  '/named': sends(() => one, { 'Content-Disposition': 'attachment; filename="a b.pdf"' }),
  '/wide%20%C3%BC.pdf': sends(() => one, { 'Content-Type': 'binary/octet-stream' }),
  '/moved': redirect('http://b.test/one.pdf'),
  '/loop': redirect('/loop'),
  '/inside': redirect('http://127.0.0.1/one.pdf'),
  '/40mb': sends(() => padded(one, 40 * MB)),
  '/51mb': sends(() => padded(one, 51 * MB)),
  '/51mb-chunked': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/pdf' });
    response.write(padded(one, 51 * MB));
    response.end();
  },
  '/empty': sends(() => new Uint8Array()),
  '/404': (_, response) => void response.writeHead(404).end('none'),
  '/page': '<title>no PDF</title>',
};

beforeAll(async () => {
  one = await pdf(101, 102);
  service = await openWebService(['a.test', 'b.test'], ANSWERS);
});
afterAll(() => service.close());

const split = (fileUrl: string) => service.run('split_pdf', { fileUrl, ranges: ['2'] });
const merge = (...fileUrls: string[]) => service.run('merge_pdf', { fileUrls });

async function widths(bytes: Uint8Array): Promise<number[]> {
  return (await PDFDocument.load(bytes)).getPages().map((page) => page.getWidth());
}

describe('a fileUrl on another host, over REST', () => {
  it('is fetched for a tool of one file and for a tool of several', async () => {
    const ran = await split('http://a.test/one.pdf');
    expect([ran.status, await widths(ran.body)]).toEqual([200, [102]]);
    const merged = await merge('https://a.test/one.pdf', 'http://b.test/one.pdf');
    expect(await widths(merged.body)).toEqual([101, 102, 101, 102]);
  });

  it('can be combined with links to our storage', async () => {
    const form = new FormData();
    form.append('tool', 'upload_file');
    form.append('file', new Blob([(await pdf(201)) as Uint8Array<ArrayBuffer>]), 'own.pdf');
    const uploaded = await fetch(`${service.baseUrl}/api/v1/tools/execute`, {
      method: 'POST',
      body: form,
    });
    const { url } = (await uploaded.json()) as { url: string };
    expect(await widths((await merge(url, 'http://a.test/one.pdf')).body)).toEqual([201, 101, 102]);
  });

  it('takes its file name from Content-Disposition, or else from its path', async () => {
    for (const [url, name] of [
      ['http://a.test/one.pdf?x=y', 'one-pages-2.pdf'],
      ['http://a.test/named', 'a b-pages-2.pdf'],
      ['http://a.test/moved', 'one-pages-2.pdf'],
      ['http://a.test/wide%20%C3%BC.pdf', `wide%20%C3%BC-pages-2.pdf`],
    ] as const) {
      expect((await split(url)).headers.get('Content-Disposition')).toContain(name);
    }
  });

  it('is checked like every address, and again after each redirect', async () => {
    for (const path of ['inside', 'loop']) {
      expect(await split(`http://a.test/${path}`)).toMatchObject({
        status: 400,
        body: { code: 'bad_request', param: 'fileUrl' },
      });
    }
    expect(await merge('http://a.test/one.pdf', 'http://10.0.0.1/')).toMatchObject({
      status: 400,
      body: { param: 'fileUrls' },
    });
  });

  it('may have any content type, and is validated by its bytes', async () => {
    expect(await split('http://a.test/page')).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/page is not a PDF/) },
    });
    expect((await split('http://a.test/empty')).body.error).toMatch(/is empty/);
  });

  it('is limited to 50 MB', async () => {
    expect(await widths((await split('http://a.test/40mb')).body)).toEqual([102]);
    for (const path of ['51mb', '51mb-chunked']) {
      expect(await split(`http://a.test/${path}`)).toMatchObject({
        status: 413,
        body: { code: 'bad_request', param: 'fileUrl' },
      });
    }
    expect((await merge('http://a.test/40mb', 'http://a.test/40mb')).status).toBe(413);
  });

  it('returns 502 if the upstream fails', async () => {
    for (const url of ['http://a.test/404', 'http://nowhere.invalid/a.pdf']) {
      expect(await split(url)).toMatchObject({
        status: 502,
        body: { code: 'tool_failed', param: 'fileUrl' },
      });
    }
  });
});
