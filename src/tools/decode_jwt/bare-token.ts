/** Removes the name of the header, the scheme, quotes and white space from a copied token. */
export const bareToken = (text: string): string =>
  text
    .replace(/[\s"']/g, ' ')
    .trim()
    .replace(/^(authorization *: *)?bearer /i, '')
    .replaceAll(' ', '');
