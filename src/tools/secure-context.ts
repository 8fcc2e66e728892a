/** Explains why Web Cryptography is missing on a page. */

/**
 * Whether Web Cryptography is missing, because the page is in an insecure context. TypeScript's type of `crypto` does
 * not allow for this case.
 */
export const lacksCryptography = (): boolean => (crypto as Partial<Crypto>).subtle === undefined;

/** @param does the verb for the action that the page cannot perform, such as `hash` */
export const insecureText = (does: string): string =>
  `Browsers ${does} only in secure contexts. Open this page over HTTPS or on localhost.`;
