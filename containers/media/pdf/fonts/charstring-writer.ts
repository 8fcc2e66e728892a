/** Encodes outlines as charstrings of CFF fonts (Adobe Technical Note 5177, "Type 2 Charstring Format"). */
import type { Outline, Part, Stem } from './type1-outline.ts';

/** The size of the operand stack of charstring interpreters. */
const MAX_OPERANDS = 48;
const MAX_STEMS = 96;

const OP = { vstem: 3, hstem: 1, line: 5, hline: 6, vline: 7, curve: 8, end: 14 } as const;
const STEM_MASKED = { hstem: 18, vstem: 23, mask: 19 } as const;
const MOVE = { both: 21, horizontal: 22, vertical: 4 } as const;
const CURVE = { vertical: 30, horizontal: 31 } as const;

type Drawing = Exclude<Part, { kind: 'hints' }>;
type Hints = Extract<Part, { kind: 'hints' }>;

/**
 * Encodes an outline whose width is relative to a nominal width of 0. Throws RangeError if a number is out of range.
 */
export function charString({ width, parts }: Outline): Uint8Array {
  const bytes: number[] = [];
  const stems = new StemList(parts);
  // The width must be the first operand of the first operator.
  let first: number[] = width === 0 ? [] : [width];
  const emit = (operands: readonly number[], operator: number) => {
    for (const value of [...first, ...operands]) bytes.push(...numberBytes(value));
    first = [];
    bytes.push(operator);
  };
  stems.declare(emit);
  for (const group of groupsOf(parts)) {
    if (!Array.isArray(group)) {
      const mask = stems.maskOf(group);
      if (mask) {
        emit([], STEM_MASKED.mask);
        bytes.push(...mask);
      }
    } else draw(group, emit);
  }
  emit([], OP.end);
  return Uint8Array.from(bytes);
}

type Emit = (operands: readonly number[], operator: number) => void;

/** Groups consecutive drawing commands that a single operator can encode. Hints end a group. */
function groupsOf(parts: readonly Part[]): (Drawing[] | Hints)[] {
  const groups: (Drawing[] | Hints)[] = [];
  let form: string | undefined;
  for (const part of parts) {
    if (part.kind === 'hints') {
      groups.push(part);
      form = undefined;
      continue;
    }
    const own = formOf(part);
    const last = groups.at(-1);
    const size = part.by.length;
    const fits = Array.isArray(last) && (last.length + 1) * size <= MAX_OPERANDS;
    if (fits && form !== undefined && follows(form, own)) last.push(part);
    else groups.push([part]);
    form = own === 'move' ? undefined : own;
  }
  return groups;
}

/**
 * The forms that can follow each other in one operator. Horizontal and vertical lines alternate, `hv` and `vh` curves
 * alternate, and other forms repeat.
 */
const FOLLOWERS: Readonly<Record<string, string>> = {
  hline: 'vline',
  vline: 'hline',
  hv: 'vh',
  vh: 'hv',
  line: 'line',
  curve: 'curve',
};
const follows = (before: string, after: string) => FOLLOWERS[before] === after;

function formOf({ kind, by }: Drawing): string {
  const isZero = (index: number) => by[index] === 0;
  if (kind === 'line') return isZero(1) ? 'hline' : isZero(0) ? 'vline' : 'line';
  if (kind === 'move') return 'move';
  if (isZero(1) && isZero(4)) return 'hv';
  return isZero(0) && isZero(5) ? 'vh' : 'curve';
}

function draw(group: readonly Drawing[], emit: Emit): void {
  const [part] = group;
  if (!part) return;
  const { by } = part;
  if (part.kind === 'move') {
    const [dx = 0, dy = 0] = by;
    if (dy === 0) emit([dx], MOVE.horizontal);
    else if (dx === 0) emit([dy], MOVE.vertical);
    else emit(by, MOVE.both);
    return;
  }
  const form = formOf(part);
  const all = group.flatMap((item) =>
    form.length === 2 || (form.endsWith('line') && form !== 'line')
      ? item.by.filter((_, index) => !isImplied(item, index))
      : item.by,
  );
  const operator = {
    hline: OP.hline,
    vline: OP.vline,
    line: OP.line,
    hv: CURVE.horizontal,
    vh: CURVE.vertical,
    curve: OP.curve,
  }[form];
  emit(all, operator ?? OP.curve);
}

