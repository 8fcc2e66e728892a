import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { failed } from '../../core/errors.ts';
import { memoryFile } from '../../core/input-file.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import type { MediaPort } from '../../core/ports.ts';
import { parseDocument } from './parse_document.ts';

const answering = (value: unknown): MediaPort => ({
  run: async () => ({
    body: new Blob([JSON.stringify(value)]).stream(),
    contentType: 'application/json',
    size: undefined,
    meta: {},
  }),
});

const noMedia: MediaPort = {
  run: async () => {
    throw new Error('the media worker is not needed');
  },
};

const parse = (name: string, bytes: Uint8Array | string, media = noMedia) => {
  const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return runTool(parseDocument, {}, { files: [memoryFile(name, content)], ports: { media } });
};

describe('parse_document of a .txt file', () => {
  it('decodes it as UTF-8 and counts its words', async () => {
    const text = 'Grüße,\r\n\tnaïve  日本語 text\f😀\n';
    const { value, warnings } = await parse('a.txt', text);
    expect(value).toEqual({ text, metadata: { format: 'txt', words: 5 } });
    expect(warnings).toEqual([]);
  });

  it('removes a byte-order mark', async () => {
    expect((await parse('a.txt', '\ufeffhello')).value.text).toBe('hello');
  });

  it('replaces invalid UTF-8 with U+FFFD and warns', async () => {
    const { value, warnings } = await parse('a.txt', Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
    expect(value.text).toBe('caf\ufffd');
    expect(warnings).toEqual([expect.stringContaining('U+FFFD')]);
  });

  it('reads UTF-16 as UTF-8 and warns of the encoding', async () => {
    const { value, warnings } = await parse('a.txt', Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0));
    expect(value.text).toBe('\ufffd\ufffdh\0i\0');
    expect(warnings).toEqual([expect.stringMatching(/is UTF-16.+Save the file as UTF-8/)]);
  });

  it('detects the type by extension in any letter case, not by content', async () => {
    expect((await parse('a.TXT', '%PDF-1.4')).value.text).toBe('%PDF-1.4');
  });

  it('counts no words in white space', async () => {
    expect((await parse('a.txt', ' \n\u00a0\u3000')).value.metadata).toEqual({
      format: 'txt',
      words: 0,
    });
  });
});

describe('parse_document of a large .txt file', () => {
  it('returns the same JSON with a known length, written while the file is read', async () => {
    const text = 'A "line" of Grüße, 日本語, \\ and 😀 in it.\n'.repeat(200_000);
    const { file } = await parse('book.txt', text);
    const bytes = await new Response(file.body).arrayBuffer();
    expect(file.contentType).toBe('application/json');
    expect(file.size).toBe(bytes.byteLength);
    const { text: found, metadata } = JSON.parse(new TextDecoder().decode(bytes));
    expect(found === text).toBe(true);
    expect(metadata).toEqual({ format: 'txt', words: 200_000 * 10 });
  });

  it('warns about bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array(9 * 2 ** 20).fill(0xe9);
    const { file, warnings } = await parse('latin.txt', bytes);
    await new Response(file.body).arrayBuffer();
    expect(warnings).toEqual([expect.stringContaining('U+FFFD')]);
  });
});

describe('parse_document of a .pdf file', () => {
  it('runs in the media worker', async () => {
    const parsed = {
      text: 'a\n--- Page 2 ---\nb',
      metadata: { format: 'pdf', pages: 2, words: 2 },
    };
    expect((await parse('a.PDF', '%PDF-1.4', answering(parsed))).value).toEqual(parsed);
  });

  it('returns 422 if the file contains only images', async () => {
    const metadata = { format: 'pdf', pages: 1, words: 0, imageOnly: true };
    const media: MediaPort = {
      run: async () => {
        throw failed('no text layer', { metadata });
      },
    };
    await expect(parse('a.pdf', '%PDF-1.4', media)).rejects.toMatchObject({
      status: 422,
      extra: { metadata },
    });
  });
});

describe('parse_document with options', () => {
  const parsed = { text: 'a', metadata: { format: 'pdf', pages: 9, words: 1 } };

  it('sends pages as spans and returns the warnings', async () => {
    const calls: unknown[] = [];
    const media: MediaPort = {
      run: async (_, params, files, signal) => {
        calls.push(params);
        const result = await answering(parsed).run('', {}, files, signal);
        return { ...result, meta: { warnings: ['Page 2: only images.'] } };
      },
    };
    const { warnings } = await runTool(
      parseDocument,
      { pages: '1-3, 9', format: 'markdown', layout: true, ocr: 'auto', language: 'deu' },
      { files: [memoryFile('a.pdf', new Uint8Array(9))], ports: { media } },
    );
    const pages = [
      [1, 3],
      [9, 9],
    ];
    expect(calls).toEqual([
      { pages, format: 'markdown', layout: true, ocr: 'auto', language: 'deu' },
    ]);
    expect(warnings).toEqual(['Page 2: only images.']);
  });

  it('warns that a text file has no pages and no layout', async () => {
    const files = [memoryFile('a.txt', new TextEncoder().encode('hello'))];
    const { value, warnings } = await runTool(
      parseDocument,
      { pages: '2', layout: true },
      { files, ports: { media: noMedia } },
    );
    expect(value.text).toBe('hello');
    expect(warnings).toEqual([
      'pages: A text file has no pages, so all of it was read.',
      'layout: A text file has no layout.',
    ]);
  });

  it('rejects invalid page ranges', async () => {
    const files = [memoryFile('a.pdf', new Uint8Array(9))];
    await expect(
      runTool(parseDocument, { pages: '3-1' }, { files, ports: { media: noMedia } }),
    ).rejects.toMatchObject({ status: 400, param: 'pages' });
  });
});

describe('parse_document', () => {
  it('rejects .docx, every other extension and a missing extension', async () => {
    for (const name of ['a.docx', 'a.doc', 'a.md', 'a.pdf.zip', 'pdf', 'txt']) {
      await expect(parse(name, 'text'), name).rejects.toMatchObject({
        status: 400,
        param: 'file',
        message: expect.stringContaining('.txt or .pdf'),
      });
    }
  });

  it('rejects more than 50 MB', async () => {
    const large = { ...memoryFile('a.txt', new Uint8Array(1)), size: MAX_FILE_BYTES + 1 };
    await expect(
      runTool(parseDocument, {}, { files: [large], ports: { media: noMedia } }),
    ).rejects.toMatchObject({ status: 413 });
  });
});
