/** Media types of Content-Type values (RFC 9110, section 8.3). */

/** RFC 6838, section 4.2. A type in this form is safe to store and to send as a header. */
const ESSENCE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Type and subtype in lower case, without parameters; empty if there is none. */
export const mediaTypeOf = (contentType: string | null | undefined): string =>
  (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();

/** Whether a type without parameters is well-formed. */
export const isMediaType = (type: string): boolean => ESSENCE.test(type);

/** Whether a type without parameters is JSON or based on JSON (RFC 6839, section 3.1). */
export const isJsonType = (type: string): boolean =>
  type === 'application/json' || type.endsWith('+json');
