import { describe, expect, it } from 'vitest';
import type { LargeCall } from '../core/large-call.ts';
import type { SpoolPort } from '../core/ports.ts';
import { readMultipart as readForm } from './multipart.ts';

const MB = 2 ** 20;

/** Builds a request with one file of `size` bytes, as curl sends it. */
function upload(size: number): Request {
  const head = 'Content-Disposition: form-data; name';
  const before = `--b\r\n${head}="tool"\r\n\r\nupload_file\r\n--b\r\n${head}="file"; filename="a.bin"\r\n\r\n`;
  const body = new Blob([before, new Uint8Array(size), '\r\n--b--\r\n']);
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': String(body.size),
  };
  return new Request('https://tools.example/', { method: 'POST', headers, body });
}

/** No request in this test has large parameters, so none of them needs a CPU slot. */
const readMultipart = (request: Request, spooling: SpoolPort) =>
  readForm(request, spooling, {} as LargeCall);

/** Returns fake storage that counts its files. */
function countingStorage() {
  const seen = { spooled: 0, discarded: 0 };
  const spooling = {
    spool: () => {
      seen.spooled += 1;
      let size = 0;
      return {
        write: async (bytes: Uint8Array) => {
          size += bytes.byteLength;
        },
        finish: async (name: string) => ({ name, size, head: new Uint8Array(), spool: 'x' }),
        abort: async () => {},
      };
    },
    discard: async () => {
      seen.discarded += 1;
    },
  };
  return { seen, spooling: spooling as unknown as SpoolPort };
}

describe('files of a multipart request', () => {
  it('stay in memory until large requests hold 40 MB in total, then go to storage', async () => {
    const { seen, spooling } = countingStorage();
    const first = await readMultipart(upload(30 * MB), spooling);
    expect(first.files[0]).toMatchObject({ name: 'a.bin', size: 30 * MB });
    expect(seen.spooled).toBe(0);
    const second = await readMultipart(upload(30 * MB), spooling);
    expect(seen.spooled).toBe(1);
    const small = await readMultipart(upload(7 * MB), spooling);
    expect(seen.spooled).toBe(1);
    await Promise.all([first, second, small].map((call) => call.release?.()));
    expect(seen.discarded).toBe(1);
    const third = await readMultipart(upload(30 * MB), spooling);
    expect(seen.spooled).toBe(1);
    await third.release?.();
  });

  it.each(['file', 'files'])(
    'that exceed every tool’s limit are rejected while uploading, with the part’s name: %s',
    async (param) => {
      const { spooling } = countingStorage();
      const head = `Content-Disposition: form-data; name="${param}"; filename="a.bin"`;
      const body = new Blob([`--b\r\n${head}\r\n\r\n`, new Uint8Array(50 * MB + 1)]);
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      const request = new Request('https://tools.example/', { method: 'POST', headers, body });
      await expect(readMultipart(request, spooling)).rejects.toMatchObject({
        status: 413,
        param,
        message: expect.stringContaining('a.bin'),
      });
    },
  );

  it('release their memory when the request is refused', async () => {
    const { seen, spooling } = countingStorage();
    for (let round = 0; round < 3; round++) {
      const broken = upload(30 * MB);
      broken.headers.set('Content-Type', 'multipart/form-data; boundary=another');
      await expect(readMultipart(broken, spooling)).rejects.toMatchObject({ status: 400 });
    }
    const call = await readMultipart(upload(30 * MB), spooling);
    expect(seen.spooled).toBe(0);
    await call.release?.();
  });

  it('go to storage when the request has no Content-Length', async () => {
    const { seen, spooling } = countingStorage();
    const request = upload(MB);
    request.headers.delete('Content-Length');
    const call = await readMultipart(request, spooling);
    expect(seen.spooled).toBe(1);
    await call.release?.();
  });
});

describe('a form text field', () => {
  const refusalOf = (type: string, text: Uint8Array<ArrayBuffer>) => {
    const head = `--b\r\nContent-Disposition: form-data; name="tool"\r\nContent-Type: ${type}\r\n\r\n`;
    const request = new Request('https://tools.example/', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: new Blob([head, text, '\r\n--b--\r\n']),
    });
    return readMultipart(request, countingStorage().spooling).catch((error: Error) => error);
  };

  it.each(['text/plain; charset=bogus', 'text/plain; charset='])(
    'is rejected if its type is %s',
    async (type) => {
      expect(await refusalOf(type, Uint8Array.of(97))).toMatchObject({
        code: 'bad_request',
        param: 'tool',
        message: 'The charset of the part "tool" is unknown. Send UTF-8.',
      });
    },
  );

  it('is rejected if it does not match its charset', async () => {
    expect(await refusalOf('text/plain; charset=utf-8', Uint8Array.of(0xff))).toMatchObject({
      code: 'bad_request',
      message: 'The part "tool" is not valid UTF-8.',
    });
  });
});
