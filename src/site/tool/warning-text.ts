/** Decodes the X-Tool-Warnings header, in which characters beyond ASCII are escaped. */

/** Returns the decoded header. A text that ends within an escape sequence is returned unchanged. */
export function warningText(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

/**
 * Returns the warnings in the header, without the backticks around parameter names. Returns none if the header is
 * missing.
 */
export const warningsIn = (header: string | null): string[] =>
  header ? warningText(header).replaceAll('`', '').split(' | ') : [];
