/** Tests the warnings about signatures and forms that a merged or split file cannot keep. */
import { PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';

afterAll(emptyFolder);

async function pdf(name: string, isSigned: boolean): Promise<string> {
  const document = await PDFDocument.create();
  document.addPage([300, 200]);
  document.addPage([300, 200]);
  const form = document.context.obj({ Fields: [], SigFlags: 3 });
  if (isSigned) document.catalog.set(PDFName.of('AcroForm'), form);
  return put(`${name}.pdf`, await document.save());
}

const NOT_VALID = 'The result has no valid digital signatures from';

it('merge_pdf names the signed files', async () => {
  const files = [await pdf('plain', false), await pdf('contract', true), await pdf('deed', true)];
  const { meta } = await operate('merge_pdf', {}, files);
  expect(meta.warnings).toEqual([`${NOT_VALID} "contract.pdf", "deed.pdf".`]);
});

it('merge_pdf names at most five signed files', async () => {
  const files = await Promise.all(Array.from({ length: 7 }, (_, index) => pdf(`s${index}`, true)));
  const { meta } = await operate('merge_pdf', {}, files);
  expect(meta.warnings).toEqual([expect.stringContaining('"s4.pdf" and 2 more.')]);
});

it.each([1, 5])(
  'split_pdf warns about a signed file that it splits into %i parts',
  async (count) => {
    const ranges = Array.from({ length: count }, () => [[1, 1]]);
    const { meta } = await operate('split_pdf', { ranges }, [await pdf('contract', true)]);
    expect(meta.warnings).toEqual([`${NOT_VALID} "contract.pdf".`]);
  },
);

it('a dynamic XFA form is named, because its pages do not contain it', async () => {
  const document = await PDFDocument.create();
  document.addPage([300, 200]);
  document.catalog.set(
    PDFName.of('NeedsRendering'),
    document.context.register(document.context.obj(true)),
  );
  const form = document.context.obj({ Fields: [], XFA: 'template' });
  document.catalog.set(PDFName.of('AcroForm'), form);
  const files = [await put('xfa.pdf', await document.save()), await pdf('plain', false)];
  const { meta } = await operate('merge_pdf', {}, files);
  expect(meta.warnings).toEqual([
    expect.stringContaining('of "xfa.pdf", but no dynamic XFA forms'),
  ]);
});

it('other files cause no warning', async () => {
  const files = [await pdf('one', false), await pdf('two', false)];
  const { meta } = await operate('merge_pdf', {}, files);
  expect(meta.warnings).toBeUndefined();
});
