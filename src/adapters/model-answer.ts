/** Reads a model's answer. Removes the reasoning from it and finds the JSON in it. */
import { parseBounded } from '../lib/json-bounds.ts';

const THOUGHTS = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/i;
const OPEN_THOUGHTS = /^\s*<(think|thinking|reasoning)>/i;
/**
 * Matches a closing tag on a separate line. No opening tag is required, because some servers put that tag into the
 * prompt.
 */
const END_OF_THOUGHTS = /^[ \t]*<\/(think|thinking|reasoning)>[ \t]*$/im;

/**
 * Removes the reasoning that some models send before the answer. Returns an empty string if the reasoning has no
 * closing tag.
 */
export function withoutThoughts(text: string): string {
  const rest = text.replace(THOUGHTS, '');
  if (OPEN_THOUGHTS.test(rest)) return '';
  const end = rest === text ? END_OF_THOUGHTS.exec(text) : null;
  const began = end?.[0].replace('/', '').trim() ?? '';
  return end && !text.slice(0, end.index).includes(began)
    ? text.slice(end.index + end[0].length)
    : rest;
}

/** Returns the JSON value inside an answer, or undefined. */
export function embeddedJson(text: string): unknown {
  for (const candidate of [text, outermost(text)]) {
    try {
      return parseBounded(candidate);
    } catch {
      // This candidate is not valid JSON, but the next one may be.
    }
  }
  return undefined;
}

function outermost(text: string): string {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return start < 0 ? '' : text.slice(start, end + 1);
}
