import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { isRepeated, takesImageAsText } from './step-cautions.ts';
import { newStep } from './steps.ts';

const chain = (...tools: string[]) => tools.map((tool) => newStep(findTool(tool)!, tool));

it('recognizes a step that repeats the previous one', () => {
  expect(isRepeated(chain('upload_file', 'compress_pdf', 'compress_pdf'), 2)).toBe(true);
  expect(isRepeated(chain('upload_file', 'images_to_pdf', 'compress_pdf'), 2)).toBe(false);
});

it('finds a step that receives an image as text', () => {
  const steps = chain('generate_qr_code', 'decode_jwt');
  expect(takesImageAsText(steps, 1)).toBe(true);
  const given = newStep(findTool('decode_jwt')!, 'given', { token: 'a.b.c' });
  expect(takesImageAsText([steps[0]!, given], 1)).toBe(false);
  expect(takesImageAsText(chain('encode_base64', 'encode_url'), 1)).toBe(false);
});
