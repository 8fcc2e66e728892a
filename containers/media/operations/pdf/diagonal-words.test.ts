/** Tests diagonal text, such as watermarks. */
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { written } from './test-hostile-files.ts';

afterAll(emptyFolder);

async function parsed(name: string, content: string): Promise<string> {
  const path = put(name, written(content));
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  return JSON.parse(bytes.toString()).text;
}

it('parse_document reads a watermark after the text that it crosses', async () => {
  const lines = Array.from(
    { length: 24 },
    (_, at) =>
      `BT /F1 11 Tf 72 ${700 - at * 14} Td (line ${at} of the text that the mark crosses) Tj ET`,
  );
  const mark = 'BT /F1 90 Tf 0.7071 0.7071 -0.7071 0.7071 150 400 Tm (DRAFT) Tj ET';
  const text = lines.map((_, at) => `line ${at} of the text that the mark crosses`).join(' ');
  expect(await parsed('watermark.pdf', [mark, ...lines].join('\n'))).toBe(`${text}\n\nDRAFT`);
});

it('parse_document keeps the letters of diagonal labels together, such as those of a plan', async () => {
  const label = (text: string, left: number, bottom: number, degrees: number) => {
    const [x, y] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const matrix = [x, y, -y, x, left, bottom].map((value) => value.toFixed(4));
    return `BT /F1 12 Tf ${matrix.join(' ')} Tm (${text}) Tj ET`;
  };
  const labels = ['1663640', '2075891', '3389427', '4256304', '5550246', '6191957'];
  const content = [
    ...labels.map((text, at) => label(text, 100 + at * 60, 600 + at * 13, 20 + at * 9)),
    ...labels.map((text, at) => label(text, 100 + at * 60, 620 + at * 13, 20 + at * 9)),
  ].join('\n');
  const text = await parsed('plan.pdf', content);
  expect(text.split(' ').sort()).toEqual([...labels, ...labels].sort());
});
