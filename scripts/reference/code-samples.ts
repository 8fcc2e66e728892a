/** Renders the code samples of the API reference. */
import type { CodeSample } from '../../src/core/reference.ts';
import type { Call } from '../../src/site/tool/call-code.ts';
import { highlight } from './highlight.ts';
import { withValues } from './sample-values.ts';

export const jsonOf = (result: unknown) => JSON.stringify(withValues(result), null, 2);

export const sampleOf = ({ language, code }: Call): CodeSample => ({
  name: language,
  html: highlight(code, language),
});

export const resultOf = (name: string, language: string, text: string): CodeSample => ({
  name,
  html: highlight(text, language),
});
