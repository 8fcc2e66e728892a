/** Tests that merge_pdf preserves the text of form fields whose forms use the same font names. */
import { afterAll, expect, it } from 'vitest';
import { run } from '../test-operation.ts';
import { emptyFolder, operate, put } from './test-files.ts';
import { file, type Objects, simple } from './test-hostile-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

const merge = async (...paths: string[]) => (await operate('merge_pdf', {}, paths)).path;

interface FormOptions {
  /** The entry of the field for its default appearance. */
  appearance?: string;
  /** The entry for the resources of the field's content. */
  resources?: string;
}

/** Writes a page with a text field that shows its value in this font, which every form calls `F`. */
function form(name: string, font: string, options: FormOptions = {}): string {
  const { appearance = '/DA(/F 12 Tf 0 g)', resources = '/Resources<</Font<</F 8 0 R>>>>' } =
    options;
  const content = `/Tx BMC BT /F 12 Tf 5 9 Td (${name}) Tj ET EMC`;
  const objects: Objects = {
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[6 0 R]>>',
    6: `<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/V(${name})/Rect[9 9 209 39]/F 4/P 3 0 R/AP<</N 7 0 R>>${appearance}>>`,
    7: `<</Type/XObject/Subtype/Form/BBox[0 0 200 30]${resources}/Length ${content.length}>>\nstream\n${content}\nendstream`,
    8: `<</Type/Font/Subtype/Type1/BaseFont/${font}>>`,
  };
  const catalog = '/AcroForm<</Fields[6 0 R]/DA(/F 12 Tf 0 g)/DR<</Font<</F 8 0 R>>>>>>';
  return put(`${name}.pdf`, file(simple(objects, catalog)));
}

/** Returns the default appearances of the fields in order, and the fonts of the form by name. */
function readForm(path: string) {
  const [, objects] = JSON.parse(run('qpdf', '--json=2', '--json-key=qpdf', path)).qpdf;
  const resolve = (value: unknown) =>
    typeof value === 'string' ? (objects[`obj:${value}`]?.value ?? value) : value;
  const { '/AcroForm': found } = resolve(objects.trailer.value['/Root']);
  const { '/Fields': fields, '/DR': resources, '/DA': shared } = resolve(found);
  const fonts = Object.entries(resolve(resolve(resources)['/Font']));
  return {
    appearances: resolve(fields).map((field: string) => resolve(field)['/DA'] ?? shared),
    fonts: fonts.map(([key, font]) => `${key} ${resolve(font)['/BaseFont']}`),
  };
}

const APPEARANCES = ['u:/F 12 Tf 0 g', 'u:/F_1 12 Tf 0 g', 'u:/F_2 12 Tf 0 g'];
const FONTS = ['/F /Helvetica', '/F_1 /Times-Roman', '/F_2 /Courier'];

it.each<[string, FormOptions]>([
  ['have their own default appearance', {}],
  ['inherit the default appearance of the form', { appearance: '' }],
])('merge_pdf keeps the fonts of equal names if fields %s', async (_, options) => {
  const paths = [
    form('One', 'Helvetica', options),
    form('Two', 'Times-Roman', options),
    form('Three', 'Courier', options),
  ];
  const merged = await merge(...paths);
  look.check(merged);
  expect(look.renderings(merged)).toEqual(paths.flatMap((path) => look.renderings(path)));
  expect(run('pdftotext', merged, '-').toString().match(/\w+/g)).toEqual(['One', 'Two', 'Three']);
  expect(readForm(merged)).toEqual({ appearances: APPEARANCES, fonts: FONTS });
});

it('merge_pdf keeps the fonts of a later file if content has no resources', async () => {
  const first = form('One', 'Helvetica');
  const whole = form('Two', 'Times-Roman');
  const expected = [...look.renderings(first), ...look.renderings(whole)];
  const merged = await merge(first, form('Two', 'Times-Roman', { resources: '' }));
  look.check(merged);
  expect(look.renderings(merged)).toEqual(expected);
});

it('merge_pdf keeps the text of fields in files that it has merged before', async () => {
  const pair = await merge(form('One', 'Helvetica'), form('Two', 'Times-Roman'));
  const merged = await merge(pair, pair, form('Three', 'Courier'));
  expect(look.renderings(merged)).toEqual([
    ...look.renderings(pair),
    ...look.renderings(pair),
    ...look.renderings(form('Three', 'Courier')),
  ]);
  const { appearances, fonts } = readForm(merged);
  const used = appearances.map((text: string) => text.split(' ')[0]!.slice(2));
  expect(used.sort()).toEqual(fonts.map((font) => font.split(' ')[0]).sort());
});
