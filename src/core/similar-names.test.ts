import { describe, expect, it } from 'vitest';
import { similarNames } from './similar-names.ts';

const NAMES = [
  'merge_pdf',
  'split_pdf',
  'split_image',
  'encode_base64',
  'decode_base64',
  'pageSize',
];

describe('similarNames', () => {
  it.each([
    ['merge', ['merge_pdf']],
    ['PDF merge', ['merge_pdf']],
    ['mergePdf', ['merge_pdf']],
    ['split', ['split_pdf', 'split_image']],
    ['merge_pfd', ['merge_pdf']],
    ['encode-bas64', ['encode_base64']],
    ['pagesize', ['pageSize']],
    ['translate', []],
    ['', []],
    ['_', []],
    ['x'.repeat(60), []],
  ])('returns for %j: %j', (given, similar) => {
    expect(similarNames(given, NAMES)).toEqual(similar);
  });
});
