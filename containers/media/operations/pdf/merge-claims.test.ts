/** Tests that a merged file claims to be PDF/A, PDF/UA, PDF/X or tagged only if all files claim it. */
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { emptyFolder, operate, put } from './test-files.ts';
import { file, simple } from './test-hostile-files.ts';
import * as look from './test-looks.ts';
import { element, taggedPage } from './test-tagged.ts';

afterAll(emptyFolder);

const elements = (part: string, level: string) =>
  `<rdf:Description rdf:about=""><pdfaid:part>${part}</pdfaid:part>\n<pdfaid:conformance>${level}</pdfaid:conformance></rdf:Description>`;

/** Writes a page with XMP metadata that contains these descriptions. */
function described(name: string, descriptions: string, info = ''): string {
  const namespaces = ['pdfaid="http://www.aiim.org/pdfa/ns/id/"', 'dc="http://purl.org/dc/"'];
  const xmp = `<rdf:RDF ${namespaces.map((one) => `xmlns:${one}`).join(' ')}>${descriptions}<dc:title>${name}</dc:title></rdf:RDF>`;
  const metadata = `<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>\nstream\n${xmp}\nendstream`;
  const objects = simple({ 8: metadata, 9: `<</Title(x)${info}>>` }, '/Metadata 8 0 R');
  return put(`${name}.pdf`, file(objects, '/Info 9 0 R'));
}

async function merge(...paths: string[]) {
  const { path, meta } = await operate('merge_pdf', {}, paths);
  look.check(path);
  const xmp = run('pdfinfo', '-meta', path).toString();
  return { xmp, path, warnings: meta.warnings };
}

const archive = described('archive', elements('2', 'B'));
const plain = described('plain', '');

describe('merge_pdf', () => {
  it('keeps the identification of PDF/A if all files claim the same level', async () => {
    const attributes = '<rdf:Description pdfaid:part="2" pdfaid:conformance=\'B\'/>';
    const { xmp, warnings } = await merge(archive, described('same', attributes), archive);
    expect(xmp).toContain(elements('2', 'B'));
    expect(warnings).toBeUndefined();
  });

  it.each([
    ['no level', plain],
    ['another part', described('part-3', elements('3', 'B'))],
    ['another conformance', described('part-2u', elements('2', 'U'))],
  ])('removes the identification of PDF/A if a later file claims %s', async (_, other) => {
    const { xmp, warnings } = await merge(archive, archive, other);
    expect(xmp).toContain('<rdf:Description rdf:about="">\n</rdf:Description>');
    expect(xmp).toContain('<dc:title>archive</dc:title>');
    expect(warnings).toEqual([expect.stringContaining('not marked as PDF/A')]);
  });

  it('removes the identification of PDF/A from attributes, and retains other attributes', async () => {
    const first =
      '<rdf:Description a="1" pdfaid:part="3" pdfaid:conformance="B" pdfaid:rev="2020" b="2"/>';
    const { xmp } = await merge(described('attributes', first), plain);
    expect(xmp).toContain('<rdf:Description a="1" b="2"/>');
  });

  it('does not claim the level of a later file', async () => {
    const { xmp, warnings } = await merge(plain, archive);
    expect(xmp).not.toContain('pdfaid:part');
    expect(warnings).toBeUndefined();
  });

  it('removes only the identification that a later file lacks', async () => {
    const accessible = '<rdf:Description pdfuaid:part="1"/>';
    const first = described('both', `${elements('2', 'B')}${accessible}`);
    const { xmp, warnings } = await merge(first, archive);
    expect(xmp).toContain(elements('2', 'B'));
    expect(xmp).not.toContain('pdfuaid:part');
    expect(warnings).toBeUndefined();
  });

  it('removes the version of PDF/X from the document information', async () => {
    const print = described('print', '', '/GTS_PDFXVersion(PDF/X-1:2001)');
    const entries = (path: string) => look.uncompressed(path).match(/GTS_PDFXVersion/g);
    expect(entries((await merge(print, print)).path)).not.toBeNull();
    const info = run('pdfinfo', (await merge(print, plain)).path).toString();
    expect(info).toMatch(/Title: +x/);
    expect(info).not.toContain('PDF subtype');
  });

  it('is tagged only if all files are', async () => {
    const tree = { 20: '<</Type/StructTreeRoot/K 21 0 R>>', 21: element('P', '0', '/P 20 0 R') };
    const tagged = taggedPage('tagged', [[9, 9, 'text']], tree);
    const state = async (...paths: string[]) =>
      /Tagged: +(\w+)/.exec(run('pdfinfo', (await merge(...paths)).path).toString())?.[1];
    expect(await state(tagged, tagged)).toBe('yes');
    expect(await state(tagged, plain)).toBe('no');
    expect(await state(plain, tagged)).toBe('no');
  });
});
