/**
 * Rotates pages of a PDF by appending an update (ISO 32000-1, section 7.5.6). The existing bytes of the file stay
 * unchanged, and a rotated page differs only in /Rotate.
 */
import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFObjectParser,
  PDFParser,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib';

/** Thrown for a PDF that cannot be rotated without losing data. The page shows the message to the user. */
export class UnfitPdf extends Error {}

const DAMAGED =
  'The structure of this PDF is damaged, so its pages cannot be rotated safely. Open it in a PDF program and save it again.';
const ENCRYPTED =
  'This PDF is encrypted, so it cannot be rotated in the browser. If it opens without a password, Merge PDF can rotate it.';
const SIGNED =
  'This PDF is signed, and any change makes the signature invalid. Rotate the pages before you sign it.';

const LATIN_1 = new TextDecoder('latin1');

interface Page {
  ref: PDFRef;
  dictionary: PDFDict;
  /** The clockwise rotation in degrees. */
  rotation: number;
}

/** The last cross-reference section of a file (section 7.5.4 or 7.5.8). */
interface Section {
  offset: number;
  isStream: boolean;
  trailer: PDFDict;
}

/**
 * @param rotations clockwise degrees by page number, from 1
 * @param total the number of pages that the caller expects; the file must have exactly this number
 * @throws UnfitPdf
 */
