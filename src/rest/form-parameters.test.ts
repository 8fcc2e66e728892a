import { describe, expect, it } from 'vitest';
import { findTool } from '../tools/find-tool.ts';
import { FormParameters } from './form-parameters.ts';

/** Returns the tool parameters that are parsed from these form parts. */
function read(tool: string, ...parts: [string, string][]): Record<string, unknown> {
  const form = new FormParameters(findTool(tool)!);
  for (const [name, text] of parts) form.add(name, text);
  return form.values;
}

describe('a form text part', () => {
  it('becomes a number, boolean or string, as the tool declares', () => {
    expect(
      read('compress_image', ['quality', '0.5'], ['width', '300'], ['grayscale', 'true']),
    ).toEqual({ quality: 0.5, width: 300, grayscale: true });
    expect(read('compress_image', ['keepAspectRatio', 'false'], ['format', 'png'])).toEqual({
      keepAspectRatio: false,
      format: 'png',
    });
    expect(read('encode_base64', ['text', '42'])).toEqual({ text: '42' });
  });

  it('becomes an item of an array, or the whole array if it is JSON', () => {
    expect(read('split_pdf', ['ranges', '1-3'], ['ranges', '5'])).toEqual({ ranges: ['1-3', '5'] });
    expect(read('split_pdf', ['ranges', '["1-3","5"]'])).toEqual({ ranges: ['1-3', '5'] });
    expect(read('split_pdf', ['ranges', '5'])).toEqual({ ranges: ['5'] });
  });

  it('stays a string if it does not match the declared type or is undeclared', () => {
    expect(read('compress_image', ['width', 'wide'], ['grayscale', 'yes'], ['other', '1'])).toEqual(
      { width: 'wide', grayscale: 'yes', other: '1' },
    );
    expect(read('compress_image', ['__proto__', '1'])).toEqual(
      Object.fromEntries([['__proto__', '1']]),
    );
  });
});
