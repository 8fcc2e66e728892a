import { describe, expect, it } from 'vitest';
import { modelsOf, saying } from '../../../test/support/models.ts';
import { runTool } from '../../../test/support/run-tool.ts';
import { Models } from '../../adapters/models.ts';
import { memoryFile } from '../../core/input-file.ts';
import { MB } from '../../core/limits.ts';
import type { MediaPort, Ports } from '../../core/ports.ts';
import { asCalled } from '../../execute/execute.ts';
import { splitImage } from './split_image.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const PNG = memoryFile('comic.v2.png', bytes('\x89PNG\r\n\x1a\n.'));

/** @param panels the number of panels that the gutter search finds */
async function split(
  parameters: Record<string, unknown>,
  given = PNG,
  panels = 4,
  models: Ports['models'] = new Models([]),
) {
  const requested: unknown[] = [];
  const media: MediaPort = {
    async run(operation, params) {
      requested.push([operation, params]);
      if (operation === 'compress_image') {
        const meta = { width: 1024, height: 512 };
        return { body: new Blob(['jpeg']).stream(), contentType: 'image/jpeg', size: 4, meta };
      }
      const found = 'boxes' in params ? (params.boxes as unknown[]).length : panels;
      const meta = { panels: found, warnings: ['only the first frame'] };
      return { body: new Blob(['PK']).stream(), contentType: 'application/zip', size: 2, meta };
    },
  };
  const ran = await runTool(splitImage, parameters, { files: [given], ports: { media, models } });
  return { file: ran.file, warnings: ran.warnings, requested };
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
  ])('with parameters %j cuts by %j', async (parameters, cut) => {
    const { file, warnings, requested } = await split(parameters);
    expect(requested).toEqual([['split_image', cut]]);
    expect(file).toMatchObject({
      contentType: 'application/zip',
      filename: 'comic.v2-panels.zip',
      size: 2,
    });
    expect(warnings).toEqual(['only the first frame']);
  });

  it('cuts by the repaired boxes of the vision model if there are no gutters', async () => {
    const panels = [
      { x: 0, y: 0, width: 512, height: 512 },
      { x: 500, y: -20, width: 900, height: 600 },
      { x: 5000, y: 0, width: 10, height: 10 },
    ];
    const seen = saying(JSON.stringify({ panels }));
    const { requested } = await split({}, PNG, 0, seen);
    expect(requested.at(-1)).toEqual([
      'split_image',
      {
        boxes: [
          { x: 0, y: 0, width: 506, height: 512 },
          { x: 506, y: 0, width: 518, height: 512 },
        ],
        of: { width: 1024, height: 512 },
      },
    ]);
  });

  it('calls no model if rows and cols are given or gutters are found', async () => {
    for (const parameters of [{ rows: 2 }, {}]) {
      const { requested } = await split(parameters, PNG, 4, modelsOf('error'));
      expect(requested).toHaveLength(1);
    }
  });

  it('requires remaining tokens only if it may call a model', () => {
    expect(asCalled(splitImage, {}).spendsTokens).toBe(true);
    for (const parameters of [{ rows: 2, cols: 2 }, { rows: 2 }, { cols: 2 }])
      expect(asCalled(splitImage, parameters).spendsTokens).toBe(false);
  });

  it('returns 400 if the model finds no panels either, and 502 if the model fails', async () => {
    await expect(split({}, PNG, 0, saying('{"panels":[]}'))).rejects.toMatchObject({ status: 400 });
    await expect(split({}, PNG, 0, modelsOf('error'))).rejects.toMatchObject({ status: 502 });
  });

  it('suggests rows and cols if no panels are found', async () => {
    await expect(split({}, PNG, 0)).rejects.toMatchObject({
      status: 400,
      code: 'bad_request',
      message: expect.stringMatching(/comic\.v2\.png.*rows and cols/),
    });
  });

  it.each([{ rows: 0 }, { rows: 21 }, { cols: 1.5 }, { cols: '3' }, { cols: -1 }])(
    'rejects %j',
    async (parameters) => {
      const param = Object.keys(parameters)[0];
      await expect(split(parameters)).rejects.toMatchObject({ status: 400, param });
    },
  );

  it('rejects PDFs, and files over 50 MB', async () => {
    const pdf = memoryFile('a.png', bytes('%PDF-1.7'));
    await expect(split({}, pdf)).rejects.toMatchObject({
      status: 400,
      param: 'file',
      message: expect.stringMatching(/is a PDF/),
    });
    const large = { ...PNG, size: 50 * MB + 1 };
    await expect(split({}, large)).rejects.toMatchObject({ status: 413 });
  });
});
