import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { memoryFile } from '../../core/input-file.ts';
import type { MediaPort } from '../../core/ports.ts';
import { extractTextOcr } from './extract_text_ocr.ts';

const png = memoryFile('a.png', new TextEncoder().encode('%PDF-1.7'));

/** Returns a fake media worker whose result is the call that it received. */
function media(meta: Record<string, unknown> = {}) {
  const requested: unknown[] = [];
  const port: MediaPort = {
    run: async (operation, params) => {
      requested.push([operation, params]);
      const { body } = Response.json({ text: 'hi', language: params.language, confidence: 0.9 });
      return { body: body!, contentType: 'application/json', size: undefined, meta };
    },
  };
  return { requested, port };
}

const run = (parameters: Record<string, unknown>, port = media().port, files = [png]) =>
  runTool(extractTextOcr, parameters, { files, ports: { media: port } });

describe('extract_text_ocr', () => {
  it('returns text, language and confidence', async () => {
    expect((await run({})).value).toEqual({ text: 'hi', language: 'eng', confidence: 0.9 });
  });

  it.each(['eng', 'ara', 'chi_sim', 'fra', 'deu', 'spa', 'jpn', 'kor'])(
    'passes the language %s to the media worker',
    async (language) => {
      const { requested, port } = media();
      await run({ language }, port);
      expect(requested).toEqual([['extract_text_ocr', { language }]]);
    },
  );

  it('passes several languages to the media worker without duplicates', async () => {
    const { requested, port } = media();
    await run({ languages: ['deu', 'eng', 'deu'] }, port);
    expect(requested).toEqual([
      ['extract_text_ocr', { language: 'eng', languages: ['deu', 'eng'] }],
    ]);
    await expect(run({ languages: [] })).rejects.toMatchObject({ status: 400 });
    await expect(run({ languages: ['eng', 'ita'] })).rejects.toMatchObject({ status: 400 });
  });

  it('returns words on request', async () => {
    const { requested, port } = media();
    await run({ output: 'words' }, port);
    expect(requested).toEqual([['extract_text_ocr', { language: 'eng', output: 'words' }]]);
    await expect(run({ output: 'hocr' })).rejects.toMatchObject({ status: 400, param: 'output' });
  });

  it('returns a searchable PDF as a file', async () => {
    const { requested, port } = media({ pages: 2 });
    const { file } = await run({ output: 'pdf' }, port);
    expect(requested).toEqual([['extract_text_ocr', { language: 'eng', output: 'pdf' }]]);
    expect(file).toMatchObject({
      contentType: 'application/pdf',
      filename: 'a-ocr.pdf',
      headers: { 'X-Input-Bytes': String(png.size) },
      facts: { pages: 2 },
    });
  });

  it('returns the operation’s warnings', async () => {
    const { warnings } = await run({}, media({ warnings: ['large'] }).port);
    expect(warnings).toEqual(['large']);
  });

  it.each(['ita', 'eng+deu', 'ENG', '', 7, null, ['eng']])(
    'rejects the language %j and lists the eight valid ones',
    async (language) => {
      await expect(run({ language })).rejects.toMatchObject({
        status: 400,
        param: 'language',
        message: expect.stringMatching(/eng.*ara.*chi_sim.*fra.*deu.*spa.*jpn.*kor/),
      });
    },
  );

  it('rejects a missing file, two files, and anything but an image or PDF', async () => {
    const text = memoryFile('a.png', new TextEncoder().encode('hello'));
    for (const files of [[], [png, png], [text]]) {
      await expect(run({}, undefined, files)).rejects.toMatchObject({ status: 400, param: 'file' });
    }
    const large = { ...png, size: 50 * 2 ** 20 + 1 };
    await expect(run({}, undefined, [large])).rejects.toMatchObject({ status: 413, param: 'file' });
  });
});
