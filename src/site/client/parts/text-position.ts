/** Finds the text position that an error message names. */

/** Returns the index in `text` of the line and column in `message`, or undefined if the message names none. */
export function indexIn(text: string, message: string): number | undefined {
  const [, line, column] = /\bline (\d+),? column (\d+)/.exec(message) ?? [];
  if (line === undefined) return undefined;
  const before = text.split('\n', Number(line) - 1);
  return before.join('\n').length + (before.length > 0 ? 1 : 0) + Number(column) - 1;
}
