/** Explains a JavaScript regular expression and its flags in plain English, part by part. */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A part of the expression, with the parts that it contains. */
export interface Part {
  /** The source of the part. */
  code: string;
  text: string;
  parts: Part[];
}

/** Longer expressions are not explained, because the list would be too long to read. */
const MAX_LENGTH = 5000;
/** The parser and this module recurse once or more per level. */
const MAX_DEPTH = 30;

const FLAGS: Record<string, string> = {
  d: 'records where each group begins and ends',
  g: 'finds every match instead of the first one',
  i: 'ignores the difference between uppercase and lowercase',
  m: '^ and $ also match at the start and the end of each line',
  s: '. also matches a line break',
  u: 'reads the text as Unicode code points',
  v: 'reads the text as Unicode code points, and allows operations on sets',
  y: 'matches only where the previous match ended',
};

const SPACE = 0x20;

const CHARACTERS: Record<string, string> = {
  ' ': 'a space',
  '"': 'a quotation mark',
  '\0': 'a null character',
  '\b': 'a backspace',
  '\t': 'a tab',
  '\n': 'a line feed',
  '\v': 'a vertical tab',
  '\f': 'a form feed',
  '\r': 'a carriage return',
  '\u00a0': 'a no-break space',
};

const SETS = {
  digit: 'a digit',
  space: 'a whitespace character',
  word: 'a word character (a to z, A to Z, 0 to 9 or _)',
};

const PROPERTIES: Record<string, string> = {
  L: 'a letter of any language',
  Ll: 'a lowercase letter of any language',
  Lu: 'an uppercase letter of any language',
  N: 'a number of any language',
  P: 'a punctuation character',
};

interface State {
  flags: AST.Flags;
  /** The number of capturing groups so far. */
  groups: number;
}

/** Returns the parts in their order, and then the flags. If the expression cannot be explained, returns the reason. */
export function explainRegex(pattern: string, flags: string): Part[] | string {
  if (depthOf(pattern, flags) > MAX_DEPTH)
    return `The expression is nested too deeply. Use at most ${MAX_DEPTH} levels to see an explanation.`;
  if (pattern.length > MAX_LENGTH)
    return `The expression is too long. Use at most ${MAX_LENGTH.toLocaleString('en')} characters to see an explanation.`;
  const parsed = parse(pattern, flags);
  if (!parsed)
    return 'The expression or its flags are invalid. Correct them to see an explanation.';
  const state: State = { flags: parsed.flags, groups: 0 };
  const parts = alternativesOf(parsed.pattern.alternatives, state);
  const described =
    parts.length > 0 ? parts : [leaf('', 'an empty expression, which matches at every position')];
  return flags === '' ? described : [...described, flagsPart(flags)];
}

/**
 * Returns how deeply groups and sets are nested at most. The scan does not recurse. It may count a level too many in an
 * expression that is invalid.
 */
function depthOf(pattern: string, flags: string): number {
  const nestsSets = flags.includes('v');
  let deepest = 0;
  let groups = 0;
  let sets = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '[' && (sets === 0 || nestsSets)) sets += 1;
    else if (character === ']' && sets > 0) sets -= 1;
    else if (character === '(' && sets === 0) groups += 1;
    else if (character === ')' && sets === 0) groups -= 1;
    deepest = Math.max(deepest, groups + sets);
  }
  return deepest;
}

function parse(source: string, letters: string) {
  const parser = new RegExpParser();
  try {
    const flags = parser.parseFlags(letters);
    return { flags, pattern: parser.parsePattern(source, 0, source.length, flags) };
  } catch {
    return null;
  }
}

const leaf = (code: string, text: string): Part => ({ code, text, parts: [] });

function flagsPart(flags: string): Part {
  const parts = [...flags].map((flag) => leaf(flag, FLAGS[flag]!));
  return { code: '', text: parts.length === 1 ? 'Flag' : 'Flags', parts };
}

