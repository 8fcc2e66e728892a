/** A JSON value shortened to what a model should read at once. */
import { estimateTokens } from '../lib/estimate-tokens.ts';

/** What the frame of an object or an array costs, beside its parts. */
const FRAME_TOKENS = 4;

export interface Capped {
  value: Record<string, unknown>;
  truncated: boolean;
}

/**
 * The value in about `most` tokens: long strings are cut and long arrays end sooner. What is short survives whole: of
 * an object's fields the smaller ones are served first.
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
  const fields = Object.entries(object).map(([name, field]) => ({
    name,
    field,
    size: typeof field === 'string' ? field.length : (JSON.stringify(field)?.length ?? 0),
  }));
  const capped = new Map<string, unknown>();
  for (const { name, field } of fields.toSorted((one, other) => one.size - other.size)) {
    budget.left -= FRAME_TOKENS;
    capped.set(name, cap(field, budget));
  }
  return Object.fromEntries(fields.map(({ name }) => [name, capped.get(name)]));
}
