/** Describes the characters and sets of characters of a regular expression in plain English. */
import type { AST } from '@eslint-community/regexpp';

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

/** Whether a character is described by its name or number, because it is hard to read between quotation marks. */
export function isNamed(value: number): boolean {
  const character = String.fromCodePoint(value);
  return character in CHARACTERS || /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Z}]/u.test(character);
}

/** Returns a character's name, or the words "the character" and the character or its number. */
export const characterText = (value: number): string => {
  const short = shortText(value);
  return CHARACTERS[String.fromCodePoint(value)] ? short : `the character ${short}`;
};

/** Returns a character's name or number, or the character in quotation marks. */
function shortText(value: number): string {
  const character = String.fromCodePoint(value);
  const isShown = character.isWellFormed() && !isNamed(value);
  const number = value.toString(16).toUpperCase().padStart(4, '0');
  return CHARACTERS[character] ?? (isShown ? `"${character}"` : `U+${number}`);
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
export function setText(node: SetNode, flags: AST.Flags): string {
  switch (node.type) {
    case 'Character':
      return characterText(node.value);
    case 'CharacterSet':
      return characterSetText(node, flags);
    case 'CharacterClass':
      return classText(node, flags);
    case 'ExpressionCharacterClass': {
      const text = setText(node.expression, flags);
      return node.negate ? `any character except ${text}` : text;
    }
    case 'ClassIntersection':
      return `${operandText(node.left, flags)} that is also ${operandText(node.right, flags)}`;
    case 'ClassSubtraction':
      return `${operandText(node.left, flags)}, but not ${operandText(node.right, flags)}`;
    default:
      return memberText(node, flags);
  }
}

function characterSetText(set: AST.CharacterSet, flags: AST.Flags): string {
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

function classText({ elements, negate }: AST.CharacterClass, flags: AST.Flags): string {
  if (elements.length === 0) return negate ? 'any character' : 'a set without characters';
  const members = elements.map((element) => memberText(element, flags));
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(members);
  if (negate) return `any character except ${list}`;
  return members.length === 1 && elements[0]!.type !== 'Character' ? list : `one of ${list}`;
}

function memberText(node: SetNode, flags: AST.Flags): string {
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
      return characterSetText(node, flags);
    default:
      return operandText(node, flags);
  }
}

/** Returns the text of a set inside another set. Parentheses separate its list from the list around it. */
function operandText(node: SetNode, flags: AST.Flags): string {
  const text = setText(node, flags);
  const isList = node.type === 'CharacterClass' && (node.elements.length > 1 || node.negate);
  return isList || node.type === 'ExpressionCharacterClass' ? `(${text})` : text;
}
