/** Bytes of a page as text: the encoding by byte-order mark, header, meta element, and then by the bytes themselves. */

import { Parser } from 'htmlparser2';

/** Browsers look for a declaration in so many bytes, whatever they are, and further on while the head lasts. */
const PRESCAN_BYTES = 1024;
const HEAD_BYTES = 512 * 1024;
const HEAD_ELEMENTS = new Set(
  'html head title base link meta style script noscript object'.split(' '),
);
/** Enough to tell an encoding, and quickly judged. */
const DETECTION_BYTES = 64 * 1024;

/** Decodes a page. `contentType` is the header's value, or empty. */
export async function decodeHtml(bytes: Uint8Array, contentType: string): Promise<string> {
  const declared = byteOrderMark(bytes) ?? labelOf(contentType) ?? declaredInside(bytes);
  return new TextDecoder(declared ?? (await detect(bytes))).decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** The encoding that `charset=…` in a media type names, or null where it names none that is known. */
function labelOf(text: string): string | null {
  const label = /charset\s*=\s*["']?\s*([^\s"';,>/]+)/i.exec(text)?.[1];
  return label ? encodingOf(label) : null;
}

function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** What a meta element of the head says, or an XML declaration. */
function declaredInside(bytes: Uint8Array): string | null {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
  const meta = declaredByMeta(text);
  // A declaration that could be read as ASCII is not UTF-16 (HTML standard, prescan).
  if (meta) return meta.startsWith('utf-16') ? 'utf-8' : meta;
  const xml = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1];
  return xml ? encodingOf(xml) : null;
}

function declaredByMeta(text: string): string | null {
  let declared: string | null = null;
  let isInHead = true;
  const parser = new Parser({
    onopentag(name, { charset, content = '', 'http-equiv': pragma }) {
      isInHead &&= HEAD_ELEMENTS.has(name);
      if (name !== 'meta' || declared) return;
      if (charset !== undefined) declared = encodingOf(charset);
      else if (pragma?.trim().toLowerCase() === 'content-type') declared = labelOf(content);
    },
  });
  for (let at = 0; at < text.length && isInHead && !declared; at += PRESCAN_BYTES)
    parser.write(text.slice(at, at + PRESCAN_BYTES));
  return declared;
}

async function detect(bytes: Uint8Array): Promise<string> {
  // ASCII says nothing: a page may begin with much of it.
  const telling = bytes.findIndex((byte) => byte >= 0x80);
  const start = telling < 0 ? 0 : bytes.lastIndexOf(0x3e, telling) + 1;
  const head = bytes.subarray(start, start + DETECTION_BYTES);
  try {
    // A cut last character is no fault.
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    const { detect: guess } = await import('chardet');
    return labelOf(`charset=${guess(textOnly(head)) ?? ''}`) ?? 'windows-1252';
  }
}

/** The bytes without tags, whose ASCII says nothing of the language. */
function textOnly(bytes: Uint8Array): Uint8Array {
  const kept: number[] = [];
  let inside = false;
  for (const byte of bytes) {
    if (byte === 0x3c) inside = true;
    else if (byte === 0x3e) inside = false;
    else if (!inside) kept.push(byte);
  }
  return Uint8Array.from(kept);
}
