/** Generates filler text without a model. */

const LATIN =
  `lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna
  aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute
  irure in reprehenderit voluptate velit esse cillum eu fugiat nulla pariatur excepteur sint occaecat cupidatat non
  proident sunt culpa qui officia deserunt mollit anim id est laborum`.split(/\s+/);
const PLAIN =
  `apple bridge candle distant early forest garden harbor island jacket kettle ladder meadow narrow orange paper quiet
  river silver table under valley window yellow anchor basket copper dusty evening feather gentle hollow iron journey
  kitchen lantern morning needle open pocket round summer timber upward velvet winter bright corner`.split(
    /\s+/,
  );
const SUBJECTS = `The gardener|A young engineer|Our neighbor|The night train|An old friend|The librarian|A passing
  ship|The baker on the corner|Every student in the room|The committee`;
const VERBS = `watched|repaired|described|carried|found|painted|remembered|returned|measured|opened`;
const OBJECTS = `an old bicycle|the wooden bridge|a letter from home|the empty theatre|a small blue notebook|the last
  lantern|a basket of apples|the long report|the garden gate|an unfinished map`;
const ENDINGS = `before noon|in the rain|without a word|after the long winter|near the harbor|on the first try|while
  the kettle boiled|with great care|by the river|as the lights went out`;

const listed = (text: string) => text.split('|').map((phrase) => phrase.replace(/\s+/g, ' '));
const PARTS = [SUBJECTS, VERBS, OBJECTS, ENDINGS].map(listed);

export const LOCAL_TYPES = ['lorem', 'random', 'sentence'] as const;
type LocalType = (typeof LOCAL_TYPES)[number];

const pick = (list: readonly string[]) => list[Math.floor(Math.random() * list.length)]!;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Generates `count` blocks of about `length` characters, one per line. The text has at most `most` characters. */
export function localText(
  type: LocalType,
  length: number,
  count: number,
  most: number,
): { text: string; cut: boolean } {
  const blocks: string[] = [];
  let size = 0;
  for (let number = 0; number < count && size <= most; number += 1) {
    const block = makeBlock(type, Math.min(length, most), number);
    blocks.push(block);
    size += block.length + 1;
  }
  const text = blocks.join('\n');
  if (text.length <= most && blocks.length === count && length <= most) return { text, cut: false };
  const end = text.slice(0, most + 1).search(/\s\S*$/);
  return { text: text.slice(0, end > 0 ? end : most), cut: true };
}

function makeBlock(type: LocalType, length: number, number: number): string {
  if (type === 'sentence') return joined(() => `${PARTS.map(pick).join(' ')}.`, length);
  // The first block begins with the words "Lorem ipsum".
  const words = type === 'lorem' && number === 0 ? LATIN.values() : undefined;
  const list = type === 'lorem' ? LATIN : PLAIN;
  const text = joined(() => words?.next().value ?? pick(list), length - 1);
  return `${capital(sentences(text))}.`;
}

/** Joins pieces with spaces until the text has about `length` characters. Uses at least one piece. */
function joined(next: () => string, length: number): string {
  let text = next();
  for (;;) {
    const longer = `${text} ${next()}`;
    if (longer.length - length > length - text.length) return text;
    text = longer;
  }
}

/** Adds a period after every eighth to fourteenth word, except after the last few words. */
function sentences(text: string): string {
  const words = text.split(' ');
  let left = stretch();
  for (let index = 0; index < words.length - 3; index += 1) {
    left -= 1;
    if (left > 0) continue;
    words[index] += '.';
    words[index + 1] = capital(words[index + 1]!);
    left = stretch();
  }
  return words.join(' ');
}

const stretch = () => 8 + Math.floor(Math.random() * 7);
