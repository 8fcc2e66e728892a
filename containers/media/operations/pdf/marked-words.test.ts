/** Tests the marks of bold words and inline code in the Markdown of parse_document. */
import { afterAll, expect, it } from 'vitest';
import { markdown } from './markdown.ts';
import type { Block } from './page-blocks.ts';
import type { StyledWord } from './styled-words.ts';
import { emptyFolder, operate, put } from './test-files.ts';
import { file } from './test-hostile-files.ts';

afterAll(emptyFolder);

/**
 * Makes a block from lines of text. In them, `!` precedes a bold word, `%` precedes a monospaced word, `@` precedes a
 * linked word, and `~` separates two parts of a word in different fonts.
 */
function block(type: Block['type'], ...lines: string[]): Block {
  const box = { left: 0, top: 0, right: 400, bottom: 10 };
  const lineOf = (line: string, row: number) => {
    let right = 0;
    const words = line.split(/( |~)/).flatMap((part) => {
      if (part === ' ') right += 5;
      if (part === ' ' || part === '~') return [];
      const [, signs = '', text = ''] = /^([!%@]*)(.*)$/.exec(part) ?? [];
      const left = right;
      right += text.length * 5;
      const [isBold, isMono] = [signs.includes('!'), signs.includes('%')];
      const link = { uri: 'https://example.com/', start: 0, end: text.length };
      const linked = signs.includes('@') ? { link } : {};
      const word = { text, left, right, top: row * 12, bottom: row * 12 + 10, size: 10 };
      return [{ ...word, isBold, isMono, ...linked } as StyledWord];
    });
    return { ...box, top: row * 12, bottom: row * 12 + 10, words };
  };
  return { ...box, type, lines: lines.map(lineOf) };
}

it.each([
  [
    ['Water the !tomatoes~, and !the !peas daily.'],
    'Water the **tomatoes**, and **the peas** daily.',
  ],
  [['All of !these !bold', '!words are together.'], 'All of **these bold words** are together.'],
  [['Run %hose %--slow~. It is !%slow for you.'], 'Run `hose --slow`. It is `slow` for you.'],
  [
    ['The %a_b[0]*2 is code and a_b is !not_code here.'],
    'The `a_b[0]*2` is code and a\\_b is **not\\_code** here.',
  ],
  [['A %back`tick is not code in text.'], 'A back\\`tick is not code in text.'],
  [['One two !three !four'], 'One two **three four**'],
  [['One !two !three'], 'One two three'],
  [['A !• and a !* are not marked.'], 'A • and a \\* are not marked.'],
  [['It is !(very)~bold and x~!(y) in this text.'], 'It is (very)bold and x(y) in this text.'],
  [['It is !part~ly bold in this text.'], 'It is **part**ly bold in this text.'],
  [
    ['The words are !divi-', 'ded by the end of a line.'],
    'The words are divided by the end of a line.',
  ],
  [
    ['The words are !all !divi-', '!ded by the end of a line.'],
    'The words are **all divided** by the end of a line.',
  ],
  [
    ['See !@the !@manual or !the @manual for !@this~x.'],
    'See **[the manual](https://example.com/)** or **the** [manual](https://example.com/) for [this](https://example.com/)x.',
  ],
  [
    ['The %code %@linked is at an address.'],
    'The `code` [linked](https://example.com/) is at an address.',
  ],
  [
    ['Chapter one %......... %3 is in the contents.'],
    'Chapter one ......... 3 is in the contents.',
  ],
])('marks the words of %j', (lines, expected) => {
  expect(markdown([block('paragraph', ...lines)], 1)).toBe(expected);
});

it('marks words of list items without their labels, and no words of headings', () => {
  const blocks = [
    block('heading', 'A !bold heading of the page'),
    block('list item', '!1. !Dig~: make a hole in the bed.'),
    block('list item', '• %dig makes a hole.'),
  ];
  expect(markdown(blocks, 1).split('\n')).toEqual([
    '# A bold heading of the page',
    '',
    '1. **Dig**: make a hole in the bed.',
    '- `dig` makes a hole.',
  ]);
});

type Texts = readonly (readonly [font: string, text: string])[];

/** Writes a page with a line of texts in these fonts, whose letters have this width or the widths of standard fonts. */
function pageInFonts(name: string, texts: Texts, width?: number) {
  const fonts = ['Helvetica', 'Helvetica-Bold', 'Courier'];
  const shown = texts.map(
    ([font, text]) => `/F${fonts.indexOf(font)} 10 Tf (${text.replace(/[()]/g, '\\$&')}) Tj`,
  );
  const content = `BT 60 100 Td ${shown.join(' ')} ET`;
  const widths = Array.from({ length: 95 }, () => width).join(' ');
  const declared = width === undefined ? '' : `/FirstChar 32/LastChar 126/Widths[${widths}]`;
  const font = (at: number) => `<</Type/Font/Subtype/Type1/BaseFont/${fonts[at]}${declared}>>`;
  const named = '<</Font<</F0 6 0 R/F1 7 0 R/F2 8 0 R>>>>';
  const pdf = file({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 200]/Contents 5 0 R/Resources${named}>>`,
    5: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    6: font(0),
    7: font(1),
    8: font(2),
  });
  return put(`${name}.pdf`, pdf);
}

it('marks words by the fonts of a PDF in Markdown only', async () => {
  const texts = [
    ['Helvetica', 'Water the ('],
    ['Helvetica-Bold', 'red tomatoes'],
    ['Helvetica', ') with '],
    ['Courier', 'hose --slow'],
    ['Helvetica', ', every day. '],
    ['Helvetica-Bold', 'Never!'],
  ] as const;
  const path = pageInFonts('fonts', texts, 600);
  const parsed = async (params: Record<string, unknown>) => {
    const { bytes } = await operate('parse_document', params, [path]);
    return JSON.parse(bytes.toString('utf8'));
  };
  const plain = texts.map(([, text]) => text).join('');
  const { text, layout } = await parsed({ format: 'markdown', layout: true });
  expect(text).toBe('Water the (**red tomatoes**) with `hose --slow`, every day. **Never!**');
  expect(layout[0].blocks[0].text).toBe(plain);
  expect((await parsed({ format: 'text' })).text.trim()).toBe(plain);
});

it('marks words in standard fonts, which have no declared widths', async () => {
  const texts = [
    ['Helvetica', 'It will still fill all little '],
    ['Courier', 'cells'],
    ['Helvetica', ' until it is full, and WWW is '],
    ['Helvetica-Bold', 'bold'],
    ['Helvetica', '.'],
  ] as const;
  const path = pageInFonts('standard-fonts', texts);
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  expect(JSON.parse(bytes.toString('utf8')).text).toBe(
    'It will still fill all little `cells` until it is full, and WWW is **bold**.',
  );
});
