/** Explains why Web Cryptography is missing on a page. */

/**
 * Whether Web Cryptography is missing, because the page is in an insecure context. The type of `subtle` does not say
 * so.
 */
export const lacksCryptography = (): boolean => (crypto as Partial<Crypto>).subtle === undefined;

/** @param does what the browser does, such as `hash` */
export const insecureText = (does: string): string =>
  `Browsers ${does} only in secure contexts. Open this page over HTTPS or on localhost.`;
