/** The text of the header X-Tool-Warnings, in which characters beyond ASCII are escaped. */

/** Cut within an escaped character, the text stays as it came. */
export function warningText(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
