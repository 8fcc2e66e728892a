import { PDFDocument, PDFName } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { badRequest, unavailable } from '../../core/errors.ts';
import { memoryFile } from '../../core/input-file.ts';
import type { MediaPort, MediaResult } from '../../core/ports.ts';
import { compressPdf } from './compress_pdf.ts';

const media = (result: () => Partial<MediaResult>): MediaPort => ({
  run: async () => ({
    body: new Blob([]).stream(),
    contentType: 'application/pdf',
    size: 0,
    meta: {},
    ...result(),
  }),
});

const absent = media(() => {
  throw unavailable('The media worker is not answering.', 5);
});

/** Returns a plain PDF without object streams. */
async function pdf(change?: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= 40; page += 1) document.addPage([300, 300]);
  change?.(document);
  return document.save({ useObjectStreams: false });
}

async function compress(port: MediaPort, bytes: Uint8Array, name = 'book.pdf') {
  const files = [memoryFile(name, bytes)];
  const { file, warnings } = await runTool(compressPdf, {}, { files, ports: { media: port } });
  const body = new Uint8Array(await new Response(file.body).arrayBuffer());
  return { ...file, bytes: body, warnings };
}

describe('compress_pdf', () => {
  it('returns the media worker’s result with both sizes in headers', async () => {
    const saved = { structure: 250, fonts: 180_240 };
    const smaller = media(() => ({
      body: new Blob(['smaller']).stream(),
      size: 7,
      meta: { saved, undone: [] },
    }));
    const input = await pdf();
    const { bytes, headers, filename, contentType, size, warnings } = await compress(
      smaller,
      input,
    );
    expect(new TextDecoder().decode(bytes)).toBe('smaller');
    expect({ filename, contentType, size }).toEqual({
      filename: 'book-compressed.pdf',
      contentType: 'application/pdf',
      size: 7,
    });
    expect(headers).toEqual({
      'X-Input-Bytes': String(input.length),
      'X-Output-Bytes': '7',
      'X-Compression-Note': 'Saved: fonts 180.2 kB, structure 0.3 kB.',
    });
    expect(warnings).toEqual([]);
  });

  it('passes the level to the media worker, and suggests the strong one if the media worker does', async () => {
    const levels: unknown[] = [];
    const port: MediaPort = {
      run: async (operation, params, ...rest) => {
        levels.push(params);
        const result = media(() => ({ meta: { unchanged: 'as it is', mayShrinkMore: true } }));
        return result.run(operation, params, ...rest);
      },
    };
    const files = [memoryFile('book.pdf', await pdf())];
    const { warnings } = await runTool(compressPdf, {}, { files, ports: { media: port } });
    expect(warnings).toEqual([
      'Strong compression may make this file smaller, but images lose sharpness. Run again with `level: "strong"`.',
      'Unchanged: as it is.',
    ]);
    await runTool(compressPdf, { level: 'strong' }, { files, ports: { media: port } });
    expect(levels).toEqual([{ level: 'standard' }, { level: 'strong' }]);
  });

  it('does not promise on its page that photos stay as they are', () => {
    expect(compressPdf.form?.level?.help).toMatch(/^With Standard, photos lose only fine detail/);
  });

  it('rejects an unknown level', async () => {
    const files = [memoryFile('book.pdf', await pdf())];
    await expect(runTool(compressPdf, { level: 'extreme' }, { files })).rejects.toMatchObject({
      status: 400,
      param: 'level',
    });
  });

  it('reports what was not compressed because it would change the pages', async () => {
    const smaller = media(() => ({ meta: { saved: { images: 5000 }, undone: ['fonts'] } }));
    const { headers } = await compress(smaller, await pdf());
    expect(headers['X-Compression-Note']).toBe(
      'Saved: images 5.0 kB. Some parts were left unchanged, because reducing them would have lost content or changed pages: fonts.',
    );
  });

  it('does not name kinds that would be shown as 0.0 kB', async () => {
    const saved = { images: 5000, fonts: 49, metadata: 0 };
    const smaller = media(() => ({ meta: { saved, undone: [] } }));
    const { headers } = await compress(smaller, await pdf());
    expect(headers['X-Compression-Note']).toBe('Saved: images 5.0 kB.');
  });

  it('returns the original bytes with the reason in a header if nothing can be saved', async () => {
    const nothing = media(() => ({ meta: { unchanged: 'the file is digitally signed' } }));
    const input = await pdf();
    const { bytes, headers, size, warnings } = await compress(nothing, input);
    expect(bytes).toEqual(input);
    expect(size).toBe(input.length);
    const reason = 'Unchanged: the file is digitally signed.';
    expect(headers).toEqual({
      'X-Input-Bytes': String(input.length),
      'X-Output-Bytes': String(input.length),
      'X-Compression-Note': reason,
    });
    expect(warnings).toEqual([reason]);
  });

  it('rejects images and videos', async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
    const mp4 = new TextEncoder().encode('\0\0\0\x18ftypmp42');
    for (const bytes of [png, mp4]) {
      await expect(compress(absent, bytes, 'named.pdf')).rejects.toMatchObject({
        status: 400,
        param: 'file',
      });
    }
  });

  it('returns the media worker’s error about the file', async () => {
    const refusing = media(() => {
      throw badRequest('"book.pdf" needs a password.');
    });
    await expect(compress(refusing, await pdf())).rejects.toMatchObject({ status: 400 });
  });
});

describe('compress_pdf without the media worker', () => {
  it('rewrites a small plain file with object streams and reports why it did no more', async () => {
    const input = await pdf();
    const { bytes, headers, warnings } = await compress(absent, input);
    expect(bytes.length).toBeLessThan(input.length);
    expect((await PDFDocument.load(bytes)).getPageCount()).toBe(40);
    expect(headers['X-Output-Bytes']).toBe(String(bytes.length));
    expect(headers['X-Compression-Note']).toContain('temporarily unavailable');
    expect(headers['X-Compression-Note']).toContain('object streams');
    expect(warnings).toEqual([headers['X-Compression-Note']]);
  });

  it('ignores the level', async () => {
    const files = [memoryFile('book.pdf', await pdf())];
    const run = (level: string) =>
      runTool(compressPdf, { level }, { files, ports: { media: absent } });
    const [standard, strong] = [await run('standard'), await run('strong')];
    expect(strong.file.headers).toEqual(standard.file.headers);
    expect(strong.warnings).toEqual(standard.warnings);
  });

  it('returns the original bytes of a large file or one that pdf-lib might damage', async () => {
    const tagged = await pdf((document) => {
      document.catalog.set(PDFName.of('AcroForm'), document.context.obj({ Fields: [] }));
    });
    const large = await pdf((document) => {
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      for (let count = 0; count < 20; count += 1) {
        document.context.register(document.context.stream(bytes));
      }
    });
    for (const input of [tagged, large]) {
      const { bytes, headers, size } = await compress(absent, input);
      expect(bytes).toEqual(input);
      expect(size).toBe(input.length);
      expect(headers['X-Compression-Note']).toContain('The file is unchanged');
    }
  });

  it('does nothing after the caller disconnects', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    const files = [memoryFile('book.pdf', await pdf())];
    await expect(
      runTool(compressPdf, {}, { files, ports: { media: absent }, signal }),
    ).rejects.toThrow('gone');
  });
});
