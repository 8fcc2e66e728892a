/** Compares a document's example with the actual result. `…` matches anything (docs/content.md). */

/**
 * Whether a string matches a pattern in which `…` matches any characters. Leading and trailing white space is ignored.
 */
export function isTextLike(shown: string, actual: string): boolean {
  const pattern = shown
    .trim()
    .split('…')
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(actual.trim());
}

/**
 * Whether a value matches a pattern. `"…"` matches any value. As the last item of a list, it matches any remaining
 * items. As the name of a field, it matches any further fields.
 */
export function isLike(shown: unknown, actual: unknown): boolean {
  if (shown === '…') return actual !== undefined;
  if (typeof shown === 'string') return typeof actual === 'string' && isTextLike(shown, actual);
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return false;
    const open = shown.at(-1) === '…';
    const items = open ? shown.slice(0, -1) : shown;
    return (
      (open ? actual.length >= items.length : actual.length === items.length) &&
      items.every((item, index) => isLike(item, actual[index]))
    );
  }
  if (isObject(shown) && isObject(actual)) {
    const { '…': open, ...fields } = shown;
    const names = Object.keys(fields);
    return (
      names.every((name) => isLike(fields[name], actual[name])) &&
      (open !== undefined || Object.keys(actual).every((name) => names.includes(name)))
    );
  }
  return shown === actual;
}

/** Whether a value has the same fields and types. Model-generated text is compared in this way, because it varies. */
export function hasShapeOf(shown: unknown, actual: unknown): boolean {
  if (Array.isArray(shown)) return Array.isArray(actual);
  if (!isObject(shown)) return typeof shown === typeof actual;
  return (
    isObject(actual) &&
    Object.keys({ ...shown, ...actual }).every((name) => hasShapeOf(shown[name], actual[name]))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
