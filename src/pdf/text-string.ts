/** Text strings: PDFDocEncoding, UTF-16BE and UTF-8 by byte-order mark (ISO 32000-1 §7.9.2.2, 32000-2). */
import type { PdfString } from './objects.ts';

/** Where PDFDocEncoding (ISO 32000-1 annex D.3) differs from Latin-1. */
const DIFFERENT: Record<number, string> = {
  24: '˘',
  25: 'ˇ',
  26: 'ˆ',
  27: '˙',
  28: '˝',
  29: '˛',
  30: '˚',
  31: '˜',
  128: '•',
  129: '†',
  130: '‡',
  131: '…',
  132: '—',
  133: '–',
  134: 'ƒ',
  135: '⁄',
  136: '‹',
  137: '›',
  138: '−',
  139: '‰',
  140: '„',
  141: '“',
  142: '”',
  143: '‘',
  144: '’',
  145: '‚',
  146: '™',
  147: 'ﬁ',
  148: 'ﬂ',
  149: 'Ł',
  150: 'Œ',
  151: 'Š',
  152: 'Ÿ',
  153: 'Ž',
  154: 'ı',
  155: 'ł',
  156: 'œ',
  157: 'š',
  158: 'ž',
  160: '€',
};

const UTF_8 = new TextDecoder('utf-8');
const UTF_16 = new TextDecoder('utf-16be');

/** The text that a text string means. Never throws: bytes that mean nothing become U+FFFD. */
export function decodeTextString(string: PdfString): string {
  const { bytes } = string;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return UTF_16.decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return UTF_8.decode(bytes);
  let text = '';
  for (const code of bytes) text += DIFFERENT[code] ?? String.fromCharCode(code);
  return text;
}

/** Bytes as a string of equal length, to be a key of a Map: names in a name tree are bytes (§7.9.6). */
export function byteKey(bytes: Uint8Array): string {
  let key = '';
  for (const code of bytes) key += String.fromCharCode(code);
  return key;
}
