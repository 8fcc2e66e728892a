/** Builds the example on the page for developers: one tool call, with and without a key, and its response. */
import type { ContentDocument } from '../../src/core/content.ts';
import type { FirstCall } from '../../src/core/reference.ts';
import { findTool } from '../../src/tools/find-tool.ts';
import { sampleOf } from './code-samples.ts';
import { callOfTool, responseOfTool, shownResponses } from './tool-part.ts';

/** The tool that the example calls. */
const EXAMPLE = 'compress_pdf';

export function firstCall(documents: readonly ContentDocument[]): FirstCall {
  const document = documents.find(({ path }) => path === `/docs/tools/${EXAMPLE}`)!;
  const tool = findTool(EXAMPLE)!;
  const calls = callOfTool(tool, document.markdown).map(sampleOf);
  const [result] = shownResponses(responseOfTool(tool, document.markdown));
  const callsWithKey = callOfTool(tool, document.markdown, true).map(sampleOf);
  return { calls, callsWithKey, result: result! };
}
