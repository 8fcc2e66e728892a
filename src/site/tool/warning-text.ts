/** The text of X-Tool-Warnings, in which characters beyond ASCII are escaped. Runs in the page too, so it stands by itself. */

/** Cut within an escaped character, the text stays as it came. */
export function warningText(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
