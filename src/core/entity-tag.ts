/** Whether an `If-None-Match` header names this entity tag, compared weakly (RFC 9110 §13.1.2). */
export const matchesTag = (header: string | null | undefined, tag: string): boolean =>
  header?.trim() === '*' || header?.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) === true;
