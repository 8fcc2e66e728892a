/** Finds the links in a message: paths of some of our pages, Markdown links to our pages, and the advice to sign in. */

const LINK =
  /\[(?<title>[^\]]{1,80})\]\((?<target>\/(?!\/)[\w/#-]{1,80})\)|(?<=\s)(?<page>\/(?:developers|contact|chains|status)\b)(?!\/)|\bSign in(?= (?:for|to) )/g;

interface TextPart {
  text: string;
  /** The path that the part links to. Undefined for plain text. */
  href: string | undefined;
}

/** Splits a message into plain text and links, in order. */
export function linkedText(message: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index, groups: { title, target, page } = {} } of message.matchAll(LINK)) {
    parts.push({ text: message.slice(end, index), href: undefined });
    parts.push({ text: title ?? found, href: target ?? page ?? '/developers' });
    end = index + found.length;
  }
  return [...parts, { text: message.slice(end), href: undefined }];
}
