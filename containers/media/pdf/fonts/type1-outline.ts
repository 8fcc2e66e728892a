/** Executes a charstring of a Type 1 font: its outline and hints (Adobe Type 1 Font Format, chapters 6 and 8). */
import { ENCODINGS } from './glyph-names.ts';
import type { Type1Font } from './type1-font.ts';

const MAXIMUM_DEPTH = 12;
const MAXIMUM_STEPS = 100_000;

export interface Stem {
  start: number;
  width: number;
}

/** Moves and lines have two numbers, curves six; all relative to the point before. */
export type Part =
  | { kind: 'move' | 'line' | 'curve'; by: number[] }
  /** From here on only these stems apply. */
  | { kind: 'hints'; horizontal: Stem[]; vertical: Stem[] };

export interface Outline {
  width: number;
  parts: Part[];
}

/** Throws RangeError if the font has no such glyph or its charstring is invalid. */
export function outlineOf(font: Type1Font, glyph: string): Outline {
  const machine = new Machine(font);
  machine.run(glyph);
  return { width: machine.width, parts: machine.parts };
}

class Machine {
  readonly parts: Part[] = [];
  width = 0;
  private readonly font: Type1Font;
  private stack: number[] = [];
  /** Results of other subroutines, which `pop` returns. */
  private results: number[] = [];
  /** Points of a flex in progress. */
  private flex: number[] | undefined;
  private flexStart: readonly [x: number, y: number] = [0, 0];
  private steps = 0;
  /** The current point, and the last one that is part of the outline. */
  private x = 0;
  private y = 0;
  private penX = 0;
  private penY = 0;
  private hasMoved = true;
  private originX = 0;
  private originY = 0;
  /** The left sidebearing, from which vertical stems are measured. */
  private bearingX = 0;
  private bearingY = 0;
  private hints: Extract<Part, { kind: 'hints' }> | undefined;
  private isAccent = false;
  private ended = false;

  constructor(font: Type1Font) {
    this.font = font;
  }

  run(glyph: string): void {
    const code = this.font.charStrings.get(glyph);
    if (!code) throw new RangeError(`the font has no glyph ${glyph}`);
    this.ended = false;
    this.hasMoved = true;
    this.stack = [];
    this.execute(code, 0);
  }

  private execute(code: Uint8Array, depth: number): void {
    if (depth > MAXIMUM_DEPTH) throw new RangeError('subroutines are nested too deeply');
    for (let at = 0; at < code.length && !this.ended; ) {
      this.steps += 1;
      if (this.steps > MAXIMUM_STEPS) throw new RangeError('a charstring is too long');
      const byte = code[at] as number;
      at += 1;
      if (byte >= 32) {
        const { value, length } = numberAt(code, at, byte);
        this.stack.push(value);
        at += length;
        continue;
      }
      if (byte === 11) return;
      if (byte === 10) {
        const number = this.stack.pop() ?? -1;
        const subroutine = this.font.subroutines.get(number);
        if (!subroutine) throw new RangeError('a subroutine is missing');
        this.execute(subroutine, depth + 1);
        continue;
      }
      if (byte === 12) {
        this.escape(code[at] ?? -1);
        at += 1;
      } else this.operate(byte);
    }
  }

  private operate(operator: number): void {
    const { stack } = this;
    const at = (index: number) => stack[index] ?? 0;
    switch (operator) {
      case 1:
        this.stem('horizontal', at(0), at(1));
        break;
      case 3:
        this.stem('vertical', at(0), at(1));
        break;
      case 4:
        this.move(0, at(0));
        break;
      case 5:
        this.draw('line', [at(0), at(1)]);
        break;
      case 6:
        this.draw('line', [at(0), 0]);
        break;
      case 7:
        this.draw('line', [0, at(0)]);
        break;
      case 8:
        this.draw('curve', [at(0), at(1), at(2), at(3), at(4), at(5)]);
        break;
      case 9:
        this.hasMoved = true;
        break;
      case 13:
        this.begin(at(0), 0, at(1));
        break;
      case 14:
        this.ended = true;
        break;
      case 21:
        this.move(at(0), at(1));
        break;
      case 22:
        this.move(at(0), 0);
        break;
      case 30:
        this.draw('curve', [0, at(0), at(1), at(2), at(3), 0]);
        break;
      case 31:
        this.draw('curve', [at(0), 0, at(1), at(2), 0, at(3)]);
        break;
      default:
        throw new RangeError('an unknown operator');
    }
    this.stack = [];
  }

