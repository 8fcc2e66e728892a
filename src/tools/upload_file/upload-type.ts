/**
 * Detects the type of an uploaded file, compares it with the declared type, and checks that upload_file accepts it
 * (api.md). A stored file is served with the detected type.
 */

import { isMediaType, mediaTypeOf } from '../../lib/body.ts';
import { joinBytes } from '../../lib/join-bytes.ts';
import { isPdf } from '../../lib/magic-bytes.ts';
import { holdsMarkup, looksLikeMarkup, textEncodingOf } from '../../web/text-bytes.ts';

export type UploadCheck = { contentType: string; text: boolean } | { refusal: string };

const ACCEPTED =
  'Send an image, video, audio, PDF, plain text, CSV, JSON, archive or Office document.';

const IS_MARKUP = `it is SVG, HTML or XML. ${ACCEPTED}`;

/** Matches the media types of text files. */
const TEXTUAL =
  /^(text\/.+|application\/(json|csv|x-ndjson|ndjson|jsonl|.+\+json|yaml|x-yaml|toml))$/;

const REFUSED_TYPE =
  /^(text\/(html|xml|javascript|ecmascript|css)|application\/(xhtml\+xml|xml|javascript|ecmascript|x-javascript))$|\+xml$/;
const REFUSED_EXTENSION = /\.(s?html?|xhtml?|xht|svgz?|xml|xsl|xslt|mhtml?|js|mjs|css|hta)$/i;

const ARCHIVE =
  /^application\/(zip|x-tar|x-rar-compressed|gzip|x-bzip2|x-7z-compressed|x-xz|x-compress|lzip|zstd|x-lzh-compressed|x-arj|x-cpio|x-lz4|x-ace-compressed)$/;
const OFFICE =
  /^application\/(vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.ms-(word|excel|powerpoint)\..+|vnd\.apple\.(keynote|numbers|pages)|x-cfb|rtf|epub\+zip|vnd\.visio)$/;

/** Synonyms of media types. A declared type agrees with the detected type if both are in the same list. */
const SYNONYMS = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/png', 'image/apng', 'image/x-png'],
  ['image/bmp', 'image/x-ms-bmp', 'image/x-bmp'],
  ['image/x-icon', 'image/vnd.microsoft.icon', 'image/ico'],
  ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  ['video/mp4', 'audio/mp4', 'video/x-m4v', 'audio/x-m4a', 'audio/m4a'],
  ['video/matroska', 'video/x-matroska', 'audio/x-matroska'],
  ['video/webm', 'audio/webm'],
  ['video/vnd.avi', 'video/x-msvideo', 'video/avi', 'video/msvideo'],
  ['video/mpeg', 'video/mp1s', 'video/mp2p'],
  ['video/3gpp', 'audio/3gpp', 'video/3gpp2', 'audio/3gpp2'],
  ['video/x-flv', 'video/flv'],
  [
    'video/x-ms-asf',
    'audio/x-ms-asf',
    'video/x-ms-wmv',
    'audio/x-ms-wma',
    'application/vnd.ms-asf',
  ],
  ['audio/mpeg', 'audio/mp3', 'audio/x-mp3', 'audio/mpeg3'],
  ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  ['audio/flac', 'audio/x-flac'],
  ['audio/aac', 'audio/x-aac', 'audio/aacp'],
  ['audio/aiff', 'audio/x-aiff'],
  ['audio/midi', 'audio/x-midi', 'audio/mid'],
  ['audio/ogg', 'video/ogg', 'application/ogg', 'audio/opus', 'audio/vorbis'],
  ['application/pdf', 'application/x-pdf'],
  ['application/zip', 'application/x-zip-compressed', 'application/x-zip'],
  ['application/gzip', 'application/x-gzip', 'application/x-tgz', 'application/x-compressed-tar'],
  ['application/x-rar-compressed', 'application/vnd.rar', 'application/x-rar'],
  ['application/x-bzip2', 'application/x-bzip', 'application/bzip2'],
  ['application/zstd', 'application/x-zstd'],
  ['application/rtf', 'text/rtf'],
  [
    'application/x-cfb',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    'application/vnd.ms-outlook',
  ],
  ['text/csv', 'application/csv'],
];

const canonical = new Map(SYNONYMS.flatMap((names) => names.map((name) => [name, names[0]!])));
const canonicalOf = (type: string) => canonical.get(type) ?? type;

/** Whether the type is an Office format inside a ZIP archive. A signature alone might not distinguish these formats. */
const zipBased = (type: string) =>
  OFFICE.test(type) && !['application/x-cfb', 'application/rtf'].includes(type);

/**
 * Detects a file's type from its first bytes. Returns a refusal if the file is not accepted.
 * @param head the first bytes, or the whole file if it is small
 * @param declared the caller's media type, if any
 */
