/** Tests the Markdown of lists whose bullets are shapes. */
import { afterAll, describe, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { file } from './test-hostile-files.ts';

afterAll(emptyFolder);

const text = (x: number, y: number, words: string, font = 'F1') =>
  `BT /${font} 12 Tf ${x} ${y} Td (${words}) Tj ET`;
const square = (x: number, y: number, side = 4) => `${x} ${y} ${side} ${side} re f`;
/** A circle of Bezier curves, as browsers draw it. */
const circle = (x: number, y: number, paint = 'f') =>
  `${x + 4} ${y + 2} m ${x + 4} ${y + 4} ${x} ${y + 4} ${x} ${y + 2} c ` +
  `${x} ${y} ${x + 4} ${y} ${x + 4} ${y + 2} c ${paint}`;

async function markdownOf(name: string, ...drawn: string[]): Promise<string> {
  const content = drawn.join('\n');
  const pdf = file({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 6 0 R/F2 7 0 R>>>>>>',
    5: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    7: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>',
  });
  const params = { format: 'markdown' };
  const { bytes } = await operate('parse_document', params, [put(`${name}.pdf`, pdf)]);
  return JSON.parse(bytes.toString('utf8')).text;
}

describe('parse_document of a list with drawn bullets', () => {
  it('writes each item on its line, by depth', async () => {
    const markdown = await markdownOf(
      'list',
      ...[text(40, 700, 'The list of what we need for breakfast:')],
      ...[circle(57, 682), text(70, 680, 'Apples')],
      ...[circle(57, 668), text(70, 666, 'Bread and butter from the shop at the')],
      ...[text(70, 652, 'corner'), circle(57, 640), text(70, 638, 'Milk')],
      ...[circle(87, 626, 'S'), text(100, 624, 'whole'), circle(87, 612, 'S')],
      ...[text(100, 610, 'skimmed'), square(57, 598), text(70, 596, 'Eggs', 'F2')],
    );
    expect(markdown).toBe(
      [
        'The list of what we need for breakfast:\n',
        '- Apples',
        '- Bread and butter from the shop at the corner',
        '- Milk',
        '  - whole',
        '  - skimmed',
        '- Eggs',
      ].join('\n'),
    );
  });

  it('nests numbered items by the indentation of their numbers and texts', async () => {
    const item = (x: number, y: number, number: string, name: string) => [
      text(x - 7 * number.length, y, `${number}.`),
      text(x + 12, y, name),
    ];
    const markdown = await markdownOf(
      'numbers',
      ...item(70, 700, '8', 'Call the tower'),
      ...item(70, 686, '9', 'State your draught'),
      ...item(100, 672, '1', 'in metres'),
      ...item(100, 658, '2', 'at the stern'),
      ...[circle(129, 646), text(142, 644, 'below the water')],
      ...item(70, 630, '10', 'Wait'),
      ...item(70, 616, '1', 'Moor the boat'),
    );
    expect(
      markdown
        .split('\n')
        .map((line) => line.replace(/^ +/, ({ length }) => '>'.repeat(length > 3 ? 2 : 1))),
    ).toEqual([
      '8. Call the tower',
      '9. State your draught',
      '>1. in metres',
      '>2. at the stern',
      '>>- below the water',
      '10. Wait',
      '1. Moor the boat',
    ]);
  });

  it('does not nest items whose numbers begin at the same position', async () => {
    const markdown = await markdownOf('same', text(40, 700, '9. Nine'), text(40, 686, '10. Ten'));
    expect(markdown).toBe('9. Nine\n10. Ten');
  });

  it.each([
    ['within a line', [square(101, 682), square(97, 668)]],
    ['larger than bullets', [square(25, 680, 10), square(25, 666, 10)]],
    ['in checkboxes', [square(25, 680, 10), square(28, 683), square(25, 666, 10), square(28, 669)]],
    ['below the middle of a line', [square(30, 677), square(30, 663)]],
    ['not beside text', [square(10, 682), square(10, 668)]],
  ])('ignores shapes %s', async (name, shapes) => {
    const lines = ['The weather was fine in the morning, and then', 'it rained for the whole day.'];
    const drawn = lines.map((line, index) => text(40, 680 - index * 14, line));
    expect(await markdownOf(name, ...drawn, ...shapes)).toBe(lines.join(' '));
  });

  it('ignores the points of a diagram', async () => {
    const points = Array.from({ length: 401 }, (_, index) => square(300 + index / 4, 400));
    const drawn = [text(40, 680, 'One line of text'), text(40, 666, 'and another one.')];
    const markdown = await markdownOf(
      'diagram',
      ...drawn,
      ...points,
      square(30, 682),
      square(30, 668),
    );
    expect(markdown).toBe('One line of text and another one.');
  });
});
