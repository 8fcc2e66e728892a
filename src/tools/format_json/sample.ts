/** The sample call to format_json that the tests of every surface use. */
import type { Sample } from '../../../test/support/sample.ts';

export const sample: Sample = {
  result: { valid: true, minified: '{"name":"Ada","born":1815,"tags":["maths","engines"]}' },
  shows: '"name": "Ada"',
};
