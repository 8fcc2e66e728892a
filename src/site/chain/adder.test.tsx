import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { textOf } from '../markup-text.ts';
import { Adder } from './adder.tsx';
import { newStep } from './steps.ts';

const steps = [newStep(findTool('images_to_pdf')!, 'pages')];
const off = new Set(['generate_sql', 'compress_pdf']);

it('lists the tools that fit the last step first', async () => {
  const text = await textOf(<Adder steps={steps} off={off} />);
  const [, label, options] = /<optgroup label="([^"]*)">(.*?)<\/optgroup>/.exec(text)!;
  expect(label).toBe('Fits after step 1');
  expect(options).toContain('value="split_pdf"');
  expect(options).not.toMatch(/value="(compress_image|compress_pdf)"/);
  expect(text.split('value="split_pdf"')).toHaveLength(2);
});

it('does not offer tools that are switched off on this server', async () => {
  const text = await textOf(<Adder steps={steps} off={off} />);
  const disabled = [...text.matchAll(/<option value="(\w+)" disabled[^>]*>([^<]*)/g)];
  expect(disabled.map(([, name]) => name).sort()).toEqual([...off].sort());
  for (const [, , title] of disabled) expect(title).toContain('(off on this server)');
});
