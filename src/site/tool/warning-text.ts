/** Decodes the X-Tool-Warnings header, in which non-ASCII characters are escaped. */

/** Returns the decoded header, or the header itself if an escape sequence is invalid, for example because it is cut. */
export function warningText(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

/**
 * Returns the warnings in the header, without the backticks around parameter names. Returns an empty list if the header
 * is missing.
 */
export const warningsIn = (header: string | null): string[] =>
  header ? warningText(header).replaceAll('`', '').split(' | ') : [];
