import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { misfitOf } from './misfit.ts';
import { newStep } from './steps.ts';

const chain = (...tools: string[]) => tools.map((tool) => newStep(findTool(tool)!, tool));

it.each([
  [
    ['upload_file', 'images_to_pdf', 'compress_image'],
    'This step takes images, but step 2 creates a PDF.',
    'move 2 1',
  ],
  [
    ['upload_file', 'extract_text_ocr', 'compress_pdf'],
    'This step needs a file, but step 2 does not create one.',
    'set 1 output pdf',
  ],
  [
    ['upload_file', 'compress_pdf', 'merge_pdf'],
    'This step needs at least 2 files, which step 2 does not create.',
    'move 2 1',
  ],
  [
    ['encode_url', 'parse_document'],
    'This step needs a file, but step 1 does not create one.',
    'remove 1',
  ],
  [
    ['generate_qr_code', 'images_to_pdf'],
    'This step needs a file, but step 1 creates an image as text (a data URL).',
    'remove 1',
  ],
  [['compress_image'], 'This step needs a file.', 'upload'],
])('in %j, the last step does not fit: %s', (tools, text, action) => {
  const steps = chain(...tools);
  expect(misfitOf(steps, steps.length - 1)).toMatchObject({ text, fix: { action } });
});

it.each([
  [['upload_file', 'compress_image', 'images_to_pdf', 'compress_pdf']],
  [['upload_file', 'generate_qr_code']],
  [['encode_url', 'encode_base64']],
])('in %j, each step fits', (tools) => {
  const steps = chain(...tools);
  expect(steps.map((_, index) => misfitOf(steps, index))).toEqual(steps.map(() => undefined));
});
