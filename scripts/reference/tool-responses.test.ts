/** Tests the example response of a tool for which TOOL_RESPONSES has no entry, such as a new tool. */
import { expect, it } from 'vitest';
import type { Tool } from '../../src/core/define-tool.ts';
import { exampleResponse } from './tool-responses.ts';

it('a tool that returns a file has a response with its media type if none is listed', () => {
  const tool = { name: 'rotate_image', produces: ['image/png', 'image/jpeg'] } as unknown as Tool;
  expect(exampleResponse(tool, undefined)).toEqual({
    headers: {
      'Content-Type': 'image/png',
      'Content-Disposition': 'attachment; filename="result.png"',
    },
  });
});

it('the JSON that a document shows is the response of a tool without a listed one', () => {
  const tool = { name: 'count_words' } as Tool;
  expect(exampleResponse(tool, { count: 2 })).toEqual({ json: { count: 2 } });
});