/** Whether the number is omitted, because the operator of this form implies that it is 0. */
function isImplied(part: Drawing, index: number): boolean {
  const form = formOf(part);
  if (form === 'hline') return index === 1;
  if (form === 'vline') return index === 0;
  return form === 'hv' ? index === 1 || index === 4 : index === 0 || index === 5;
}

/** The stems of a glyph, sorted in the order in which they must be declared. */
class StemList {
  private readonly horizontal: Stem[];
  private readonly vertical: Stem[];
  private readonly masked: boolean;

  constructor(parts: readonly Part[]) {
    const hints = parts.filter((part) => part.kind === 'hints');
    this.horizontal = sorted(hints.flatMap((part) => part.horizontal));
    this.vertical = sorted(hints.flatMap((part) => part.vertical));
    // If there are more stems than a mask can contain, hints are omitted. This is rare, and a glyph without hints is
    // valid.
    if (this.horizontal.length + this.vertical.length > MAX_STEMS) {
      this.horizontal = [];
      this.vertical = [];
    }
    this.masked = hints.length > 1 || overlap(this.horizontal) || overlap(this.vertical);
  }

  declare(emit: Emit): void {
    const operators = this.masked ? STEM_MASKED : OP;
    this.declareOf(this.horizontal, operators.hstem, emit);
    this.declareOf(this.vertical, operators.vstem, emit);
  }

  private declareOf(stems: readonly Stem[], operator: number, emit: Emit): void {
    let end = 0;
    const most = MAX_OPERANDS / 2 - 1;
    for (let from = 0; from < stems.length; from += most) {
      const operands = stems.slice(from, from + most).flatMap(({ start, width }) => {
        const delta = start - end;
        end = start + width;
        return [delta, width];
      });
      emit(operands, operator);
    }
  }

  /** Returns the mask that selects these hints. Returns undefined if all stems always apply. */
  maskOf({ horizontal, vertical }: Hints): number[] | undefined {
    const count = this.horizontal.length + this.vertical.length;
    if (!this.masked || count === 0) return undefined;
    const mask = new Array<number>(Math.ceil(count / 8)).fill(0);
    const set = (index: number) => {
      mask[index >> 3] = (mask[index >> 3] ?? 0) | (128 >> (index & 7));
    };
    for (const stem of horizontal) set(this.horizontal.findIndex((other) => isSame(stem, other)));
    for (const stem of vertical) {
      set(this.horizontal.length + this.vertical.findIndex((other) => isSame(stem, other)));
    }
    return mask;
  }
}

const isSame = (left: Stem, right: Stem) =>
  left.start === right.start && left.width === right.width;

/** Returns the stems in ascending order without duplicates. */
const sorted = (stems: readonly Stem[]): Stem[] =>
  [...stems]
    .sort((left, right) => left.start - right.start || left.width - right.width)
    .filter((stem, index, all) => index === 0 || !isSame(stem, all[index - 1]!));

const overlap = (stems: readonly Stem[]): boolean =>
  stems.some((stem, index) => {
    const next = stems[index + 1];
    return next !== undefined && next.start < stem.start + Math.max(0, stem.width);
  });

function numberBytes(value: number): number[] {
  if (!Number.isInteger(value)) {
    if (Math.abs(value) >= 32_768) throw new RangeError('a number is out of range');
    const fixed = Math.round(value * 65_536);
    return [255, (fixed >> 24) & 255, (fixed >> 16) & 255, (fixed >> 8) & 255, fixed & 255];
  }
  return integerBytes(value);
}

/**
 * Encodes an integer in its shortest form. Charstrings and dictionaries use the same encoding. Throws RangeError if the
 * integer exceeds 16 bits.
 */
export function integerBytes(value: number): number[] {
  if (value >= -107 && value <= 107) return [value + 139];
  if (value >= 108 && value <= 1131) {
    return [247 + ((value - 108) >> 8), (value - 108) & 255];
  }
  if (value >= -1131 && value <= -108) {
    return [251 + ((-value - 108) >> 8), (-value - 108) & 255];
  }
  if (value < -32_768 || value > 32_767) throw new RangeError('a number is out of range');
  return [28, (value >> 8) & 255, value & 255];
}
