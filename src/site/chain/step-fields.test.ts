import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { plainFields } from './step-fields.ts';

it('says that a QR code in a chain is a data URL, so no file for the next step', () => {
  const tool = findTool('generate_qr_code')!;
  const field = plainFields(tool).find(({ name }) => name === 'format')!;
  expect(field.unset).toBe('Default: PNG as a data URL');
  expect(field.choices).toEqual([
    ['png', 'PNG as a data URL'],
    ['svg', 'SVG as a data URL'],
  ]);
});
