/** Highlights code at build time. The HTML uses the classes in src/site/client/styles/code.css. */
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

const LANGUAGES = { bash, json, python, typescript };
for (const [name, language] of Object.entries(LANGUAGES))
  highlighter.registerLanguage(name, language);

/** Maps the first word of an info string, or the name of a code sample, to its language. */
const NAMES: Record<string, keyof typeof LANGUAGES> = {
  sh: 'bash',
  curl: 'bash',
  json: 'json',
  js: 'typescript',
  ts: 'typescript',
  TypeScript: 'typescript',
  python: 'python',
  Python: 'python',
};

/**
 * Returns escaped HTML. Code in an unknown language is not highlighted. A backslash at the end of a line is marked, so
 * that it does not wrap to a separate line.
 */
export function highlight(code: string, name: string): string {
  const language = NAMES[name];
  return language
    ? highlighter
        .highlight(code, { language })
        .value.replaceAll(' \\\n', '<span class="line-end"> \\</span>\n')
    : code.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