export async function rotatePages(
  bytes: Uint8Array<ArrayBuffer>,
  rotations: ReadonlyMap<number, number>,
  total: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const text = LATIN_1.decode(bytes);
  const section = lastSection(bytes, text);
  if (section.trailer.has(PDFName.of('Encrypt'))) throw new UnfitPdf(ENCRYPTED);
  if (/\/ByteRange\s*\[/.test(text)) throw new UnfitPdf(SIGNED);
  const pages = await pagesOf(bytes, section.trailer);
  if (pages.length !== total) throw new UnfitPdf(DAMAGED);
  const rotated = pages.filter(({ dictionary, rotation }, index) => {
    const angle = (rotation + (rotations.get(index + 1) ?? 0) + 360) % 360;
    dictionary.set(PDFName.of('Rotate'), PDFNumber.of(angle));
    return angle !== rotation;
  });
  if (rotated.length === 0) return bytes;
  const update = updateOf(rotated, section, bytes.length);
  const joined = new Uint8Array(bytes.length + update.length);
  joined.set(bytes);
  joined.set(update, bytes.length);
  return joined;
}

function lastSection(bytes: Uint8Array, text: string): Section {
  const ends = [...text.slice(-1024).matchAll(/startxref\s+(\d+)\s+%%EOF/g)];
  const offset = Number(ends.at(-1)?.[1] ?? bytes.length);
  const head = /^\s*(xref\b|\d+\s+\d+\s+obj\b)/.exec(text.slice(offset, offset + 40));
  if (!head) throw new UnfitPdf(DAMAGED);
  const isStream = head[1] !== 'xref';
  const start = isStream
    ? offset + head[0].length
    : text.indexOf('trailer', offset) + 'trailer'.length;
  const parsed = readObject(bytes.subarray(start));
  const trailer = parsed instanceof PDFRawStream ? parsed.dict : parsed;
  if (!(trailer instanceof PDFDict) || !(trailer.get(PDFName.of('Size')) instanceof PDFNumber))
    throw new UnfitPdf(DAMAGED);
  return { offset, isStream, trailer };
}

function readObject(bytes: Uint8Array): PDFObject {
  try {
    return PDFObjectParser.forBytes(bytes, PDFContext.create()).parseObject();
  } catch {
    throw new UnfitPdf(DAMAGED);
  }
}

async function pagesOf(bytes: Uint8Array, trailer: PDFDict): Promise<Page[]> {
  try {
    const context = await PDFParser.forBytesWithOptions(bytes).parseDocument();
    const catalog = context.lookup(trailer.get(PDFName.of('Root')), PDFDict);
    return [...leaves(context, catalog.get(PDFName.of('Pages')), 0, new Set())];
  } catch {
    throw new UnfitPdf(DAMAGED);
  }
}

/**
 * Yields the pages below a node of the page tree, in order. Throws if a node appears twice, or if it is neither a page
 * nor a node of the tree.
 */
function* leaves(
  context: PDFContext,
  ref: PDFObject | undefined,
  inherited: number,
  met: Set<PDFRef>,
): Generator<Page> {
  if (!(ref instanceof PDFRef) || met.has(ref)) throw new Error('not a tree');
  met.add(ref);
  const dictionary = context.lookup(ref, PDFDict);
  const rotation = rotationOf(dictionary) ?? inherited;
  const kids = dictionary.lookup(PDFName.of('Kids'));
  if (!(kids instanceof PDFArray)) {
    if (dictionary.lookup(PDFName.of('Type')) !== PDFName.of('Page')) throw new Error('not a page');
    yield { ref, dictionary, rotation };
    return;
  }
  for (const kid of kids.asArray()) yield* leaves(context, kid, rotation, met);
}

/**
 * Returns 0, 90, 180 or 270, or undefined if the page has no rotation. Viewers ignore any other value, so it counts as
 * 0.
 */
function rotationOf(dictionary: PDFDict): number | undefined {
  const value = dictionary.lookup(PDFName.of('Rotate'));
  if (!(value instanceof PDFNumber)) return undefined;
  const angle = ((value.asNumber() % 360) + 360) % 360;
  return angle % 90 === 0 ? angle : 0;
}

/**
 * Returns the bytes to append to a file of `length` bytes: the rotated pages, a cross-reference section and a trailer.
 */
function updateOf(rotated: readonly Page[], section: Section, length: number): Uint8Array {
  const pages = rotated.toSorted((one, other) => one.ref.objectNumber - other.ref.objectNumber);
  const entries: Entry[] = [];
  let text = '\n';
  for (const { ref, dictionary } of pages) {
    entries.push({ ref, offset: length + text.length });
    text += `${ref.objectNumber} ${ref.generationNumber} obj\n${dictionary}\nendobj\n`;
  }
  const start = length + text.length;
  text += section.isStream ? streamSection(entries, section, start) : table(entries, section);
  text += `startxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

interface Entry {
  ref: PDFRef;
  offset: number;
}

function table(entries: readonly Entry[], section: Section): string {
  const rows = entries.map(({ ref, offset }) => {
    const generation = String(ref.generationNumber).padStart(5, '0');
    return `${ref.objectNumber} 1\n${String(offset).padStart(10, '0')} ${generation} n \n`;
  });
  const size = section.trailer.get(PDFName.of('Size'));
  return `xref\n${rows.join('')}trailer\n<< /Size ${size} ${repeated(section)} >>\n`;
}

/** Returns a cross-reference stream. Its object number is the first one that the file does not use. */
function streamSection(entries: readonly Entry[], section: Section, start: number): string {
  const number = section.trailer.lookup(PDFName.of('Size'), PDFNumber).asNumber();
  const all = [...entries, { ref: PDFRef.of(number), offset: start }];
  const data = new DataView(new ArrayBuffer(7 * all.length));
  for (const [index, { ref, offset }] of all.entries()) {
    data.setUint8(7 * index, 1);
    data.setUint32(7 * index + 1, offset);
    data.setUint16(7 * index + 5, ref.generationNumber);
  }
  const content = Array.from(new Uint8Array(data.buffer), (byte) => String.fromCharCode(byte)).join(
    '',
  );
  const index = all.map(({ ref }) => `${ref.objectNumber} 1`).join(' ');
  return `${number} 0 obj\n<< /Type /XRef /Size ${number + 1} /W [1 4 2] /Index [${index}] /Length ${content.length} ${repeated(section)} >>\nstream\n${content}\nendstream\nendobj\n`;
}

/** Returns the trailer entries that every section must repeat, and the offset of the previous section. */
function repeated({ trailer, offset }: Section): string {
  const entries = ['Root', 'Info', 'ID'].flatMap((key) => {
    const value = trailer.get(PDFName.of(key));
    return value ? [`/${key} ${value}`] : [];
  });
  return [...entries, `/Prev ${offset}`].join(' ');
}
