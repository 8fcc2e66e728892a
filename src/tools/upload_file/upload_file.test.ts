import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { unlimitedStorage } from '../../../test/support/unlimited-storage.ts';
import { R2Files } from '../../adapters/r2-files.ts';
import { memoryFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { fileExpiry, fileExpiryText } from '../../lib/file-id.ts';
import { uploadFile } from './upload_file.ts';

const storage = new R2Files(env.FILES, 'https://storage.example', unlimitedStorage);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const HTML = '<!DOCTYPE html><html><body><script>alert(1)</script></body></html>';

type Content = string | Uint8Array;
const bytesOf = (content: Content) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

async function upload(content: Content, name: string, declared?: string) {
  const files = [memoryFile(name, bytesOf(content), declared)];
  const { value } = await runTool(uploadFile, {}, { files, ports: { storage } });
  const object = await env.FILES.get(`files/${value.fileId}`);
  return { value, type: object?.httpMetadata?.contentType, bytes: await object?.bytes() };
}

const typeOf = async (content: Content, name: string, declared?: string) =>
  (await upload(content, name, declared)).type;

const expectRefused = (content: Content, name: string, declared?: string, message = /refused/) =>
  expect(upload(content, name, declared), `${name} as ${declared}`).rejects.toMatchObject({
    status: 400,
    code: 'bad_request',
    param: 'file',
    message: expect.stringMatching(message),
  });

function utf16(text: string, littleEndian: boolean, mark = true): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let index = 0; index < text.length; index += 1) {
    view.setUint16(index * 2, text.charCodeAt(index), littleEndian);
  }
  const start = !mark ? [] : littleEndian ? [0xff, 0xfe] : [0xfe, 0xff];
  return Uint8Array.from([...start, ...new Uint8Array(view.buffer)]);
}

async function gzip(content: Content): Promise<Uint8Array> {
  const stream = new Blob([bytesOf(content) as Uint8Array<ArrayBuffer>]).stream();
  return new Response(stream.pipeThrough(new CompressionStream('gzip'))).bytes();
}

describe('upload_file', () => {
  it('stores the bytes unchanged and returns link, ID, name, size and storage', async () => {
    const { value, bytes } = await upload('hello\n', 'a ü.txt');
    expect(value).toEqual({
      url: `https://storage.example/files/${value.fileId}/a%20%C3%BC.txt`,
      fileId: expect.stringMatching(/^[\da-z]{6}[\dA-Za-z]{22}$/),
      filename: 'a ü.txt',
      contentType: 'text/plain; charset=utf-8',
      size: 6,
      expiresAt: fileExpiryText(value.fileId as string),
      storage: 'r2',
      deleteToken: expect.stringMatching(/^\w{22}$/),
    });
    expect(new TextDecoder().decode(bytes)).toBe('hello\n');
  });

  it('returns a link that expires after 7 days', async () => {
    const before = Date.now();
    const { value } = await upload('hello', 'a.txt');
    const days = (fileExpiry(value.fileId as string)! - before) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(7);
    expect(days).toBeLessThan(7.01);
  });

  it('rejects a missing file, two files and an empty file', async () => {
    const run = (contents: string[]) => {
      const files = contents.map((content) => memoryFile('a.txt', bytesOf(content)));
      return runTool(uploadFile, {}, { files, ports: { storage } });
    };
    await expect(run([])).rejects.toMatchObject({ status: 400, param: 'file' });
    await expect(run(['a', 'b'])).rejects.toMatchObject({ status: 400, param: 'file' });
    await expect(run([''])).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/empty/),
    });
  });

  it('returns 413 for one byte over 50 MB', async () => {
    const file = { ...memoryFile('a.txt', bytesOf('x')), size: MAX_FILE_BYTES + 1 };
    const run = runTool(uploadFile, {}, { files: [file], ports: { storage } });
    await expect(run).rejects.toMatchObject({ status: 413, param: 'file' });
  });
});

