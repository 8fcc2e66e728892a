import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { type InputFile, memoryFile } from '../../core/input-file.ts';
import { MB } from '../../core/limits.ts';
import type { MediaPort } from '../../core/ports.ts';
import { imagesToPdf } from './images_to_pdf.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const PNG = memoryFile('a.png', bytes('\x89PNG\r\n\x1a\n.'));
const PDF = memoryFile('b.pdf', bytes('%PDF-1.7 .'));

async function make(parameters: Record<string, unknown>, files: InputFile[] = [PNG]) {
  const requested: unknown[] = [];
  const media: MediaPort = {
    async run(operation, params, given) {
      requested.push([operation, params, given.map(({ name }) => name)]);
      const meta = { warnings: ['only the first frame'] };
      return { body: new Blob(['%PDF-']).stream(), contentType: 'application/pdf', size: 5, meta };
    },
  };
  const ran = await runTool(imagesToPdf, parameters, { files, ports: { media } });
  return { file: ran.file, warnings: ran.warnings, requested };
}

describe('images_to_pdf', () => {
  it('sends images and PDFs in order, with page size fit and no margin by default', async () => {
    const { file, warnings, requested } = await make({}, [PNG, PDF, PNG]);
    expect(requested).toEqual([
      [
        'images_to_pdf',
        { pageSize: 'fit', orientation: 'portrait', margin: 0, frames: 'first' },
        ['a.png', 'b.pdf', 'a.png'],
      ],
    ]);
    expect(file).toMatchObject({ contentType: 'application/pdf', filename: 'images.pdf', size: 5 });
    expect(warnings).toEqual(['only the first frame']);
  });

  it('passes all parameters to the media worker', async () => {
    for (const pageSize of ['fit', 'a4', 'letter']) {
      const params = { pageSize, orientation: 'auto', margin: 36.5, frames: 'all' };
      const { requested } = await make(params);
      expect(requested).toEqual([['images_to_pdf', params, ['a.png']]]);
    }
  });

  it.each([
    [{ pageSize: 'a5' }, 'pageSize'],
    [{ margin: -1 }, 'margin'],
    [{ margin: '10' }, 'margin'],
    [{ pageSize: 'a4', margin: 297.5 }, 'margin'],
    [{ pageSize: 'letter', margin: 306 }, 'margin'],
    [{ margin: 1e9 }, 'margin'],
  ])('rejects %j', async (parameters, param) => {
    await expect(make(parameters)).rejects.toMatchObject({ status: 400, param });
  });

  it('rejects anything but an image or PDF and names the file', async () => {
    const video = memoryFile('film.mp4', bytes('\0\0\0\x18ftypmp42\0\0\0\0'));
    await expect(make({}, [PNG, video])).rejects.toMatchObject({
      status: 400,
      param: 'files',
      message: expect.stringMatching(/film\.mp4 is a video/),
    });
  });

  it('accepts 1 to 100 files of 50 MB in total', async () => {
    await expect(make({}, [])).rejects.toMatchObject({ status: 400, param: 'files' });
    await make(
      {},
      Array.from({ length: 100 }, () => PNG),
    );
    await expect(
      make(
        {},
        Array.from({ length: 101 }, () => PNG),
      ),
    ).rejects.toMatchObject({ status: 400 });
    const half = { ...PNG, size: 25 * MB };
    await make({}, [half, half]);
    await expect(make({}, [half, half, PNG])).rejects.toMatchObject({ status: 413 });
  });
});
