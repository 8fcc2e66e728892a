/** The media type for a file name's extension, as curl sets it for a form part; other extensions would be guesses. */

const TYPES: Record<string, string> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  txt: 'text/plain',
};

/** Null if the extension is ambiguous or unknown. */
export function typeOfName(filename: string): string | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : null;
}
