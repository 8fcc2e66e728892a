/** Media types as Content-Type names them (RFC 9110 §8.3). */

/** RFC 6838 §4.2: what may be stored and served as the header that it is. */
const ESSENCE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Type and subtype in lower case, without parameters; empty where there is none. */
export const mediaTypeOf = (contentType: string | null | undefined): string =>
  (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();

/** Whether a type without parameters is one. */
export const isMediaType = (type: string): boolean => ESSENCE.test(type);

/** Whether a type without parameters is JSON, or is written in it (RFC 6839 §3.1). */
export const isJsonType = (type: string): boolean =>
  type === 'application/json' || type.endsWith('+json');
