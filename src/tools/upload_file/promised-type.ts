/**
 * Determines the media type for a file name's extension, as curl sets it for a form part. Other
 * extensions would be guesses.
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

/** Returns null if the extension is ambiguous or unknown. */
function typeOfName(filename: string): string | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? TYPES[extension]! : null;
}

/**
 * Returns the expected media type of a file: the declared one, or that of its name, or null if only the bytes determine
 * it.
 */
export function promisedType(filename: string, declared: string | null | undefined): string | null {
  if (declared === null || declared === undefined) return typeOfName(filename);
  const type = mediaTypeOf(declared);
  return type === 'application/octet-stream' ? null : type;
}
