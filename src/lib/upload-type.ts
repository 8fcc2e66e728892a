/**
 * What an uploaded file really is, and whether that is what was declared: the accepted kinds of upload_file (api.md),
 * judged by magic bytes. The same judgement gives the type under which a stored file is served.
 */
import { fileTypeFromBuffer } from 'file-type';
import { looksLikeMarkup, textEncodingOf } from './text-bytes.ts';

export type Judgement = { contentType: string; text: boolean } | { refusal: string };

const ACCEPTED =
  'Accepted are images, video, audio, PDF, plain text, CSV, JSON, archives and Office documents; not SVG, HTML or XML.';

const REFUSED_TYPE =
  /^(text\/(html|xml|javascript|ecmascript|css)|application\/(xhtml\+xml|xml|javascript|ecmascript|x-javascript))$|\+xml$/;
const REFUSED_EXTENSION = /\.(s?html?|xhtml?|xht|svgz?|xml|xsl|xslt|mhtml?|js|mjs|css|hta)$/i;

const ARCHIVE =
  /^application\/(zip|x-tar|x-rar-compressed|gzip|x-bzip2|x-7z-compressed|x-xz|x-compress|lzip|zstd|x-lzh-compressed|x-arj|x-cpio|x-lz4|x-ace-compressed)$/;
const OFFICE =
  /^application\/(vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|vnd\.ms-(word|excel|powerpoint)\..+|vnd\.apple\.(keynote|numbers|pages)|x-cfb|rtf|epub\+zip|vnd\.visio)$/;

/** Names of one and the same type; the first is the one we serve. */
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

/** Office formats that are ZIP archives inside, which a signature alone may not tell apart. */
const zipBased = (type: string) =>
  /openxmlformats|opendocument|epub\+zip|vnd\.ms-(word|excel|powerpoint)\.|vnd\.apple\./.test(type);

/**
 * Judges a file by its first bytes.
 * @param head the first bytes; the whole file where it is small
 * @param declared the media type the caller gave, if any
 */
export async function judgeUpload(
  head: Uint8Array,
  declared: string | undefined,
  filename: string,
): Promise<Judgement> {
  if (declared && REFUSED_TYPE.test(declared)) {
    return { refusal: `${declared} is not accepted. ${ACCEPTED}` };
  }
  const extension = REFUSED_EXTENSION.exec(filename)?.[0];
  if (extension) return { refusal: `Files named *${extension} are not accepted. ${ACCEPTED}` };
  const mime = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.toLowerCase();
  const detected = mime?.split(';', 1)[0];
  if (!detected || detected.startsWith('text/') || detected === 'application/xml') {
    return judgeText(head, declared, filename);
  }
  if (!isAccepted(detected))
    return { refusal: `It is ${detected}, which is not accepted. ${ACCEPTED}` };
  if (detected === 'application/gzip' && looksLikeMarkup(await gunzipHead(head))) {
    return { refusal: `It is compressed SVG, HTML or XML. ${ACCEPTED}` };
  }
  if (declared && !agree(declared, detected)) {
    return {
      refusal: `It was declared as ${declared}, but its bytes are ${detected}. Declare the right type, or none.`,
    };
  }
  const contentType = declared && detected === 'application/zip' ? declared : detected;
  return {
    contentType: contentType === 'application/x-zip-compressed' ? 'application/zip' : contentType,
    text: false,
  };
}

function judgeText(head: Uint8Array, declared: string | undefined, filename: string): Judgement {
  const encoding = textEncodingOf(head);
  if (!encoding) {
    return declared
      ? { refusal: `It was declared as ${declared}, but its bytes are not that.` }
      : { refusal: `Its bytes are of no known kind. ${ACCEPTED}` };
  }
  if (looksLikeMarkup(head)) return { refusal: `It is SVG, HTML or XML. ${ACCEPTED}` };
  const textual =
    !declared ||
    declared.startsWith('text/') ||
    /^application\/(json|csv|x-ndjson|ndjson|jsonl|ld\+json|.+\+json|yaml|x-yaml|toml)$/.test(
      declared,
    );
  if (!textual) return { refusal: `It was declared as ${declared}, but its bytes are text.` };
  return { contentType: textType(declared, filename, encoding), text: true };
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

/** The first bytes of what a gzip file holds; empty where it cannot be read. */
async function gunzipHead(head: Uint8Array): Promise<Uint8Array> {
  const gunzip = new DecompressionStream('gzip');
  const writer = gunzip.writable.getWriter();
  writer.write(head as Uint8Array<ArrayBuffer>).catch(() => {});
  const reader = gunzip.readable.getReader();
  const first = await reader.read().catch(() => undefined);
  writer.abort().catch(() => {});
  reader.cancel().catch(() => {});
  return first?.value ?? new Uint8Array();
}
