/** Checks the names that people give to accounts, keys and passkeys. */

/**
 * Returns the trimmed name. Returns null if it is empty, has more than 60 characters or contains a character of Unicode
 * category C, such as a control character.
 */
export function givenName(value: unknown): string | null {
  const name = typeof value === 'string' ? value.trim() : '';
  return /^[^\p{C}]{1,60}$/u.test(name) ? name : null;
}
