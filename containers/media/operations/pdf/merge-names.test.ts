/** Tests that merge_pdf preserves named destinations, and preserves tags if all files are tagged. */
import { afterAll, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { emptyFolder, operate, put } from './test-files.ts';
import { file, type Objects } from './test-hostile-files.ts';

afterAll(emptyFolder);

const merge = async (...paths: string[]) => (await operate('merge_pdf', {}, paths)).path;
const stream = (data: string) => `<</Length ${data.length}>>\nstream\n${data}\nendstream`;

/**
 * Makes two pages, each with one named destination. If tagged, the first page has a heading and the second a paragraph.
 */
function named(text: string, names: [string, string], isTagged: boolean): string {
  const page = (at: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents ${5 + at} 0 R/StructParents ${at}` +
    '/Resources<</Font<</F1 9 0 R>>>>>>';
  const content = (at: number) =>
    stream(`/P<</MCID 0>>BDC BT /F1 12 Tf 20 200 Td (${text} ${at + 1}) Tj ET EMC`);
  const element = (type: string, at: number) =>
    `<</Type/StructElem/S/${type}/P 20 0 R/Pg ${3 + at} 0 R/K 0>>`;
  const tree: Objects = {
    20: `<</Type/StructTreeRoot/K[21 0 R 22 0 R]/RoleMap<</${text}/H1>>/ParentTree<</Nums[0[21 0 R]1[22 0 R]]>>>>`,
    21: element(text, 0),
    22: element('P', 1),
  };
  return put(
    `${text}.pdf`,
    file({
      1: `<</Type/Catalog/Pages 2 0 R/Names<</Dests 8 0 R>>${isTagged ? '/StructTreeRoot 20 0 R' : ''}>>`,
      2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      3: page(0),
      4: page(1),
      5: content(0),
      6: content(1),
      8: `<</Names[(${names[0]})[3 0 R/Fit](${names[1]})[4 0 R/XYZ 7 8 null]]>>`,
      9: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ...(isTagged ? tree : {}),
    }),
  );
}

const destinations = (path: string) =>
  run('pdfinfo', '-dests', path)
    .toString()
    .split('\n')
    .slice(1)
    .map((line) => `${line.trim().split(/\s+/)[0]} ${/"(.*)"/.exec(line)?.[1]}`)
    .filter((line) => !line.startsWith(' '));

it('merge_pdf keeps the names of all files, and the first file’s for equal names', async () => {
  const path = await merge(
    named('One', ['a', 'b'], false),
    named('Two', ['b', 'c'], false),
    named('Three', ['d', 'e'], false),
  );
  expect(destinations(path)).toEqual(['1 a', '2 b', '4 c', '5 d', '6 e']);
});

it('merge_pdf joins the structure trees of tagged files', async () => {
  const path = await merge(
    named('Alpha', ['a', 'b'], true),
    named('Beta', ['c', 'd'], true),
    named('Gamma', ['e', 'f'], true),
  );
  run('qpdf', '--check', path);
  const text = run('pdfinfo', '-struct-text', path).toString();
  expect(text.match(/"[^"]+"/g)).toEqual(
    ['Alpha 1', 'Alpha 2', 'Beta 1', 'Beta 2', 'Gamma 1', 'Gamma 2'].map((line) => `"${line}"`),
  );
  expect(text.match(/H1/g)).toHaveLength(3);
  expect(text.match(/^\S+/gm)).toEqual(['Document']);
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  const parsed = JSON.parse(bytes.toString('utf8'));
  expect(parsed.text).toBe(
    ['# Alpha 1', 'Alpha 2', '# Beta 1', 'Beta 2', '# Gamma 1', 'Gamma 2']
      .map((line, at) => (at === 0 ? line : `\n--- Page ${at + 1} ---\n\n${line}`))
      .join('\n'),
  );
});

it('merge_pdf adds no tags if a file has none, with a warning that names it', async () => {
  const paths = [named('Tagged', ['a', 'b'], true), named('Plain', ['c', 'd'], false)];
  const { path, meta } = await operate('merge_pdf', {}, paths);
  expect(meta.warnings).toEqual([
    'The result is not tagged for accessibility, because tags are missing in "Plain.pdf".',
  ]);
  run('qpdf', '--check', path);
  expect(run('pdfinfo', '-struct-text', path).toString()).not.toContain('Plain');
});
