/** A JSON value shortened to what a model should read at once. */
import { estimateTokens } from './estimate-tokens.ts';

/** What the frame of an object or an array costs, beside its parts. */
const FRAME_TOKENS = 4;
const NAME_CHARACTERS_PER_TOKEN = 6;

export interface Capped {
  value: Record<string, unknown>;
  truncated: boolean;
}

/**
 * The value in about `most` tokens: long strings are cut, files in data URIs left out, and long arrays end sooner. What is short survives whole: of
 * an object's fields the smaller ones are served first; of what there is no room for there is nothing.
 */
export function capValue(value: Record<string, unknown>, most: number): Capped {
  const budget = { left: most, truncated: false };
  return { value: cap(value, budget) as Record<string, unknown>, truncated: budget.truncated };
}

interface Budget {
  left: number;
  truncated: boolean;
}

function cap(value: unknown, budget: Budget): unknown {
  if (typeof value === 'string') return capText(value, budget);
  if (Array.isArray(value)) return capArray(value, budget);
  if (typeof value === 'object' && value !== null) return capObject(value, budget);
  budget.left -= 1;
  return value;
}

function capText(text: string, budget: Budget): string {
  const { tokens, end } = estimateTokens(text, Math.max(1, budget.left));
  budget.left -= tokens;
  if (end >= text.length) return text;
  budget.truncated = true;
  return text.slice(0, end).toWellFormed();
}

function capArray(items: readonly unknown[], budget: Budget): unknown[] {
  budget.left -= FRAME_TOKENS;
  const kept: unknown[] = [];
  for (const item of items) {
    if (budget.left <= 0) {
      budget.truncated = true;
      break;
    }
    kept.push(cap(item, budget));
  }
  return kept;
}

function capObject(object: object, budget: Budget): Record<string, unknown> {
  const names = Object.keys(object);
  const room = Math.max(0, Math.ceil(budget.left / FRAME_TOKENS));
  if (names.length > room) budget.truncated = true;
  const fields = names.slice(0, room).map((name) => {
    const field = (object as Record<string, unknown>)[name];
    return { name, field, extent: extent(field) };
  });
  const capped = new Map<string, unknown>();
  for (const { name, field } of fields.toSorted((one, other) => one.extent - other.extent)) {
    if (budget.left <= 0) {
      budget.truncated = true;
      break;
    }
    budget.left -= FRAME_TOKENS + Math.ceil(name.length / NAME_CHARACTERS_PER_TOKEN);
    if (isWholeOnly(field) && estimateTokens(field, budget.left).end < field.length) {
      budget.truncated = true;
      continue;
    }
    capped.set(name, cap(field, budget));
  }
  const kept = fields.filter(({ name }) => capped.has(name));
  return Object.fromEntries(kept.map(({ name }) => [name, capped.get(name)]));
}

/** A file in a data URI, half of which would be a broken one. */
const isWholeOnly = (field: unknown): field is string =>
  typeof field === 'string' && /^data:[\w.+-]+\/[\w.+-]+;base64,/.test(field);

/** How large a value is beside others, told without looking into it. */
function extent(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return 1000 * (Array.isArray(value) ? value.length : Object.keys(value).length);
}