export async function checkUpload(
  head: Uint8Array,
  declared: string | undefined,
  filename: string,
): Promise<UploadCheck> {
  if (declared && !isMediaType(declared)) {
    return { refusal: 'its declared type is not a media type such as image/png.' };
  }
  if (declared && REFUSED_TYPE.test(declared)) {
    return { refusal: `files of type ${declared} are not accepted. ${ACCEPTED}` };
  }
  const extension = REFUSED_EXTENSION.exec(filename)?.[0];
  if (extension) return { refusal: `files named *${extension} are not accepted. ${ACCEPTED}` };
  const detected = await detect(head, declared, filename);
  const text = textEncodingOf(head) !== null;
  // Some signatures consist of letters with which text may begin ("BM", "GIF89a"), so text takes precedence over them.
  if (!detected || (text && detected !== 'application/pdf' && detected !== 'application/rtf')) {
    if (detected && holdsMarkup(head)) return { refusal: IS_MARKUP };
    return checkText(head, declared, filename);
  }
  if (!isAccepted(detected)) {
    return { refusal: `files of type ${detected} are not accepted. ${ACCEPTED}` };
  }
  if (detected === 'image/gif' && !isGif(head)) {
    return { refusal: 'it begins like a GIF but is not one.' };
  }
  if (detected === 'application/gzip' && looksLikeMarkup(await gunzipHead(head))) {
    return { refusal: IS_MARKUP };
  }
  if (declared && !agree(declared, detected)) {
    return {
      refusal: `it was declared as ${declared}, but its bytes are ${detected}. Declare the correct type, or none.`,
    };
  }
  const contentType = declared && detected === 'application/zip' ? declared : detected;
  return {
    contentType: contentType === 'application/x-zip-compressed' ? 'application/zip' : contentType,
    text: false,
  };
}

function checkText(head: Uint8Array, declared: string | undefined, filename: string): UploadCheck {
  const encoding = textEncodingOf(head);
  if (!encoding) {
    if (!declared) return { refusal: `its type is unknown. ${ACCEPTED}` };
    const advice = TEXTUAL.test(declared)
      ? ' Save it as UTF-8, or as UTF-16 with a byte-order mark.'
      : '';
    return {
      refusal: `it was declared as ${declared}, but its bytes do not match that type.${advice}`,
    };
  }
  if (looksLikeMarkup(head)) return { refusal: IS_MARKUP };
  // On Windows, a CSV file may be declared with the type of the program that opens it.
  const type =
    declared === 'application/vnd.ms-excel' && /\.csv$/i.test(filename) ? 'text/csv' : declared;
  if (type && !TEXTUAL.test(type)) {
    return { refusal: `it was declared as ${type}, but its bytes are text.` };
  }
  return { contentType: textType(type, filename, encoding), text: true };
}

function textType(declared: string | undefined, filename: string, encoding: string): string {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase();
  if (declared ? /json/.test(declared) : extension === 'json') return 'application/json';
  const csv = declared ? canonicalOf(declared) === 'text/csv' : extension === 'csv';
  return `${csv ? 'text/csv' : 'text/plain'}; charset=${encoding}`;
}

const isAccepted = (type: string) =>
  /^(image|video|audio)\//.test(type) ||
  type === 'application/pdf' ||
  ARCHIVE.test(type) ||
  OFFICE.test(type) ||
  canonical.has(type);

function agree(declared: string, detected: string): boolean {
  if (canonicalOf(declared) === canonicalOf(detected)) return true;
  if (detected === 'application/zip') return zipBased(declared);
  return canonicalOf(declared) === 'application/zip' && zipBased(detected);
}

/**
 * Returns the media type that the bytes show, without parameters. Returns undefined if they are text or of an unknown
 * type.
 */
async function detect(
  head: Uint8Array,
  declared: string | undefined,
  filename: string,
): Promise<string | undefined> {
  // Other bytes may precede the signature of a PDF, because readers search for it.
  const meantAsPdf = declared
    ? canonicalOf(declared) === 'application/pdf'
    : /\.pdf$/i.test(filename);
  if (meantAsPdf && isPdf(head) && !looksLikeMarkup(head)) return 'application/pdf';
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const type = found && mediaTypeOf(found.mime);
  return type?.startsWith('text/') || type === 'application/xml' ? undefined : type;
}

/** Whether a valid block follows the header and the palette of the GIF (GIF89a, section 12). */
function isGif(head: Uint8Array): boolean {
  const flags = head[10] ?? 0;
  const colors = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
  return [0x21, 0x2c, 0x3b].includes(head[13 + colors] ?? 0);
}

const GUNZIPPED_BYTES = 64 * 1024;
/** The number of input bytes that are decompressed at a time. Even if they grow a thousandfold, the output is small. */
const GUNZIP_STEP = 512;

/** Returns the first decompressed bytes of a gzip file. If the file is damaged, returns the bytes before the damage. */
async function gunzipHead(head: Uint8Array): Promise<Uint8Array> {
  const { Gunzip } = await import('fflate');
  const pieces: Uint8Array[] = [];
  let size = 0;
  const gunzip = new Gunzip((piece) => {
    pieces.push(piece);
    size += piece.byteLength;
  });
  try {
    for (let at = 0; at < head.length && size < GUNZIPPED_BYTES; at += GUNZIP_STEP) {
      gunzip.push(head.subarray(at, at + GUNZIP_STEP));
    }
  } catch {
    // The check uses the bytes that were decompressed before the error.
  }
  return joinBytes(pieces, size);
}
