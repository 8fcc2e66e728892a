/** Shortens a JSON value so that it fits into the context of a model. */
import { estimateTokens } from '../core/estimate-tokens.ts';

/** The number of tokens counted for an array, or for a field, excluding the contents and the name. */
const FRAME_TOKENS = 4;
const NAME_CHARACTERS_PER_TOKEN = 6;
/** Strings up to this length are never cut, because a truncated date or enum value would be wrong. */
const WHOLE_CHARACTERS = 40;

export interface Capped {
  value: Record<string, unknown>;
  truncated: boolean;
}

/**
 * Shortens the value to about `most` tokens. Long strings and arrays are cut. In an object, smaller fields take
 * precedence. Fields that do not fit, and data URIs that would have to be cut, are dropped.
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
  if (end >= text.length || text.length <= WHOLE_CHARACTERS) return text;
  budget.truncated = true;
  return text.slice(0, end).toWellFormed();
}

function capArray(items: readonly unknown[], budget: Budget): unknown[] {
  budget.left -= FRAME_TOKENS;
  const retained: unknown[] = [];
  for (const item of items) {
    if (budget.left <= 0) {
      budget.truncated = true;
      break;
    }
    retained.push(cap(item, budget));
  }
  return retained;
}

function capObject(object: object, budget: Budget): Record<string, unknown> {
  const names = Object.keys(object);
  const capacity = Math.max(0, Math.ceil(budget.left / FRAME_TOKENS));
  if (names.length > capacity) budget.truncated = true;
  const fields = names.slice(0, capacity).map((name) => {
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
  const retained = fields.filter(({ name }) => capped.has(name));
  return Object.fromEntries(retained.map(({ name }) => [name, capped.get(name)]));
}

/** Whether a string is a data URI of a file. Such a string must not be cut. */
const isWholeOnly = (field: unknown): field is string =>
  typeof field === 'string' && /^data:[\w.+-]+\/[\w.+-]+;base64,/.test(field);

/** Estimates the size of a value without visiting its contents. */
function extent(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return 1000 * (Array.isArray(value) ? value.length : Object.keys(value).length);
}
