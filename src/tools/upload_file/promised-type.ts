/**
 * Determines the media type from the extension of a file name. curl sets the same types for form parts. For any other
 * extension, the type would be a guess.
 */
import { mediaTypeOf } from '../../lib/body.ts';

const TYPES: Record<string, string> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  txt: 'text/plain',
};

/** Returns the media type for a file's extension, or null if the extension is ambiguous or unknown. */
function typeOfName(filename: string): string | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : null;
}

/**
 * Returns the declared media type or, if none is declared, the type for the file name. Returns null if only the bytes
 * determine the type.
 */
export function promisedType(filename: string, declared: string | null | undefined): string | null {
  if (declared === null || declared === undefined) return typeOfName(filename);
  const type = mediaTypeOf(declared);
  return type === 'application/octet-stream' ? null : type;
}
