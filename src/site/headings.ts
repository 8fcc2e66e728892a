/** The headings of a rendered document. */
export interface Heading {
  id: string;
  name: string;
}

/** Those of the second level; `name` is HTML. */
export const headingsOf = (html: string): Heading[] =>
  [...html.matchAll(/<h2 id="([^"]+)">(.+?)<\/h2>/g)].map(([, id, name]) => ({
    id: id!,
    name: name!,
  }));
