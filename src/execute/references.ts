/**
 * Resolves references in a chain's parameters to results of earlier steps. Examples are `{{steps.0.result.encoded}}`,
 * `{{steps.ID.result.records.0}}` and `{{prev.encoded}}`. If a reference is the whole string, the value keeps its type.
 */
import { badRequest, tooLarge } from '../core/errors.ts';
import { MAX_JSON_BYTES, MB } from '../core/limits.ts';

export interface Reference {
  /** The reference as written, with braces. */
  text: string;
  /** The index or ID of the step, as written. It is null for `prev`. */
  step: string | null;
  /** The names and indices that select the value in the step's result. */
  path: readonly string[];
}

/** The length is bounded, so that a search runs in linear time. */
const REFERENCES = /\{\{(\s{0,300}(?:steps|prev)(?!\w)[^{}]{0,300})\}\}/g;
const ALONE = /^\{\{([^{}]{1,300})\}\}$/;
const BEGINNING = /^(?:steps|prev)(?!\w)/;

/** The maximum number of references in one step. The number is limited because each reference costs a lookup. */
const MAX_REFERENCES = 10_000;

const utf8 = new TextEncoder();

/**
 * The size budget for one step's parameters. It covers the strings that contain references and the values that replace
 * the references.
 */
export class JsonBudget {
  #left = MAX_JSON_BYTES;
  #references = 0;

  count(): void {
    this.#references += 1;
    if (this.#references <= MAX_REFERENCES) return;
    throw tooLarge(
      `A step may contain at most ${MAX_REFERENCES.toLocaleString('en-US')} references.`,
    );
  }

  take(text: string): void {
    const isTooLong = text.length > this.#left;
    this.#left -= isTooLong ? text.length : utf8.encode(text).byteLength;
    if (this.#left < 0) {
      throw tooLarge(
        `The parameters exceed ${MAX_JSON_BYTES / MB} MB after references are replaced. Use a smaller part of the result.`,
      );
    }
  }
}

/**
 * Replaces every reference in the value's strings with the result of `resolve`. Inserted values are not searched for
 * references, because results are data.
 */
export function replaceReferences(
  value: unknown,
  resolve: (reference: Reference) => unknown,
  budget: JsonBudget,
): unknown {
  if (typeof value === 'string') return inString(value, resolve, budget);
  if (Array.isArray(value)) return value.map((item) => replaceReferences(item, resolve, budget));
  if (typeof value !== 'object' || value === null) return value;
  // Object.fromEntries defines properties, so a key such as `__proto__` cannot set a prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaceReferences(item, resolve, budget)]),
  );
}

function inString(
  text: string,
  resolve: (reference: Reference) => unknown,
  budget: JsonBudget,
): unknown {
  if (!text.includes('{{')) return text;
  const alone = ALONE.exec(text.trim());
  const only = alone && parseReference(alone[1]!);
  if (only) {
    budget.count();
    const value = resolve(only);
    budget.take(JSON.stringify(value));
    return value;
  }
  budget.take(text);
  let replaced = '';
  let end = 0;
  // A loop checks the budget after each match. String.replace would find all matches before it calls a function.
  for (const { 0: braced, 1: inner, index } of text.matchAll(REFERENCES)) {
    const reference = parseReference(inner!);
    if (!reference) continue;
    budget.count();
    const value = resolve(reference);
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    budget.take(written);
    replaced += text.slice(end, index) + written;
    end = index + braced.length;
  }
  return replaced + text.slice(end);
}

/**
 * Parses the text between the braces. Returns null if the text is not a reference. Throws 400 if the reference is
 * malformed.
 */
function parseReference(inner: string): Reference | null {
  const trimmed = inner.trim();
  if (!BEGINNING.test(trimmed)) return null;
  const text = `{{${trimmed}}}`;
  const [first, ...rest] = trimmed.replace(/\[(\d+)\]/g, '.$1').split('.');
  const parts =
    first === 'prev' ? { step: null, path: rest } : { step: rest[0], path: rest.slice(2) };
  const wellFormed =
    (first === 'prev' || (first === 'steps' && rest[1] === 'result')) &&
    rest.every((part) => part !== '');
  if (!wellFormed || parts.step === undefined) {
    throw badRequest(
      `The reference ${text} is malformed. Write {{steps.0.result.name}}, {{steps.ID.result.name}} or {{prev.name}}.`,
    );
  }
  return { text, step: parts.step, path: parts.path };
}

/**
 * Returns the value at a path in a result. Only own properties and array items can be reached. Throws 400 if the result
 * has no such path.
 */
export function valueAt(result: unknown, { text, path }: Reference): unknown {
  let value = result;
  for (const part of path) {
    const found =
      typeof value === 'object' &&
      value !== null &&
      (!Array.isArray(value) || /^\d+$/.test(part)) &&
      Object.hasOwn(value, part) &&
      (value as Record<string, unknown>)[part] !== undefined;
    if (!found) {
      throw badRequest(`The reference ${text} is invalid: there is no "${part}". ${known(value)}`);
    }
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function known(value: unknown): string {
  if (Array.isArray(value))
    return `The array has length ${value.length}, and its indexes start at 0.`;
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (names.length === 0) return 'This value has no fields.';
  return `Its fields are: ${names.slice(0, 20).join(', ').slice(0, 300)}.`;
}