/** Returns the parts of a single alternative, or one part for each of several alternatives. */
function alternativesOf(alternatives: readonly AST.Alternative[], state: State): Part[] {
  const all = alternatives.map(({ elements }) => partsOf(elements, state));
  if (all.length === 1) return all[0]!;
  return all.map((parts, index) => {
    const text = `alternative ${index + 1} of ${all.length}`;
    const { raw } = alternatives[index]!;
    if (parts.length === 0) return leaf(raw, `${text}: nothing`);
    const [only] = parts;
    if (parts.length > 1 || only!.parts.length > 0) return { code: raw, text, parts };
    return leaf(raw, `${text}: ${only!.text}`);
  });
}

/** Returns the parts of a sequence. Adjacent characters are one part, also with spaces after the first one. */
function partsOf(elements: readonly AST.Element[], state: State): Part[] {
  const parts: Part[] = [];
  let run: AST.Character[] = [];
  const endRun = () => {
    if (run.length > 0) parts.push(leaf(run.map(({ raw }) => raw).join(''), literal(run)));
    run = [];
  };
  for (const element of elements) {
    const isText =
      element.type === 'Character' &&
      (!isNamed(element.value) || (element.value === SPACE && run.length > 0));
    if (isText) run.push(element);
    else {
      endRun();
      parts.push(partOf(element, state));
    }
  }
  endRun();
  return parts;
}

/** Whether a character has a name because it is invisible or hard to read between quotation marks. */
function isNamed(value: number): boolean {
  const character = String.fromCodePoint(value);
  return character in CHARACTERS || /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Z}]/u.test(character);
}

const literal = (run: readonly AST.Character[]): string => {
  // Without the flag u, an emoji is two characters.
  const text = run.map(({ value }) => String.fromCodePoint(value)).join('');
  return [...text].length === 1 ? characterText(text.codePointAt(0)!) : `the text "${text}"`;
};

const characterText = (value: number): string => {
  const short = shortText(value);
  return CHARACTERS[String.fromCodePoint(value)] ? short : `the character ${short}`;
};

/** Returns a character's name, number or the character in quotation marks. */
function shortText(value: number): string {
  const character = String.fromCodePoint(value);
  const isShown = character.isWellFormed() && !isNamed(value);
  const number = value.toString(16).toUpperCase().padStart(4, '0');
  return CHARACTERS[character] ?? (isShown ? `"${character}"` : `U+${number}`);
}

function partOf(element: AST.Element, state: State): Part {
  const { raw } = element;
  switch (element.type) {
    case 'Quantifier': {
      const { code: _, text, parts } = partOf(element.element, state);
      return { code: raw, text: `${text}, ${timesText(element)}`, parts };
    }
    case 'CapturingGroup':
    case 'Group': {
      const text = groupText(element, state);
      const parts = alternativesOf(element.alternatives, state);
      return { code: raw, text: parts.length > 0 ? text : `${text}, which is empty`, parts };
    }
    case 'Assertion':
      if (element.kind === 'lookahead' || element.kind === 'lookbehind')
        return {
          code: raw,
          text: lookaroundText(element),
          parts: alternativesOf(element.alternatives, state),
        };
      return leaf(raw, boundaryText(element, state));
    case 'Backreference':
      return leaf(raw, `the same text as group ${element.ref}`);
    default:
      return leaf(raw, setText(element, state));
  }
}

function timesText({ min, max, greedy }: AST.Quantifier): string {
  return min === max || greedy ? countText(min, max) : `${countText(min, max)}, as few as possible`;
}

function countText(min: number, max: number): string {
  if (min === 0 && max === 1) return 'zero times or once';
  if (min === max) return min === 1 ? 'exactly once' : `exactly ${min} times`;
  if (max !== Number.POSITIVE_INFINITY) return `${min} to ${max} times`;
  return `${['zero', 'one'][min] ?? min} or more times`;
}

