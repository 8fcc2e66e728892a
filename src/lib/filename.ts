/** Makes received file names safe, and writes file names into headers. */
import { headerParameters, unescapeQuoted } from './header-parameters.ts';

const MAX_LENGTH = 150;
/**
 * The maximum number of characters of a received name. The middle of a longer name is removed. Its last READ_END
 * characters remain, because they contain the extension.
 */
const READ_LENGTH = 1024;
const READ_END = 24;

/**
 * Returns the name without its path, without control characters and without characters that file systems refuse. The
 * result is never empty. If a name is shortened, its extension is preserved.
 */
export function safeFilename(name: string | undefined, fallback = 'file'): string {
  const clean = shortBase(name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .trim()
    .replace(/^\.+/, '');
  if (clean === '') return fallback;
  if ([...clean].length <= MAX_LENGTH) return clean;
  const extension = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  return [...clean].slice(0, MAX_LENGTH - extension.length).join('') + extension;
}

/**
 * Returns a name without its path. Drops the middle of a very long name, because `normalize` takes quadratic time for
 * accents.
 */
function shortBase(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  if (base.length <= READ_LENGTH) return base;
  return base.slice(0, READ_LENGTH - READ_END) + base.slice(-READ_END);
}

/** Returns the name of a fetched file, from Content-Disposition or else from the last segment of the path. */
export function filenameOf(disposition: string | null, path: string): string {
  // The semicolon replaces the disposition type, which some senders omit.
  const parameters = headerParameters(`;${disposition ?? ''}`);
  const extended = /^utf-8'[^']*'(.+)$/i.exec(parameters.get('filename*') ?? '')?.[1];
  const quoted = parameters.get('filename');
  const segment = path.split('/').at(-1) ?? '';
  return safeFilename(
    decoded(extended) ?? (quoted ? unescapeQuoted(quoted) : undefined) ?? decoded(segment),
  );
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns a Content-Disposition value (RFC 6266) with an ASCII name for old clients and an encoded name (RFC 8187) for
 * all others.
 */
export function contentDisposition(type: 'inline' | 'attachment', filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  if (ascii === filename) return `${type}; filename="${ascii}"`;
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encodeRfc8187(filename)}`;
}

const encodeRfc8187 = (text: string) =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Returns a name without its extension. A number or words after a dot are not an extension ("Invoice no. 12", "v1.2").
 * If `kind` is given, only that extension is removed, so "Contract.final" is unchanged.
 */
export function stemOf(filename: string, kind?: string): string {
  const extension = /(?<=.)\.(?!\d+$)([^.\s]{1,10})$/.exec(filename)?.[1];
  if (!extension || (kind && extension.toLowerCase() !== kind)) return filename;
  return filename.slice(0, -extension.length - 1);
}
