/** Reports whether an `If-Match` header contains this entity tag, using strong comparison (RFC 9110 §13.1.1). */
export const matchesStrongly = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.match(/(?:W\/)?"[^"]*"/g)?.includes(tag) === true;

/** Reports whether an `If-None-Match` header contains this entity tag, using weak comparison (RFC 9110 §13.1.2). */
export const matchesTag = (header: string | null | undefined, tag: string): boolean =>
  header?.trim() === '*' || header?.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) === true;
