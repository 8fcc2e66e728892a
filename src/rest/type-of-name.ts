/** The media type that a file's name declares, as curl takes it for a part of a form; others would be guesses. */

const TYPES: Record<string, string> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  txt: 'text/plain',
};

/** Null where the name tells nothing for sure. */
export function typeOfName(filename: string): string | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : null;
}
