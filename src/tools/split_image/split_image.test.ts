import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { memoryFile } from '../../core/input-file.ts';
import { MB } from '../../core/limits.ts';
import type { MediaPort } from '../../core/ports.ts';
import { splitImage } from './split_image.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const PNG = memoryFile('comic.v2.png', bytes('\x89PNG\r\n\x1a\n.'));

async function split(parameters: Record<string, unknown>, given = PNG, panels = 4) {
  const asked: unknown[] = [];
  const media: MediaPort = {
    async run(operation, params) {
      asked.push([operation, params]);
      const meta = { panels, warnings: ['only the first frame'] };
      return { body: new Blob(['PK']).stream(), contentType: 'application/zip', size: 2, meta };
    },
  };
  const ran = await runTool(splitImage, parameters, { files: [given], ports: { media } });
  return { file: ran.file, warnings: ran.warnings, asked };
}

describe('split_image', () => {
  it.each([
    [
      { rows: 2, cols: 3 },
      { rows: 2, cols: 3 },
    ],
    [{ rows: 4 }, { rows: 4, cols: 1 }],
    [{ cols: 20 }, { rows: 1, cols: 20 }],
    [{}, {}],
  ])('asked for %j cuts by %j', async (parameters, cut) => {
    const { file, warnings, asked } = await split(parameters);
    expect(asked).toEqual([['split_image', cut]]);
    expect(file).toMatchObject({
      contentType: 'application/zip',
      filename: 'comic.v2-panels.zip',
      size: 2,
    });
    expect(warnings).toEqual(['only the first frame']);
  });

  it('advises rows and cols where no panels are found', async () => {
    await expect(split({}, PNG, 0)).rejects.toMatchObject({
      status: 400,
      code: 'bad_request',
      message: expect.stringMatching(/comic\.v2\.png.*rows and cols/),
    });
  });

  it.each([{ rows: 0 }, { rows: 21 }, { cols: 1.5 }, { cols: '3' }, { cols: -1 }])(
    'refuses %j',
    async (parameters) => {
      const param = Object.keys(parameters)[0];
      await expect(split(parameters)).rejects.toMatchObject({ status: 400, param });
    },
  );

  it('refuses PDFs, and files over 50 MB', async () => {
    const pdf = memoryFile('a.png', bytes('%PDF-1.7'));
    await expect(split({}, pdf)).rejects.toMatchObject({
      status: 400,
      param: 'file',
      message: /is a PDF/,
    });
    const large = { ...PNG, size: 50 * MB + 1 };
    await expect(split({}, large)).rejects.toMatchObject({ status: 413 });
  });
});
