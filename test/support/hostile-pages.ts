/**
 * Generates pages that cost a parser a lot of time or memory. The same seed always generates the same page. The size of
 * a page grows with `size`, in some families only up to a limit.
 */

export interface HostilePage {
  contentType: string;
  /** The characters are in the range U+0000 to U+00FF and are sent as bytes. */
  text: string;
}

type Random = () => number;
type Family = (size: number, random: Random) => string | HostilePage;

/** Repeats a string as many times as it fits into `size` characters, but at least once. */
const fill = (piece: string, size: number): string =>
  piece.repeat(Math.max(1, Math.floor(size / piece.length)));

/** Joins numbered pieces until the text has at least `size` characters. */
function numbered(size: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let length = 0; length < size; length += pieces.at(-1)!.length) {
    pieces.push(piece(pieces.length));
  }
  return pieces.join('');
}

const pick = <T>(from: readonly T[], random: Random): T =>
  from[Math.floor(random() * from.length)]!;
const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`;
const longBase = (length: number) => `<base href="http://page.test/${'b'.repeat(length)}/">`;
const inHeader = (contentType: string): HostilePage => ({ contentType, text: '<title>x</title>' });

/** The pieces of random mixtures: single characters, and the beginnings and ends of constructs. */
const PIECES = [
  ...['<', '>', '/', '=', '"', "'", '&', ';', ' ', '\n', '!', '-', '--', ']', '?', 'x', '\u00e9'],
  ...['<!--', '-->', '<![CDATA[', ']]>', '<?xml ', '?>', '<!doctype [', '</', '/>', '&#x', '&amp'],
  ...['<title>', '</title>', '<script>', '</script>', '<base href=', '<meta charset=', 'encoding='],
  ...['<link rel=icon href=', '<meta property=og:image content=', '<svg>', '<template>', '<form>'],
  ...['<head>', '</head>', '<body>', '<p>', '</p>', 'application/ld+json', 'charset='],
];

export const FAMILIES: Record<string, Family> = {
  'spaces behind charset=': (size) =>
    `<meta http-equiv=content-type content="text/html;charset=${' '.repeat(size)}">`,
  'charset again and again': (size) =>
    `<meta http-equiv=content-type content="${fill("charset = ' ", size)}">`,
  'charset in many elements': (size) =>
    fill('<meta http-equiv=content-type content="charset=no">', size),
  'spaces in the header': (size) =>
    inHeader(`text/html;charset=${' '.repeat(Math.min(size, 15_000))}"`),
  'an XML declaration without end': (size) => `<?xml ${fill('encoding = ', size)}`,
  'bytes of no encoding': (size, random) =>
    `<title>${mixtureOf(['\u0081', '\u00a4', '\u00e9', '\u00ff', '\u001b'], size, random)}`,
  'a long value': (size) => `<meta name=description content="${'v'.repeat(size)}">`,
  'long values': (size) =>
    numbered(size, (index) => `<meta property=og:${index} content="${'v'.repeat(8000)}">`),
  'a long name': (size) => `<meta ${'n'.repeat(size)}=1 name=description content=x>`,
  'a long tag': (size) => `<${'t'.repeat(size)}>`,
  'many attributes': (size) => `<meta ${numbered(size, (index) => `a${index} `)}>`,
  'the same attribute': (size) => `<meta ${fill('content=x ', size)}>`,
  'attributes in every tag': (size) => fill('<meta a b c d e f g h i j k l m n o p q r s t>', size),
  'an open quote': (size) => `<meta content="${fill("x' y=", size)}`,
  'entities in a value': (size) => `<meta name=author content="${fill('&lt', size)}">`,
  'entities in the title': (size) => `<title>${fill('&amp;', size)}`,
  ampersands: (size) => fill('&', size),
  'digits of an entity': (size) => `&#${'1'.repeat(size)}`,
  'entities that are none': (size) => fill('&#x&#&a', size),
  'many links': (size) => numbered(size, (index) => `<link rel=icon href=${index}>`),
  'many types of a link': (size) =>
    `<link href=x rel="icon ${numbered(size, (index) => `t${index} `)}">`,
  'many tags of Open Graph': (size) =>
    numbered(size, (index) => `<meta property=og:${index} content=/${index}>`),
  'a long base and feeds': (size) =>
    longBase(size / 2) +
    numbered(size / 2, (index) => `<link rel=alternate type=application/rss+xml href=${index}>`),
  'a base that just fits, and feeds': (size) =>
    longBase(8000) +
    numbered(size, (index) => `<link rel=alternate type=application/rss+xml href=${index}>`),
  'a base that just fits, and icons': (size) =>
    longBase(8000) + numbered(size, (index) => `<link rel=icon href=${index} sizes=1x1>`),
  'base after base': (size) => fill('<base href="a/">', size),
  'letters that grow in an address': (size) =>
    numbered(size, (index) => `<link rel=icon href="${index}${'\u00e9'.repeat(1000)}">`),
  'icons in their addresses': (size) =>
    numbered(
      size,
      (index) => `<link rel=icon href="data:image/png;base64,${index}${'A'.repeat(5000)}">`,
    ),
  'nested elements': (size) => fill('<div>', size),
  'nested headings of the head': (size) => fill('<noscript>', size),
  'ends of nothing': (size) => `${'<div>'.repeat(500)}${fill('</b>', size)}`,
  'paragraphs that were never open': (size) => fill('</p>', size),
  'forms in forms': (size) => fill('<form><select><option>', size),
  drawings: (size) => fill('<svg><title><foreignobject>', size),
  templates: (size) => fill('<template>', size),
  'tags without end': (size) => fill('<a', size),
  angles: (size) => fill('<', size),
  'a comment without end': (size) => `<!--${fill('--!-', size)}`,
  'comments without end': (size) => fill('<!-- -', size),
  'CDATA without end': (size) => fill('<![CDATA[]]', size),
  'instructions without end': (size) => fill('<?x ?', size),
  'a script without end': (size) => `<script>${fill('</scrip', size)}`,
  'a title without end': (size) => `<title>${fill('</titl', size)}`,
  'a text without end': (size) => `<plaintext>${fill('<a>', size)}`,
  'deep JSON': (size) => jsonLd('['.repeat(Math.min(size, 199_000))).repeat(1 + size / 200_000),
  'wide JSON': (size) =>
    jsonLd(`[${'{},'.repeat(Math.min(size, 190_000) / 3)}1]`).repeat(1 + size / 200_000),
  'JSON of many names': (size) =>
    jsonLd(`[${numbered(Math.min(size, 190_000), (index) => `{"n${index}":1},`)}1]`),
  'JSON of a long author': (size) => jsonLd(`{"author":"${'a'.repeat(Math.min(size, 190_000))}"}`),
  'JSON references to a long name': (size) => {
    const author = jsonLd(`{"@id":"x","name":"http:${fill('&amp;', Math.min(size, 190_000))}"}`);
    const nodes = fill('{"author":{"@id":"x"},"creator":{"@id":"x"}},', 120_000);
    return author + fill(jsonLd(`[${nodes}1]`), Math.max(size, 1_000_000));
  },
  'JSON without end': (size) => fill('<script type=application/ld+json>', size),
  'many JSON texts': (size) => fill(jsonLd('{}'), size),
  XHTML: (size) => ({
    contentType: 'application/xhtml+xml',
    text: fill('<a><![CDATA[<b/>]]>&#x', size),
  }),
  'a mixture': (size, random) => mixtureOf(PIECES, size, random),
  'a mixture of tags': (size, random) =>
    mixtureOf(
      PIECES.filter((piece) => piece.length > 2),
      size,
      random,
    ),
  'a mixture of few': (size, random) =>
    mixtureOf(
      Array.from({ length: 4 }, () => pick(PIECES, random)),
      size,
      random,
    ),
};

function mixtureOf(pieces: readonly string[], size: number, random: Random): string {
  return numbered(size, () => pick(pieces, random));
}

export function hostilePage(family: string, size: number, seed = 1): HostilePage {
  const made = FAMILIES[family]!(size, randomOf(seed));
  return typeof made === 'string' ? { contentType: 'text/html', text: made } : made;
}

export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Returns a linear congruential generator (Numerical Recipes). Its numbers are at least 0 and less than 1. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
