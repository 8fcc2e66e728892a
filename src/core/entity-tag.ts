/** Whether an `If-Match` header contains this entity tag, compared strongly (RFC 9110 §13.1.1). */
export const matchesStrongly = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.match(/(?:W\/)?"[^"]*"/g)?.includes(tag) === true;

/** Whether an `If-None-Match` header contains this entity tag, compared weakly (RFC 9110 §13.1.2). */
export const matchesTag = (header: string | null | undefined, tag: string): boolean =>
  header?.trim() === '*' || header?.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) === true;
