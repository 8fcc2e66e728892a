/** Tests adding invisible text to pages that already have content. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LayerPage } from '../../pdf/text-layer.ts';
import { WorkLimit } from '../../work-limit.ts';
import { run } from '../test-operation.ts';
import { layerText } from './layer-text.ts';
import { distilled, emptyFolder, folder } from './test-files.ts';
import { check, renderings } from './test-looks.ts';

afterAll(emptyFolder);

async function layered(path: string, layer: Partial<LayerPage> & Pick<LayerPage, 'lines'>) {
  const directory = mkdtempSync(join(folder, 'layer-'));
  const layers = join(directory, 'layers.json');
  const whole = { index: 0, toPage: [1, 0, 0, 1, 0, 0], width: 595, height: 842, ...layer };
  writeFileSync(layers, JSON.stringify([whole]));
  const files = [{ name: 'a.pdf', path, size: (await stat(path)).size }];
  const { signal } = new AbortController();
  const context = { directory, signal, limit: WorkLimit.forFiles(files) };
  return (await layerText({ layers }, files, context)).path;
}

const line = (text: string) => {
  const box = { x: 100, y: 200, width: 200, height: 20 };
  const rest = { angle: 0, slope: 0, offset: -5, size: 20, descenders: 5 } as const;
  return { ...box, ...rest, words: [{ ...box, text, isJoined: false }] };
};

describe('a text layer', () => {
  it('keeps the appearance, the fonts and the bytes of a page', async () => {
    // The content of this page leaves the graphics state scaled and clipped.
    const path = distilled('own', '72 600 moveto (Own text) show 0 0 9 9 rectclip showpage');
    const file = await layered(path, { lines: [line('hidden')] });
    expect(check(file)).toContain('No syntax');
    expect(renderings(file)).toEqual(renderings(path));
    const [before, after] = [readFileSync(path), readFileSync(file)];
    expect(after.subarray(0, before.length)).toEqual(before);
    expect(run('pdftotext', '-raw', file, '-').split('\n').slice(0, 2).sort()).toEqual([
      'Own text',
      'hidden',
    ]);
    const [, left, top] = /xMin="(\d+).*? yMin="(\d+).*?>hidden/.exec(
      run('pdftotext', '-bbox', file, '-'),
    )!;
    expect([left, top]).toEqual(['100', '199']);
  });

  it('is not added if no text was read, and the file is unchanged', async () => {
    const path = distilled('empty', 'showpage');
    expect(readFileSync(await layered(path, { lines: [] }))).toEqual(readFileSync(path));
  });
});