describe('upload_file with text', () => {
  it('serves it as plain text, CSV or JSON, as declared or named', async () => {
    expect(await typeOf('hello', 'a.txt')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('hello', 'a')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('# hello', 'a.md', 'text/markdown')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('a,b\n1,2\n', 'a.csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('a,b\n1,2\n', 'a.txt', 'text/csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('a;b', 'a.csv', 'application/vnd.ms-excel')).toBe(
      'text/csv; charset=utf-8',
    );
    expect(await typeOf('{"a":1}', 'a.json')).toBe('application/json');
    expect(await typeOf('{"a":1}', 'a', 'application/json')).toBe('application/json');
    expect(await typeOf('{}\n{}', 'a.jsonl', 'application/x-ndjson')).toBe('application/json');
  });

  it('accepts UTF-8, and UTF-16 with a byte-order mark', async () => {
    expect(await typeOf('\ufeffgrüße 日本 😀', 'a.txt')).toBe('text/plain; charset=utf-8');
    expect(await typeOf(utf16('grüße', true), 'a.txt')).toBe('text/plain; charset=utf-16le');
    expect(await typeOf(utf16('grüße', false), 'a.txt', 'text/plain')).toBe(
      'text/plain; charset=utf-16be',
    );
  });

  it('accepts text that starts with another format’s signature', async () => {
    for (const text of [
      'BMW builds cars',
      'GIF89a is a format',
      'ID3 tags',
      'RIFF',
      'MZ',
      'II*',
      'PK',
      'Rar!',
    ]) {
      expect(await typeOf(text, 'a.txt', 'text/plain'), text).toBe('text/plain; charset=utf-8');
      expect(await typeOf(`${text}\n`.repeat(200), 'a.txt'), text).toBe(
        'text/plain; charset=utf-8',
      );
    }
    await expectRefused('BMW builds cars', 'a.bmp', 'image/bmp', /its bytes are text/);
  });

  it('rejects content with binary data at any position', async () => {
    for (const wrong of [[0xff], [0xc3], [0x00], [0x07], [0xed, 0xa0, 0x80]]) {
      for (const length of [10, 70_000, 9_000_000]) {
        const bytes = new Uint8Array(length + wrong.length).fill(0x61);
        bytes.set(wrong, length);
        await expectRefused(bytes, 'a.txt', 'text/plain');
      }
    }
    await expectRefused(Uint8Array.of(0xe4, 0x20, 0x61), 'a.txt', 'text/plain', /Save it as UTF-8/);
    await expectRefused(Uint8Array.from([...utf16('abc', true), 0x00, 0xd8, 0x41, 0x00]), 'a.txt');
  });

  it('accepts a character that crosses the 64 KB boundary', async () => {
    for (const before of [65_533, 65_534, 65_535]) {
      expect(await typeOf(`${'a'.repeat(before)}😀`, 'a.txt')).toBe('text/plain; charset=utf-8');
    }
  });

  it('rejects text declared as a non-text type', async () => {
    for (const type of [
      'image/png',
      'application/pdf',
      'application/zip',
      'video/mp4',
      'application/msword',
    ]) {
      await expectRefused('hello', 'a', type, /its bytes are text/);
    }
  });
});

describe('upload_file with SVG and HTML', () => {
  it('rejects it by name, type and content', async () => {
    for (const content of [SVG, HTML]) {
      for (const [name, type] of [
        ['a.svg', undefined],
        ['a.html', undefined],
        ['a.svg', 'image/svg+xml'],
        ['a.html', 'text/html'],
        ['a.txt', 'text/plain'],
        ['a.txt', undefined],
        ['a.png', 'image/png'],
        ['a.json', 'application/json'],
        ['a.csv', 'text/csv'],
        ['a.pdf', 'application/pdf'],
        ['a', undefined],
      ] as const) {
        await expectRefused(content, name, type);
      }
    }
    for (const name of [
      'a.SVG',
      'a.Html',
      'a.htm',
      'a.xhtml',
      'a.svgz',
      'a.xml',
      'a.shtml',
      'a.mhtml',
      'a.js',
    ]) {
      await expectRefused('hello', name);
    }
    for (const type of [
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'text/javascript',
    ]) {
      await expectRefused('hello', 'a.txt', type);
    }
  });

  it('rejects it after white space, marks, comments or prologs, and in upper case', async () => {
    for (const content of [SVG, HTML, SVG.toUpperCase(), HTML.toUpperCase()]) {
      for (const before of [
        '',
        '\n\t \f\r',
        '\ufeff',
        '\ufeff \ufeff',
        '<!-- a comment -->\n',
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">',
        `${' '.repeat(5000)}`,
        `${'\n'.repeat(100_000)}`,
        `${' '.repeat(9_000_000)}`,
      ]) {
        await expectRefused(before + content, 'a.txt', 'text/plain');
      }
    }
  });

  it('rejects it in UTF-16, with and without a byte-order mark', async () => {
    for (const content of [SVG, HTML, `  ${SVG}`, `<?xml version="1.0"?>${SVG}`]) {
      for (const littleEndian of [true, false]) {
        for (const mark of [true, false]) {
          await expectRefused(utf16(content, littleEndian, mark), 'a.txt');
          await expectRefused(utf16(content, littleEndian, mark), 'a.txt', 'text/plain');
        }
      }
    }
  });

  it('rejects it in gzip compression under any name', async () => {
    for (const content of [
      SVG,
      HTML,
      `\n\n${SVG}`,
      `${' '.repeat(20_000)}${SVG}`,
      `\ufeff${SVG}`,
    ]) {
      for (const [name, type] of [
        ['a.svgz', undefined],
        ['a.gz', undefined],
        ['a.gz', 'application/gzip'],
        ['a.bin', undefined],
      ] as const) {
        await expectRefused(await gzip(content), name, type);
      }
    }
    expect(await typeOf(await gzip('hello'), 'a.txt.gz')).toBe('application/gzip');
  });

  it('checks gzip content without unpacking all of it', async () => {
    const start = Date.now();
    const bomb = await gzip(new Uint8Array(30_000_000));
    expect(await typeOf(bomb, 'a.gz')).toBe('application/gzip');
    expect(Date.now() - start).toBeLessThan(60_000);
    const named = new Uint8Array(70_000).fill(0x61);
    named.set([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]);
    expect(await typeOf(named, 'a.gz')).toBe('application/gzip');
  });

  it('rejects it after the first letters of an image signature', async () => {
    for (const start of ['GIF89a', 'GIF87a', 'BM', 'GIF89a/*', 'ID3', 'RIFFaaaaWEBP']) {
      for (const content of [SVG, HTML]) {
        await expectRefused(start + content, 'a.gif', 'image/gif');
        await expectRefused(start + content, 'a');
        await expectRefused(start + content, 'a.txt', 'text/plain');
        await expectRefused(`${start}\0\0${content}`, 'a.txt', 'text/plain');
      }
    }
    await expectRefused(`GIF89a\x01\0\x01\0\0\0\0${HTML}`, 'a.gif', 'image/gif', /is not one/);
  });

  it('accepts text that only mentions it', async () => {
    expect(await typeOf('Write <b>bold</b> as <script> does.', 'a.txt')).toBe(
      'text/plain; charset=utf-8',
    );
    expect(await typeOf('{"html":"<html></html>"}', 'a.json')).toBe('application/json');
    expect(await typeOf('a,b\n<svg>,1\n', 'a.csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('1 < 2 and <3', 'a.txt')).toBe('text/plain; charset=utf-8');
  });
});

describe('upload_file with bytes that contradict their type', () => {
  const PDF = '%PDF-1.4\n%\xe2\xe3\n1 0 obj\nendobj\n%%EOF\n';
  const PNG = Uint8Array.fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p9kQKgAAAABJRU5ErkJggg==',
  );

  it('rejects them and names the detected type', async () => {
    await expectRefused(
      PNG,
      'a.jpg',
      'image/jpeg',
      /declared as image\/jpeg, but its bytes are image\/png/,
    );
    await expectRefused(PNG, 'a.txt', 'text/plain', /its bytes are image\/png/);
    await expectRefused(PNG, 'a.json', 'application/json', /its bytes are image\/png/);
    await expectRefused(PDF, 'a.txt', 'text/plain', /its bytes are application\/pdf/);
    await expectRefused(
      PDF,
      'a.docx',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    );
  });

  it('uses the detected type if none is declared', async () => {
    expect(await typeOf(PNG, 'a.jpg')).toBe('image/png');
    expect(await typeOf(PNG, 'a')).toBe('image/png');
    expect(await typeOf(PDF, 'a.txt')).toBe('application/pdf');
  });

  it('accepts a PDF with a late header if it is declared as one', async () => {
    const late = `%!PS-Adobe-3.0 PDF-Adobe-3.0\n${PDF}`;
    expect(await typeOf(late, 'a.pdf', 'application/pdf')).toBe('application/pdf');
    expect(await typeOf(`junk\n${PDF}`, 'a.pdf')).toBe('application/pdf');
    expect(await typeOf('about %PDF-1.4', 'a.txt')).toBe('text/plain; charset=utf-8');
    await expectRefused(`${HTML}${PDF}`, 'a.pdf', 'application/pdf');
  });

  it('rejects programs and unknown file types', async () => {
    const start = (...bytes: number[]) => Uint8Array.from([...bytes, ...new Uint8Array(200)]);
    await expectRefused(start(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1), 'a');
    await expectRefused(start(0x4d, 0x5a, 0x90, 0x00), 'a.exe');
    await expectRefused(start(1, 2, 3, 4), 'a.bin', undefined, /type is unknown/);
    await expectRefused(Uint8Array.of(0), 'a.txt');
  });
});
