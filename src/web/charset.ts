/** Bytes of a page as text: the encoding by byte-order mark, header, meta element, and then by the bytes themselves. */

/** How far browsers look for a declaration (HTML standard, §13.2.3.2). */
const PRESCAN_BYTES = 1024;
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

/** The encoding that `charset=…` names, or null where it names none that is known. */
function labelOf(text: string): string | null {
  const label = /charset\s*=\s*["']?\s*([^\s"';,>/]+)/i.exec(text)?.[1];
  if (!label) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** What a meta element or an XML declaration in the first bytes says, comments left out. */
function declaredInside(bytes: Uint8Array): string | null {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES));
  const visible = text.replace(/<!--[\s\S]*?(-->|$)/g, '');
  for (const [tag] of visible.matchAll(/<meta[\s/][^>]*>?/gi)) {
    const encoding = labelOf(tag);
    // A declaration that could be read as ASCII is not UTF-16 (HTML standard, prescan).
    if (encoding) return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  }
  const xml = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(visible)?.[1];
  return xml ? labelOf(`charset=${xml}`) : null;
}

async function detect(bytes: Uint8Array): Promise<string> {
  const head = bytes.subarray(0, DETECTION_BYTES);
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
