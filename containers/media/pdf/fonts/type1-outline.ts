/**
 * Executes a charstring of a Type 1 font, and returns its outline and hints (Adobe Type 1 Font Format, chapters 6 and
 * 8).
 */
import { ENCODINGS } from './glyph-names.ts';
import type { Type1Font } from './type1-font.ts';

const MAX_DEPTH = 12;
const MAX_STEPS = 100_000;

export interface Stem {
  start: number;
  width: number;
}

/** A move or line has two numbers, and a curve has six. Each point is relative to the previous point. */
export type Part =
  | { kind: 'move' | 'line' | 'curve'; by: number[] }
  /** Until the next hints, only these stems apply. */
  | { kind: 'hints'; horizontal: Stem[]; vertical: Stem[] };

export interface Outline {
  width: number;
  parts: Part[];
}

/** Executes the charstring of a glyph. Throws RangeError if the font has no such glyph or the charstring is invalid. */
export function outlineOf(font: Type1Font, glyph: string): Outline {
  const machine = new Machine(font);
  machine.run(glyph);
  return { width: machine.width, parts: machine.parts };
}

/** The functions that execute operators, by operator number. Missing operands are passed as 0. */
type Operators = Readonly<Record<number, (...operands: Operands) => void>>;
type Operands = [a: number, b: number, c: number, d: number, e: number, f: number];

class Machine {
  readonly parts: Part[] = [];
  width = 0;
  private readonly font: Type1Font;
  private stack: number[] = [];
  /** Results of OtherSubrs, which `pop` returns. */
  private results: number[] = [];
  /** The points of an unfinished flex. */
  private flex: number[] | undefined;
  private flexStart: readonly [x: number, y: number] = [0, 0];
  private steps = 0;
  /** The current point (x, y) and the last point of the outline (penX, penY). */
  private x = 0;
  private y = 0;
  private penX = 0;
  private penY = 0;
  private hasMoved = true;
  private originX = 0;
  private originY = 0;
  /** The left sidebearing. Vertical stems are relative to it. */
  private bearingX = 0;
  private bearingY = 0;
  private hints: Extract<Part, { kind: 'hints' }> | undefined;
  private isAccent = false;
  private ended = false;

  private readonly operators: Operators = {
    1: (start, width) => this.stem('horizontal', start, width),
    3: (start, width) => this.stem('vertical', start, width),
    4: (dy) => this.move(0, dy),
    5: (dx, dy) => this.draw('line', [dx, dy]),
    6: (dx) => this.draw('line', [dx, 0]),
    7: (dy) => this.draw('line', [0, dy]),
    8: (...by) => this.draw('curve', by),
    9: () => {
      this.hasMoved = true;
    },
    13: (bearing, width) => this.begin(bearing, 0, width),
    14: () => {
      this.ended = true;
    },
    21: (dx, dy) => this.move(dx, dy),
    22: (dx) => this.move(dx, 0),
    30: (a, b, c, d) => this.draw('curve', [0, a, b, c, d, 0]),
    31: (a, b, c, d) => this.draw('curve', [a, 0, b, c, 0, d]),
  };

  /** The operators that follow the escape byte 12. */
  private readonly escaped: Operators = {
    0: () => {},
    1: (...stems) => this.threeStems('vertical', stems),
    2: (...stems) => this.threeStems('horizontal', stems),
    6: (bearing, dx, dy, base, accent) => this.accented(bearing, dx, dy, base, accent),
    7: (bearingX, bearingY, width) => this.begin(bearingX, bearingY, width),
    33: () => {},
  };

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
    if (depth > MAX_DEPTH) throw new RangeError('subroutines are nested too deeply');
    for (let at = 0; at < code.length && !this.ended; ) {
      this.steps += 1;
      if (this.steps > MAX_STEPS) throw new RangeError('a charstring is too long');
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
        const operator = code[at] ?? -1;
        at += 1;
        if (!this.calculate(operator)) this.operate(this.escaped, operator);
      } else this.operate(this.operators, byte);
    }
  }

  private operate(operators: Operators, operator: number): void {
    const run = operators[operator];
    if (!run) throw new RangeError('an unknown operator');
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = this.stack;
    run(a, b, c, d, e, f);
    this.stack = [];
  }

  /** Executes an operator that leaves its result on the stack. Returns false for other operators. */
  private calculate(operator: number): boolean {
    const { stack } = this;
    if (operator === 12) {
      const divisor = stack.pop() ?? 1;
      stack.push((stack.pop() ?? 0) / divisor);
    } else if (operator === 16) this.callOther();
    else if (operator === 17) stack.push(this.results.pop() ?? 0);
    else return false;
    return true;
  }

  private begin(bearingX: number, bearingY: number, width: number): void {
    if (!this.isAccent) this.width = width;
    this.bearingX = this.originX + bearingX;
    this.bearingY = this.originY + bearingY;
    this.x = this.bearingX;
    this.y = this.bearingY;
  }

  /** Draws a base letter and an accent, for the `seac` operator (section 6.4). */
  private accented(bearing: number, dx: number, dy: number, base: number, accent: number): void {
    if (this.isAccent) throw new RangeError('accented letters are nested');
    const names = [base, accent].map((code) => ENCODINGS.StandardEncoding?.[code]);
    if (!names[0] || !names[1]) throw new RangeError('an accented letter lacks its parts');
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

  private threeStems(direction: 'horizontal' | 'vertical', stems: readonly number[]): void {
    for (const at of [0, 2, 4]) this.stem(direction, stems[at] ?? 0, stems[at + 1] ?? 0);
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

  /**
   * Executes the OtherSubrs for flex and hint replacement (section 8.4). Calls to other OtherSubrs only return their
   * arguments.
   */
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

  /** Draws two curves from seven points. The first point is the reference point, which is not part of the outline. */
  private endFlex(): void {
    const points = this.flex ?? [];
    this.flex = undefined;
    if (points.length !== 14) throw new RangeError('a flex operator lacks its points');
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
