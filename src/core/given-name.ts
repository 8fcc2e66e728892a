/** Checks the names that people give to accounts, keys and passkeys. */

/** Returns the trimmed name, or null unless it has 1 to 60 characters and no control characters. */
export function givenName(value: unknown): string | null {
  const name = typeof value === 'string' ? value.trim() : '';
  return /^[^\p{C}]{1,60}$/u.test(name) ? name : null;
}
