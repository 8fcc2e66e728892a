/** Extracts the headings of a rendered document. */
export interface Heading {
  id: string;
  name: string;
}

/** Returns the second-level headings. `name` is HTML. */
export const headingsOf = (html: string): Heading[] =>
  html
    .split('<h2 id="')
    .slice(1)
    .map((part) => ({
      id: part.slice(0, part.indexOf('"')),
      name: part.slice(part.indexOf('>') + 1, part.indexOf('</h2>')),
    }));
