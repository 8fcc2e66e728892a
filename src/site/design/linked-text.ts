/** Finds the links in a message: the site's pages that it names, and the advice to sign in. */

const LINKS = /((?<=\s)\/(?:developers|contact|chains|status)\b(?!\/)|\bSign in(?= (?:for|to) ))/;

interface TextPart {
  text: string;
  /** The path that the part links to. Undefined for plain text. */
  href: string | undefined;
}

/** Splits a message into plain text and links, in order. */
export const linkedText = (message: string): TextPart[] =>
  message.split(LINKS).map((text, index) => {
    if (index % 2 === 0) return { text, href: undefined };
    return { text, href: text.startsWith('/') ? text : '/developers' };
  });
