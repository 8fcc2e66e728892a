/** Explains a JavaScript regular expression and its flags in plain English, part by part. */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { characterText, isNamed, setText } from './regex-sets.ts';

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
  v: 'reads the text as Unicode code points, and allows set operations',
  y: 'matches only where the previous match ended',
};

const SPACE = 0x20;

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
 * Returns the maximum nesting depth of groups and sets. The scan does not recurse. The result may be too large for an
 * invalid expression.
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

const literal = (run: readonly AST.Character[]): string => {
  // Without the flag u, an emoji is two characters.
  const text = run.map(({ value }) => String.fromCodePoint(value)).join('');
  return [...text].length === 1 ? characterText(text.codePointAt(0)!) : `the text "${text}"`;
};

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
      return leaf(raw, setText(element, state.flags));
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
