/** Tests parse_document with `ocr: "auto"`, which recognizes only pages without usable text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, expect, it } from 'vitest';
import { distilled, emptyFolder, folder, operate, put } from '../pdf/test-files.ts';
import { run } from '../test-operation.ts';

afterAll(emptyFolder);

/** Makes a PDF of three pages. The middle page shows these lines as an image, and the others contain text. */
async function mixed(...lines: string[]): Promise<string> {
  const shown = lines.map((line, index) => `72 ${200 - 20 * index} moveto (${line}) show`);
  const source = distilled(
    'source',
    `<</PageSize [595 300]>> setpagedevice /Helvetica 14 selectfont ${shown.join(' ')} showpage`,
  );
  run('pdftoppm', '-r', '150', '-png', '-singlefile', source, join(folder, 'page'));
  const document = await PDFDocument.create();
  document.addPage([300, 100]).drawText('Before');
  const image = await document.embedPng(readFileSync(join(folder, 'page.png')));
  document.addPage([595, 300]).drawImage(image, { width: 595, height: 300 });
  document.addPage([300, 100]).drawText('After');
  return put('mixed.pdf', await document.save());
}

it('parse_document reads image-only pages of a mixed PDF by OCR, with a warning', async () => {
  const path = await mixed('Scanned words');
  const { bytes, meta } = await operate('parse_document', { ocr: 'auto' }, [path]);
  expect(JSON.parse(bytes.toString('utf8'))).toEqual({
    text: 'Before\n--- Page 2 ---\nScanned words\n--- Page 3 ---\nAfter',
    metadata: { format: 'pdf', pages: 3, words: 4, recognised: [2] },
  });
  expect(meta.warnings).toEqual([
    expect.stringMatching(/^Page 2: there are only images.+recognized by OCR/),
  ]);
});

it('parse_document reads them in the given language, and names the language of text that looks like another', async () => {
  const path = await mixed(
    'Der Vertrag wird mit der Stadt und den Bewohnern geschlossen',
    'und ist nicht nur eine Vereinbarung, die von dem Rat kommt,',
    'aber auch ein Versprechen, das sich nach der Zeit richtet.',
    'Der Rat der Stadt ist von dem Vertrag nicht ausgenommen.',
  );
  const guessed = await operate('parse_document', { ocr: 'auto' }, [path]);
  expect(guessed.meta.warnings).toContainEqual(
    'The text looks like German. Run again with `language: "deu"`.',
  );
  const given = await operate('parse_document', { ocr: 'auto', language: 'deu' }, [path]);
  expect(given.meta.warnings).toEqual([expect.stringMatching(/^Page 2: there are only images/)]);
  const { text } = JSON.parse(given.bytes.toString('utf8'));
  expect(text).toContain('mit der Stadt und den Bewohnern');
});