  private escape(operator: number): void {
    const { stack } = this;
    const at = (index: number) => stack[index] ?? 0;
    switch (operator) {
      case 0:
        break;
      case 1:
      case 2: {
        const direction = operator === 1 ? 'vertical' : 'horizontal';
        for (const index of [0, 2, 4]) this.stem(direction, at(index), at(index + 1));
        break;
      }
      case 6:
        this.accented(at(0), at(1), at(2), at(3), at(4));
        return;
      case 7:
        this.begin(at(0), at(1), at(2));
        break;
      case 12: {
        const divisor = stack.pop() ?? 1;
        stack.push((stack.pop() ?? 0) / divisor);
        return;
      }
      case 16:
        this.callOther();
        return;
      case 17:
        stack.push(this.results.pop() ?? 0);
        return;
      case 33:
        break;
      default:
        throw new RangeError('an unknown operator');
    }
    this.stack = [];
  }

  private begin(bearingX: number, bearingY: number, width: number): void {
    if (!this.isAccent) this.width = width;
    this.bearingX = this.originX + bearingX;
    this.bearingY = this.originY + bearingY;
    this.x = this.bearingX;
    this.y = this.bearingY;
  }

  /** Section 6.4, `seac`: a base letter and an accent. */
  private accented(bearing: number, dx: number, dy: number, base: number, accent: number): void {
    if (this.isAccent) throw new RangeError('an accented letter within another');
    const names = [base, accent].map((code) => ENCODINGS.StandardEncoding?.[code]);
    if (!names[0] || !names[1]) throw new RangeError('an accented letter without its parts');
    const { bearingX } = this;
    this.isAccent = true;
    this.hints = undefined;
    this.run(names[0]);
    this.originX = bearingX - bearing + dx;
    this.originY = dy;
    this.hints = undefined;
    this.run(names[1]);
    this.ended = true;
  }

  private stem(direction: 'horizontal' | 'vertical', start: number, width: number): void {
    if (!this.hints) {
      this.hints = { kind: 'hints', horizontal: [], vertical: [] };
      this.parts.push(this.hints);
    }
    const from = start + (direction === 'vertical' ? this.bearingX : this.bearingY);
    this.hints[direction].push({ start: from, width });
  }

  private move(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    if (this.flex) this.flex.push(this.x, this.y);
    else this.hasMoved = true;
  }

  private draw(kind: 'line' | 'curve', by: number[]): void {
    if (this.hasMoved) {
      this.parts.push({ kind: 'move', by: [this.x - this.penX, this.y - this.penY] });
      this.penX = this.x;
      this.penY = this.y;
      this.hasMoved = false;
    }
    this.parts.push({ kind, by });
    for (let index = 0; index < by.length; index += 2) {
      this.x += by[index] as number;
      this.y += by[index + 1] as number;
    }
    this.penX = this.x;
    this.penY = this.y;
  }

  /** Section 8.4: flex and hint replacement; other calls only pass their arguments on. */
  private callOther(): void {
    const number = this.stack.pop() ?? -1;
    const count = this.stack.pop() ?? 0;
    const given = count > 0 ? this.stack.splice(-count) : [];
    this.results = given.reverse();
    if (number === 1) {
      this.flex = [];
      this.flexStart = [this.x, this.y];
    }
    if (number === 0) this.endFlex();
    if (number === 3) this.hints = undefined;
  }

  /** Seven points: the reference point, which the outline does not contain, and those of two curves. */
  private endFlex(): void {
    const points = this.flex ?? [];
    this.flex = undefined;
    if (points.length !== 14) throw new RangeError('a flex without its points');
    this.results = [this.y, this.x];
    let [x, y] = this.flexStart;
    const deltas = points.slice(2).map((value, index) => {
      const delta = value - (index % 2 === 0 ? x : y);
      if (index % 2 === 0) x = value;
      else y = value;
      return delta;
    });
    [this.x, this.y] = this.flexStart;
    this.draw('curve', deltas.slice(0, 6));
    this.draw('curve', deltas.slice(6));
  }
}

function numberAt(code: Uint8Array, at: number, first: number): { value: number; length: number } {
  const next = code[at] ?? 0;
  if (first <= 246) return { value: first - 139, length: 0 };
  if (first <= 250) return { value: (first - 247) * 256 + next + 108, length: 1 };
  if (first <= 254) return { value: -(first - 251) * 256 - next - 108, length: 1 };
  const [second = 0, third = 0, fourth = 0] = code.subarray(at + 1, at + 4);
  return { value: (next << 24) | (second << 16) | (third << 8) | fourth, length: 4 };
}
