/** Decodes the header X-Tool-Warnings, in which characters beyond ASCII are escaped. */

/** A text that was cut within an escape sequence is returned unchanged. */
export function warningText(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
