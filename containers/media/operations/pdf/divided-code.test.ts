/** Tests that parse_document does not divide the code of a PDF without tags. */
import { afterAll, expect, it } from 'vitest';
import { distilled, emptyFolder, operate } from './test-files.ts';

afterAll(emptyFolder);

type DrawnLine = readonly [x: number, y: number, text: string, font?: 'Courier'];

/** Returns the Markdown of a page with these lines. */
async function markdownOf(name: string, lines: readonly DrawnLine[]): Promise<string> {
  const shown = lines.map(
    ([x, y, text, font = 'Helvetica']) =>
      `/${font} 10 selectfont ${x} ${y} moveto (${text.replace(/[()\\]/g, '\\$&')}) show`,
  );
  const path = distilled(name, `${shown.join('\n')} showpage`);
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  return JSON.parse(bytes.toString('utf8')).text;
}

it('parse_document joins code that blank lines and indentation divide', async () => {
  const markdown = await markdownOf('blank-lines', [
    [72, 700, 'The function in this example returns the number of letters:'],
    [72, 676, '{', 'Courier'],
    [84, 664, 'first();', 'Courier'],
    [84, 640, 'if (more) {', 'Courier'],
    [96, 628, 'second();', 'Courier'],
    [84, 616, '}', 'Courier'],
    [72, 592, '}', 'Courier'],
    [72, 568, 'A line of text follows the code, and then other code follows it.'],
    [72, 544, 'third();', 'Courier'],
  ]);
  expect(markdown.split('\n')).toEqual([
    'The function in this example returns the number of letters:',
    '',
    '```',
    '{',
    '  first();',
    '',
    '  if (more) {',
    '    second();',
    '  }',
    '',
    '}',
    '```',
    '',
    'A line of text follows the code, and then other code follows it.',
    '',
    '```',
    'third();',
    '```',
  ]);
});

it('parse_document does not join code of two columns, or code far below other code', async () => {
  const markdown = await markdownOf('two-parts', [
    [72, 700, 'The left column has prose of this width,'],
    [72, 688, 'and some code at the end:'],
    [72, 664, 'left();', 'Courier'],
    [320, 700, 'right();', 'Courier'],
    [320, 688, 'right2();', 'Courier'],
    [320, 600, 'below();', 'Courier'],
  ]);
  expect(markdown).toContain('```\nleft();\n```\n\n```\nright();\nright2();\n```\n\n```\nbelow();');
});
