import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { textOf } from '../markup-text.ts';
import { Adder } from './adder.tsx';
import { newStep } from './steps.ts';

const steps = [newStep(findTool('images_to_pdf')!, 'pages')];
const off = new Set(['generate_sql', 'compress_pdf']);

const buttonsIn = (text: string) =>
  [...text.matchAll(/value="add (\w+)"( disabled)?/g)].map(([, name, off]) => ({
    name,
    off: !!off,
  }));

it('lists the tools that fit the last step first', async () => {
  const text = await textOf(<Adder steps={steps} off={off} />);
  const [likely, others] = text.split('<details>') as [string, string];
  expect(likely).toContain('Fits after step 1');
  const names = buttonsIn(likely).map(({ name }) => name);
  expect(names).toContain('split_pdf');
  expect(names).not.toContain('compress_image');
  expect(names).not.toContain('compress_pdf');
  expect(buttonsIn(others).map(({ name }) => name)).not.toContain('split_pdf');
});

it('offers the tools used most as the first step', async () => {
  const [likely] = (await textOf(<Adder steps={[]} off={off} />)).split('<details>');
  expect(likely).toContain('Most used');
  expect(buttonsIn(likely!).map(({ name }) => name)).toContain('merge_pdf');
});

it('lists the tools that are switched off on this server last, disabled', async () => {
  const text = await textOf(<Adder steps={steps} off={off} />);
  const disabled = buttonsIn(text).filter((button) => button.off);
  expect(disabled.map(({ name }) => name).sort()).toEqual([...off].sort());
  expect(text.split('(off on this server)')).toHaveLength(off.size + 1);
  const last = buttonsIn(text).slice(-off.size);
  expect(last.map(({ name }) => name).sort()).toEqual([...off].sort());
});
