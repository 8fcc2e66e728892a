/**
 * Generates almost valid text. A seed is split into tokens, and some tokens are repeated, dropped, moved or replaced.
 */
import fc from 'fast-check';

/** The maximum input length in characters. It is small, but large enough to show how a parser's work grows. */
export const MAX_INPUT = 64 * 1024;

const TOKENS = /\w+|\s|[^\w\s]/g;
const LINES = /[^\n]*\n|[^\n]+/g;
const MAX_EDITS_AT_ONCE = 5;
const MAX_EDITS = 1000;
/** Longer seeds are not split into tokens, because tokenizing them takes longer than parsing them. */
const MAX_TOKENIZED = 4096;

const SPACES = [' ', '\t', '\n', '\r\n'];
/** Strings that are difficult for parsers of any format. */
const HOSTILE_PIECES = [
  ...['\0', '"', "'", '\\', '<', '>', '=', ';', ',', ':', '-', '.', '/', '#', '&', '*', '`', '$'],
  ...['(', ')', '[', ']', '{', '}', '%', '@', '+', '|', '?', '_', '<!--', '-->', '{{', '}}'],
  ...['%00', '\\u0000', '\ud800', '\ufeff', '\u202e', 'é', '😀', '0', '-1', '1e308', '4294967296'],
  ...['9'.repeat(40), 'null', '__proto__', 'constructor', 'a', 'a '],
];

export interface Near {
  /** Small valid inputs. Edits to a small input are more likely to affect relevant parts. */
  seeds: readonly string[];
  /** Tokens that have a special meaning in the format. */
  pieces?: readonly string[];
  /** The maximum input length in characters, if the service's own limit is below MAX_INPUT. */
  most?: number;
}

interface Edit {
  kind: 'repeat' | 'insert' | 'replace' | 'drop' | 'move' | 'cut';
  unit: 'token' | 'line';
  at: number;
  length: number;
  to: number;
  times: number;
  piece: string;
}

/** Generates the number of repetitions: one, a few, or enough to reveal super-linear work. */
const TIMES = fc.oneof(
  fc.constant(1),
  fc.integer({ min: 2, max: 64 }),
  fc.integer({ min: 9, max: 16 }).map((power) => 2 ** power),
);

const pieceOf = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...SPACES),
    fc.constantFrom(...HOSTILE_PIECES),
    fc.constantFrom(...(pieces.length > 0 ? pieces : HOSTILE_PIECES)),
  );

const edits = (pieces: readonly string[]): fc.Arbitrary<Edit[]> =>
  fc.array(
    fc.record<Edit>({
      kind: fc.constantFrom(
        'repeat',
        'insert',
        'repeat',
        'insert',
        'replace',
        'drop',
        'move',
        'cut',
      ),
      unit: fc.constantFrom('token', 'line'),
      at: fc.nat(MAX_EDITS - 1),
      length: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 24 })),
      to: fc.nat(MAX_EDITS - 1),
      times: TIMES,
      piece: pieceOf(pieces),
    }),
    { minLength: 1, maxLength: MAX_EDITS_AT_ONCE, size: 'max' },
  );

/**
 * The text after a repeated piece. It is empty, a character that may end a value, or the rest of the seed. The rest is
 * added once (`rest`), or each of its lines except the first is repeated (`lines`).
 */
const ENDS = ['', ';', '"', '>', '!', 'rest', 'rest', 'lines', 'lines'] as const;

/**
 * Inserts a repeated piece into a seed so that it almost fills the input, or half of it if lines are repeated too. Such
 * inputs reveal backtracking and repeated work.
 */
const stretched = ({ seeds, pieces = [] }: Near): fc.Arbitrary<string> =>
  fc
    .record({
      seed: fc.constantFrom(...seeds),
      at: fc.nat(MAX_EDITS - 1),
      piece: pieceOf(pieces),
      end: fc.constantFrom(...ENDS),
    })
    .map(({ seed, at, piece, end }) => {
      const parts = partsOf(seed, 'token');
      const start = at % (parts.length + 1);
      const before = parts.slice(0, start).join('');
      const after = parts.slice(start).join('');
      const half = MAX_INPUT / (end === 'lines' ? 2 : 1) - 1024;
      const stretch = repeated(piece, Math.floor(half / piece.length));
      if (end === 'rest') return before + stretch + after;
      if (end !== 'lines') return before + stretch + end;
      const lines = partsOf(after, 'line');
      const each = Math.floor(half / Math.max(1, after.length));
      return (
        before +
        stretch +
        lines.map((line, index) => (index === 0 ? line : repeated(line, each))).join('')
      );
    });

/** Generates edited versions of the seeds. */
export const editedText = (near: Near): fc.Arbitrary<string> =>
  fc
    .oneof(
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...near.seeds), edits(near.pieces ?? []))
          .map(([seed, list]) => list.reduce(applied, seed)),
      },
      { weight: 2, arbitrary: stretched(near) },
    )
    .map((text) => text.slice(0, near.most ?? MAX_INPUT));

function applied(text: string, { kind, unit, at, length, to, times, piece }: Edit): string {
  const parts = partsOf(text, unit);
  const start = at % (parts.length + 1);
  const span = parts.slice(start, start + length).join('');
  const before = parts.slice(0, start).join('');
  const after = parts.slice(start + length).join('');
  switch (kind) {
    case 'repeat':
      return before + repeated(span, times) + after;
    case 'insert':
      return before + repeated(piece, times) + span + after;
    case 'replace':
      return before + piece + after;
    case 'drop':
      return before + after;
    case 'cut':
      return before;
    case 'move': {
      const rest = [...parts.slice(0, start), ...parts.slice(start + length)];
      rest.splice(to % (rest.length + 1), 0, span);
      return rest.join('');
    }
  }
}

/** Repeats a piece with increasing numbers, because parsers often drop identical pieces. */
function repeated(piece: string, times: number): string {
  const count = Math.min(times, Math.floor(MAX_INPUT / Math.max(1, piece.length)));
  if (!/\d/.test(piece)) return piece.repeat(count);
  const copies = Array.from({ length: Math.min(count, 10_000) }, (_, index) =>
    index === 0 ? piece : piece.replace(/\d+/, (number) => String(Number(number) + index)),
  );
  return copies.join('').slice(0, MAX_INPUT);
}

function partsOf(text: string, unit: Edit['unit']): string[] {
  if (text.length <= MAX_TOKENIZED) return text.match(unit === 'line' ? LINES : TOKENS) ?? [];
  const size = Math.ceil(text.length / MAX_EDITS);
  return Array.from({ length: MAX_EDITS }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}
