import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { changeSteps } from './change-steps.ts';
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

it('names the list whose several lines make a ZIP, and leaves its first line', () => {
  const split = (ranges: string[]) => [
    newStep(findTool('upload_file')!, 'upload'),
    newStep(findTool('split_pdf')!, 'split', { ranges }),
    newStep(findTool('compress_pdf')!, 'compress'),
  ];
  const steps = split(['1-3, 7', '4']);
  const misfit = misfitOf(steps, 2)!;
  expect(misfit).toEqual({
    text: 'Step 2 creates a ZIP of several files, which this step cannot read. Keep only one line in "Pages" of step 2.',
    fix: {
      action: 'first 1 ranges',
      label: 'Keep only the first line in "Pages" of step 2',
    },
  });
  const { steps: fixed, announcement } = changeSteps(steps, misfit.fix.action);
  expect(fixed).toEqual(split(['1-3, 7']));
  expect(announcement).toBe('"Pages" of step 2 now has one line.');
  expect(misfitOf(fixed, 2)).toBeUndefined();
  // With one line, step 2 would create a single PDF, which this step does not accept either.
  expect(misfitOf(steps.with(2, newStep(findTool('compress_image')!, 'image')), 2)!.text).toBe(
    'This step takes images, but step 2 creates a PDF.',
  );
});

it.each([
  [['upload_file', 'compress_image', 'images_to_pdf', 'compress_pdf']],
  [['upload_file', 'generate_qr_code']],
  [['encode_url', 'encode_base64']],
])('in %j, each step fits', (tools) => {
  const steps = chain(...tools);
  expect(steps.map((_, index) => misfitOf(steps, index))).toEqual(steps.map(() => undefined));
});
