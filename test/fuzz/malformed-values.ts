/** Generates plain PDFs whose file structure is intact, but in which some values may have the wrong type. */
import fc from 'fast-check';
import { file, type Objects } from '../../containers/media/operations/pdf/test-hostile-files.ts';

const CONTENT = 'BT /F1 12 Tf 9 9 Td (a) Tj ET /X1 Do';
const stream = (dictionary: string, data: string) =>
  `<<${dictionary}/Length ${data.length}>>stream\n${data}\nendstream`;

/**
 * The objects of a PDF with two pages: one with inherited resources, one with its own resources. Object 5 is a content
 * stream.
 */
const PLAIN: Objects = {
  1: '<</Type/Catalog/Pages 2 0 R/Lang(en)/ViewerPreferences 12 0 R/Metadata 13 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/Resources 6 0 R/MediaBox[0 0 99 99]>>',
  3: '<</Type/Page/Parent 2 0 R/Contents 5 0 R/Rotate 90/CropBox[0 0 9 9]>>',
  4: '<</Type/Page/Parent 2 0 R/Contents[5 0 R 11 0 R]/Resources 10 0 R/Group 14 0 R/UserUnit 2>>',
  5: stream('', CONTENT),
  6: '<</Font 7 0 R/XObject<</X1 8 0 R>>/ProcSet[/PDF]>>',
  7: '<</F1 9 0 R>>',
  8: stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 17 0 R', '% nothing'),
  9: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  10: '<</Font<</F1 9 0 R/F2 9 0 R>>/XObject<<>>>>',
  11: stream('/Filter[]/DecodeParms[]', CONTENT),
  12: '<</DisplayDocTitle true>>',
  13: stream('/Type/Metadata/Subtype/XML', '<a/>'),
  14: '<</S/Transparency/CS/DeviceRGB>>',
  15: '<</Title(t)/Author 16 0 R>>',
  16: '(me)',
  17: '<</Font<</F1 9 0 R>>>>',
};

const VALUES = [
  ...Object.keys(PLAIN).map((number) => `${number} 0 R`),
  ...['99 0 R', 'null', '/Name', '1', '-1', '1e9', '(text)', '<ff>', 'true', '[]', '<<>>'],
  ...['[5 0 R 5 0 R]', '[null]', '[[]]', '<</Font 5 0 R/XObject 5 0 R>>', '[3 0 R 4 0 R 5 0 R]'],
];
/** Matches a value after a name, except a stream's length. An array counts as one value. */
const VALUE = /(?<=\/(?!Length)[A-Za-z0-9]+ ?)(\d+ 0 R|\[[^[\]]*\]|\/\w+|\([^)]*\)|\d+|true)/g;

interface Edit {
  object: number;
  value: number;
  at: number;
  whole: boolean;
}

const EDITS = fc.array(
  fc.record<Edit>({
    object: fc.integer({ min: 0, max: Object.keys(PLAIN).length - 1 }),
    value: fc.integer({ min: 0, max: VALUES.length - 1 }),
    at: fc.nat(),
    whole: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Generates readable files in which one to three values are replaced, often by values of the wrong type. */
export const malformedPdf: fc.Arbitrary<Uint8Array> = EDITS.map((edits) => {
  const objects = { ...PLAIN };
  for (const edit of edits) {
    const number = Number(Object.keys(PLAIN)[edit.object]);
    objects[number] = edited(objects[number]!, edit);
  }
  return new Uint8Array(file(objects, '/Info 15 0 R'));
});

function edited(object: string, { value, at, whole }: Edit): string {
  const other = VALUES[value]!;
  const found = [...object.matchAll(VALUE)];
  const match = found[at % Math.max(1, found.length)];
  // A stream object is never replaced as a whole, because the loss of its dictionary would be a different kind of
  // damage.
  if (!match || (whole && !object.includes('stream'))) return other;
  return object.slice(0, match.index) + other + object.slice(match.index + match[0].length);
}
