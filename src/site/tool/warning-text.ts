/** The text of X-Tool-Warnings, which is percent-encoded beyond ASCII. */

/** A text that was cut within an escape sequence is returned unchanged. */
export function warningText(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
