import { expect, it } from 'vitest';
import { findTool } from '../../tools/find-tool.ts';
import { fitsAfter } from './fits-after.ts';
import { newStep } from './steps.ts';

it.each([
  ['compress_image', 'images_to_pdf', true],
  ['images_to_pdf', 'compress_pdf', true],
  ['compress_pdf', 'compress_pdf', false],
  ['compress_pdf', 'split_pdf', true],
  ['compress_image', 'compress_image', false],
  ['humanize_text', 'humanize_text', true],
  ['images_to_pdf', 'compress_image', false],
  ['images_to_pdf', 'merge_pdf', false],
  ['images_to_pdf', 'encode_base64', false],
  ['images_to_pdf', 'screenshot_url', false],
  ['screenshot_url', 'compress_image', true],
  ['extract_text_ocr', 'compress_pdf', false],
  ['extract_text_ocr', 'encode_base64', true],
  ['extract_text_ocr', 'screenshot_url', false],
  ['extract_text_ocr', 'decode_base64', false],
  ['parse_document', 'format_json', false],
  ['encode_base64', 'decode_base64', true],
  ['shorten_url', 'generate_qr_code', true],
  ['upload_file', 'merge_pdf', true],
  ['upload_file', 'encode_base64', false],
])('after %s, %s fits: %s', (previous, tool, fits) => {
  expect(fitsAfter(newStep(findTool(previous)!, previous), findTool(tool)!)).toBe(fits);
});

it('takes the parameters of a step into account that decide whether its result is a file', () => {
  const step = newStep(findTool('extract_text_ocr')!, 'scan');
  const asPdf = { ...step, parameters: { output: 'pdf' } };
  expect(fitsAfter(asPdf, findTool('compress_pdf')!)).toBe(true);
  expect(fitsAfter(asPdf, findTool('encode_base64')!)).toBe(false);
});
