/** Runs a regular expression over a text in a worker, so that the page can stop an expression that takes too long. */
import { errorText } from './parts/error-text.ts';
import { groupNames } from './parts/group-names.ts';
import type { RegexAnswer, RegexJob, RegexMatch, RegexMatches } from './parts/regex-messages.ts';

/** The maximum number of matches that are listed, and of those that are counted. */
const MAX_LISTED = 1000;
const MAX_COUNTED = 100_000;

const post = (answer: RegexAnswer): void => postMessage(answer);

addEventListener('message', ({ data }: MessageEvent<RegexJob>) => {
  try {
    post({ id: data.id, ...run(data) });
  } catch (error) {
    post({ id: data.id, error: errorText(error), isInFlags: !areFlags(data.flags) });
  }
});

function run({ pattern, flags, text, replacement }: RegexJob): RegexMatches {
  const findsAll = /[gy]/.test(flags);
  const matches: RegexMatch[] = [];
  const regex = new RegExp(pattern, flags);
  let total = 0;
  while (total < MAX_COUNTED) {
    const match = regex.exec(text);
    if (!match) break;
    total += 1;
    if (matches.length < MAX_LISTED)
      matches.push({
        index: match.index,
        text: match[0],
        groups: match.slice(1).map((group) => group ?? null),
      });
    if (match[0] === '') regex.lastIndex = nextIndex(text, regex.lastIndex, flags);
    if (!findsAll) break;
  }
  const replaced =
    replacement === null ? null : text.replace(new RegExp(pattern, flags), replacement);
  const names = groupNames(pattern);
  return { matches, names, replaced, total, isCut: total === MAX_COUNTED };
}

function areFlags(flags: string): boolean {
  try {
    new RegExp('', flags);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the position at which the search continues after an empty match. With the u or v flag, the position is after
 * a whole code point.
 */
function nextIndex(text: string, index: number, flags: string): number {
  const isPair = /[uv]/.test(flags) && text.codePointAt(index)! > 0xffff;
  return index + (isPair ? 2 : 1);
}

post('ready');
