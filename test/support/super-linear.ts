/**
 * Finds reasons why a regular expression may run in super-linear time. Applies the rules of scslre and two stricter
 * ones.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { CharSet } from 'refa';
import {
  getConsumedChars,
  getFirstConsumedChar,
  isPotentiallyZeroLength,
  type ReadonlyFlags,
} from 'regexp-ast-analysis';
import { analyse } from 'scslre';

type Direct = AST.Element;

/**
 * Returns the problems of a regular expression. The list is empty if no rule finds a problem. A bounded quantifier
 * counts as a constant.
 */
export function faultsOf(source: string, flags: string): string[] {
  const parser = new RegExpParser();
  const parsedFlags = parser.parseFlags(flags);
  const pattern = parser.parsePattern(source, 0, source.length, parsedFlags);
  const found = analyse({ pattern, flags: parsedFlags }).reports.map(
    (report) => `${report.type} ${report.character.pick}`,
  );
  return [
    ...found,
    ...adjacentIn(pattern, parsedFlags),
    ...(parsedFlags.sticky
      ? []
      : pattern.alternatives.flatMap((each) => restartsOf(each, parsedFlags))),
  ];
}

const charsOf = (node: Direct, flags: ReadonlyFlags): CharSet =>
  getConsumedChars(node, flags).chars;

const isUnbounded = (node: AST.Node): node is AST.Quantifier =>
  node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY;

/**
 * Finds pairs of unbounded quantifiers that can match the same character, without a required character between them.
 */
function adjacentIn(pattern: AST.Pattern, flags: ReadonlyFlags): string[] {
  const faults: string[] = [];
  const visit = ({ alternatives }: { alternatives: AST.Alternative[] }): void => {
    for (const { elements } of alternatives) {
      for (const [index, element] of elements.entries()) {
        for (const next of reachable(elements.slice(index + 1), flags)) {
          for (const first of edges(element, 'end', flags)) {
            for (const second of edges(next, 'start', flags)) {
              const { char } = getFirstConsumedChar(second, 'ltr', flags);
              if (charsOf(first, flags).isDisjointWith(char)) continue;
              faults.push(`adjacent ${first.raw} ${second.raw}`);
            }
          }
        }
        const inner = element.type === 'Quantifier' ? element.element : element;
        if ('alternatives' in inner) visit(inner as { alternatives: AST.Alternative[] });
      }
    }
  };
  visit(pattern);
  return faults;
}

/** Returns the elements up to and including the first one that cannot be empty. */
function reachable(elements: readonly Direct[], flags: ReadonlyFlags): Direct[] {
  const needed = elements.findIndex((element) => !isPotentiallyZeroLength(element, flags));
  return needed < 0 ? [...elements] : elements.slice(0, needed + 1);
}

/** Returns the unbounded quantifiers at the beginning or end of an element. */
function edges(element: Direct, side: 'start' | 'end', flags: ReadonlyFlags): AST.Quantifier[] {
  const own = isUnbounded(element) ? [element] : [];
  const inner = element.type === 'Quantifier' ? element.element : element;
  if (inner.type !== 'Group' && inner.type !== 'CapturingGroup') return own;
  const within = inner.alternatives.flatMap(({ elements }) => {
    const ordered = side === 'start' ? elements : elements.toReversed();
    return reachable(ordered, flags).flatMap((each) => edges(each, side, flags));
  });
  return [...own, ...within];
}

interface Start {
  /** The character sets that must match before the quantifier. */
  prefix: CharSet[];
  /** Whether the quantifier can match at only one position in the text. */
  anchored: boolean;
  /** Whether the quantifier begins at a word boundary. */
  atWord: boolean;
}

/**
 * Finds unbounded quantifiers whose matches can start at many positions of the same text. If a later element does not
 * match, the engine tries again from each of these positions.
 */
function restartsOf(
  alternative: AST.Alternative,
  flags: ReadonlyFlags,
  start: Start = { prefix: [], anchored: false, atWord: false },
  failsAfter = false,
): string[] {
  const faults: string[] = [];
  const { elements } = alternative;
  for (const [index, element] of elements.entries()) {
    if (start.anchored) break;
    const fails = failsAfter || elements.slice(index + 1).some((each) => canFail(each, flags));
    if (element.type === 'Assertion') {
      if (element.kind === 'start' && start.prefix.length === 0) {
        if (flags.multiline) start.prefix.push(newline(flags));
        else start.anchored = true;
      }
      if (element.kind === 'word' && start.prefix.length === 0) start.atWord = true;
      continue;
    }
    if (element.type === 'Group' || element.type === 'CapturingGroup') {
      const [only, ...others] = element.alternatives;
      if (only && others.length === 0) {
        faults.push(...restartsOf(only, flags, start, fails));
        continue;
      }
      const branches = element.alternatives.map((each) => {
        const branch = { ...start, prefix: [...start.prefix] };
        faults.push(...restartsOf(each, flags, branch, fails));
        return branch;
      });
      start.anchored = branches.every(({ anchored }) => anchored);
      if (!isPotentiallyZeroLength(element, flags)) start.prefix.push(charsOf(element, flags));
      continue;
    }
    const chars =
      element.type === 'Backreference'
        ? CharSet.all(flags.unicode ? 0x10ffff : 0xffff)
        : charsOf(element, flags);
    if (isUnbounded(element) && fails && start.prefix.every((set) => !set.isDisjointWith(chars))) {
      const withinWord = start.atWord && chars.isSubsetOf(word(flags));
      if (!withinWord) faults.push(`restart ${element.raw}`);
    }
    if (!isPotentiallyZeroLength(element, flags)) start.prefix.push(chars);
  }
  return faults;
}

const canFail = (element: Direct, flags: ReadonlyFlags): boolean =>
  element.type === 'Assertion' || !isPotentiallyZeroLength(element, flags);

const classOf = (source: string, flags: ReadonlyFlags): CharSet =>
  getConsumedChars(new RegExpParser().parsePattern(source), flags).chars;
const word = (flags: ReadonlyFlags) => classOf('\\w', flags);
const newline = (flags: ReadonlyFlags) => classOf('\\n', flags);
