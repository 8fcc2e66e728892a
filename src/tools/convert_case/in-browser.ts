/** Splits names into words at separators and capitals, and joins the words in each letter case. */
import { defineTool } from '../../core/define-tool.ts';
import { json } from '../../core/tool-output.ts';
import { convertCase } from './convert_case.ts';

export const convertCaseHere = defineTool({
  ...convertCase,
  run({ text }) {
    const lines = text.split('\n');
    const named = (join: (words: string[]) => string) =>
      lines.map((line) => join(wordsOf(line))).join('\n');
    return json({
      'UPPER CASE': text.toUpperCase(),
      'lower case': text.toLowerCase(),
      'Title Case': text.toLowerCase().replace(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu, capitalized),
      'Sentence case': text
        .toLowerCase()
        .replace(/(?<=^|\n|[.!?]\s)\p{L}/gu, (letter) => letter.toUpperCase()),
      camelCase: named(([first = '', ...rest]) => first + rest.map(capitalized).join('')),
      PascalCase: named((words) => words.map(capitalized).join('')),
      snake_case: named((words) => words.join('_')),
      'kebab-case': named((words) => words.join('-')),
      CONSTANT_CASE: named((words) => words.join('_').toUpperCase()),
    });
  },
});

/** Returns the words in lower case. `HTTPServer` and `version2` are two words each, and `it's` is the word `its`. */
const wordsOf = (line: string): string[] =>
  line
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .replace(/(?<=[\p{L}\p{M}\p{N}])['’](?=\p{L})/gu, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
