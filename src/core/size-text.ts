/** Formats a number of bytes, such as `2.40 MB`. */

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  // A larger number would be rounded to 1024.0 KB.
  if (bytes < 1023.95 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}
