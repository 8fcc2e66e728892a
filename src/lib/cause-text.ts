/**
 * Formats an error for the log: the name, the message and the stack frames. Quoted text, URLs, addresses and tokens are
 * removed from the message, because a caller may have sent them.
 */

const MAX_CHARACTERS = 300;
const MAX_FRAMES = 8;
/** The number of errors in a chain of causes that are formatted. */
const MAX_ERRORS = 3;

/** Matches quotation marks and parentheses that parsers and programs put around a caller's text in messages. */
const OPENING = /["`“‘(]|(?<!\w)'/;
const CLOSING = ['"', '`', '”', '’', ')', "'"];

const REMOVED: readonly [RegExp, string][] = [
  [/\b(?:https?|data|file|blob):\S*/gi, '[URL]'],
  [/[^\s@]{0,64}@\S*/g, '[address]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '[address]'],
  [/(?:[\da-f]{1,4}:|:){2,8}[\da-f]{0,4}/gi, '[address]'],
  [/[\w+/=-]{24,}/g, '[token]'],
];

export function causeText(cause: unknown, errors = MAX_ERRORS): string {
  if (!(cause instanceof Error)) return bare(String(cause));
  const { name, message, stack = '' } = cause;
  // The message may have several lines. If it was changed, the stack contains the old message, so the stack is omitted.
  const start = stack.indexOf(message);
  const frames =
    start < 0
      ? []
      : stack
          .slice(start + message.length)
          .split('\n')
          .slice(1, 1 + MAX_FRAMES);
  const own = [`${name}: ${bare(message)}`, ...frames].join('\n');
  // An error such as "fetch failed" says nothing without its own cause.
  if (cause.cause === undefined || errors <= 1) return own;
  return `${own}\nCaused by ${causeText(cause.cause, errors - 1)}`;
}

/** Returns the message without quoted text, URLs, addresses and tokens. */
function bare(message: string): string {
  const start = message.search(OPENING);
  const last = Math.max(...CLOSING.map((mark) => message.lastIndexOf(mark)));
  const end = last > start ? last + 1 : message.length;
  const unquoted = start < 0 ? message : `${message.slice(0, start)}[…]${message.slice(end)}`;
  return REMOVED.reduce(
    (text, [pattern, name]) => text.replace(pattern, name),
    unquoted.slice(0, MAX_CHARACTERS),
  );
}