function groupText(group: AST.CapturingGroup | AST.Group, state: State): string {
  if (group.type === 'CapturingGroup') {
    state.groups += 1;
    return `group ${state.groups}${group.name === null ? '' : `, named ${group.name}`}`;
  }
  const { add, remove } = group.modifiers ?? {};
  const added = add?.raw && `with the flag ${add.raw}`;
  const removed = remove?.raw && `without the flag ${remove.raw}`;
  const changes = [added, removed].filter(Boolean).join(' and ');
  return `group without a number${changes && `, ${changes}`}`;
}

function lookaroundText({ kind, negate }: AST.LookaroundAssertion): string {
  const verb = negate ? 'must not' : 'must';
  return kind === 'lookahead'
    ? `lookahead: this ${verb} follow`
    : `lookbehind: this ${verb} come before`;
}

function boundaryText(assertion: AST.BoundaryAssertion, { flags }: State): string {
  if (assertion.kind === 'word')
    return assertion.negate ? 'a position that is not a word boundary' : 'a word boundary';
  return `the ${assertion.kind} of ${flags.multiline ? 'a line' : 'the text'}`;
}

type SetNode =
  | AST.Character
  | AST.CharacterClassElement
  | AST.CharacterSet
  | AST.CharacterClass
  | AST.ExpressionCharacterClass
  | AST.ClassSetOperand
  | AST.ClassIntersection
  | AST.ClassSubtraction;

/** Returns the text of a character, a set of characters or an operation on sets. */
function setText(node: SetNode, state: State): string {
  switch (node.type) {
    case 'Character':
      return characterText(node.value);
    case 'CharacterSet':
      return characterSetText(node, state);
    case 'CharacterClass':
      return classText(node, state);
    case 'ExpressionCharacterClass': {
      const text = setText(node.expression, state);
      return node.negate ? `any character except ${text}` : text;
    }
    case 'ClassIntersection':
      return `${operandText(node.left, state)} that is also ${operandText(node.right, state)}`;
    case 'ClassSubtraction':
      return `${operandText(node.left, state)}, but not ${operandText(node.right, state)}`;
    default:
      return memberText(node, state);
  }
}

function characterSetText(set: AST.CharacterSet, { flags }: State): string {
  if (set.kind === 'any')
    return flags.dotAll ? 'any character' : 'any character except a line break';
  const text = set.kind === 'property' ? propertyText(set) : SETS[set.kind];
  return set.negate ? `any character except ${text}` : text;
}

function propertyText({ raw, strings }: AST.UnicodePropertyCharacterSet): string {
  const name = raw.slice(3, -1);
  const subject = strings ? 'a text' : 'a character';
  return PROPERTIES[name] ?? `${subject} with the Unicode property ${name}`;
}

function classText({ elements, negate }: AST.CharacterClass, state: State): string {
  if (elements.length === 0) return negate ? 'any character' : 'a set without characters';
  const members = elements.map((element) => memberText(element, state));
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(members);
  if (negate) return `any character except ${list}`;
  return members.length === 1 && elements[0]!.type !== 'Character' ? list : `one of ${list}`;
}

function memberText(node: SetNode, state: State): string {
  switch (node.type) {
    case 'Character':
      return shortText(node.value);
    case 'CharacterClassRange':
      return `${shortText(node.min.value)} to ${shortText(node.max.value)}`;
    case 'ClassStringDisjunction': {
      const texts = node.alternatives.map(({ raw }) => `the text "${raw}"`);
      return new Intl.ListFormat('en', { type: 'disjunction' }).format(texts);
    }
    case 'CharacterSet':
      return characterSetText(node, state);
    default:
      return operandText(node, state);
  }
}

/** Returns the text of a set inside another set. Parentheses separate its list from the list around it. */
function operandText(node: SetNode, state: State): string {
  const text = setText(node, state);
  const isList = node.type === 'CharacterClass' && (node.elements.length > 1 || node.negate);
  return isList || node.type === 'ExpressionCharacterClass' ? `(${text})` : text;
}
