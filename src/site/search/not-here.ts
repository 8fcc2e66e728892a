/** Lists tasks that visitors search for but that no tool supports, each with a note for the visitor. */
import { isOneLetterApart } from './ranking.ts';

/** A note about a task that no tool supports. */
export interface Note {
  text: string;
  /** A page with more information about the programs or the tool that the text names. */
  link?: { href: string; text: string };
}

interface Missing extends Note {
  /** Patterns that must all match the query. */
  patterns: readonly RegExp[];
}

const COMPARISON = { href: '/compare/gotenberg-and-stirling-pdf', text: 'Read the comparison' };

const MISSING: readonly Missing[] = [
  {
    patterns: [/\bpdf to (?:word|docx?|excel|xlsx?|powerpoint|pptx?)\b/],
    text: 'No tool here converts PDFs to Office files, but Word and LibreOffice Draw can open a PDF. You can also read its text here.',
  },
  {
    patterns: [
      /\b(?:word|docx?|excel|xlsx?|powerpoint|pptx?|odt|office)\b/,
      /\bpdfs?\b|\bconver(?:t|sion)|^(?:docx?|excel|xlsx?|powerpoint|pptx?|odt|office)$/,
    ],
    text: 'No tool here converts Office files. Word and LibreOffice can export a PDF; Gotenberg and Stirling PDF convert files on a server.',
    link: COMPARISON,
  },
  {
    // Signatures of tokens, webhooks and programs are other tasks.
    patterns: [
      /\b(?:e-?)?sign(?:ing|ature|atures)?\b(?! (?:in|up|out)\b)/,
      /\b(?:pdfs?|documents?|contracts?|agreements?|forms?|letters?|invoices?|e-?sign\w*|electronic\w*)\b|^sign\w*$/,
    ],
    text: 'No tool here signs PDFs. You can use Acrobat Reader, Preview on macOS, or Stirling PDF.',
    link: COMPARISON,
  },
  {
    patterns: [
      /\b(?:redact|blacken|watermark|annotate|crop (?:a )?pdf|pdf crop|fill (?:in |out )?(?:a )?form|edit (?:a )?pdf|pdf edit)/,
    ],
    text: 'No tool here edits PDF pages, redacts them, adds watermarks or fills in forms. You can use Stirling PDF.',
    link: COMPARISON,
  },
  {
    patterns: [/\b(?:unlock|protect|encrypt|decrypt|password)/, /\bpdfs?\b|^(?:unlock|protect)$/],
    text: 'No tool here sets or removes PDF passwords. You can use qpdf or Stirling PDF.',
    link: COMPARISON,
  },
  {
    patterns: [/\bpdfs? (?:in)?to (?:an? )?(?:jpe?g|png|images?|pictures?|photos?|webp)\b/],
    text: 'No tool here converts PDF pages to images. On a Mac, Preview exports a page as JPEG or PNG. On Windows, open the page and take a screenshot with the Snipping Tool. Stirling PDF converts whole documents on a server.',
    link: COMPARISON,
  },
  {
    patterns: [/\b(?:blur|pixelate)\b/],
    text: 'No tool here blurs parts of an image. You can use the photo editor of your computer or phone.',
  },
  {
    patterns: [/\b(?:remove|erase|transparent) (?:the )?background\b|\bbackground remov/],
    text: 'No tool here removes the background from a photo. You can use the photo app on most phones.',
  },
  {
    patterns: [/\b(?:mp3|wav|audio|music|voice|speech)\b/],
    text: 'No tool here converts audio files. You can use Audacity or FFmpeg.',
  },
  {
    patterns: [/\b(?:repair|fix|correct)/, /\bjson\b/],
    text: 'No tool here repairs JSON. "Format JSON" shows the position of the first error.',
  },
  {
    patterns: [/\bcsv\b/],
    text: 'No tool here converts CSV. You can use a spreadsheet program.',
  },
  {
    patterns: [/\b(?:cut(?:ter)?|trim(?:mer)?|crop|join|merger?)\b/, /\b(?:videos?|clips?|mp4)\b/],
    text: 'No tool here cuts or joins videos. You can use FFmpeg, or the photo app on most phones.',
  },
  {
    patterns: [/\b(?:to|into|as)\b/, /\bgifs?\b/],
    text: 'No tool here makes GIFs. You can use FFmpeg.',
  },
  {
    patterns: [/\bcrop(?:per|ping|s)?\b/],
    text: 'No tool here crops an image to a part that you choose. "Compress or convert an image" crops it at the center to a width and a height: set both and switch off "Fit inside without cropping".',
    link: { href: '/tools/compress_image', text: 'Open the tool' },
  },
  {
    patterns: [/\b(?:rotate|flip)\b/, /\b(?:photos?|images?|pictures?|jpe?g|png)\b/],
    text: 'No tool here rotates or flips images. You can use the photo app on your computer or phone.',
  },
  {
    patterns: [/\bxml\b/],
    text: 'No tool here formats or converts XML. You can use xmllint or a code editor.',
  },
  {
    patterns: [/\b(?:bcrypt|scrypt|argon2(?:id)?|pbkdf2)\b/],
    text: 'No tool here hashes passwords with bcrypt, scrypt, Argon2 or PBKDF2. You can use a library of your programming language. "Hash text or a file" computes SHA-256 and other digests, which are too fast for storing passwords.',
    link: { href: '/tools/hash_text', text: 'Open the tool' },
  },
  {
    patterns: [/\btranslat/],
    text: 'No tool here translates text. You can use DeepL or Google Translate.',
  },
];

/** Returns the note about a task that no tool supports, or undefined if the query does not name such a task. */
export function notHere(query: string): Note | undefined {
  const text = query.toLowerCase().trim().split(/\s+/).map(corrected).join(' ');
  return MISSING.find(({ patterns }) => patterns.every((pattern) => pattern.test(text)));
}

/** Words in the patterns whose misspellings are corrected. Shorter words are too similar to other words. */
const LONG_WORDS = [
  'annotate',
  'background',
  'powerpoint',
  'redact',
  'signature',
  'translate',
  'watermark',
];

const corrected = (word: string): string =>
  (word.length >= SHORTEST_CORRECTED &&
    LONG_WORDS.find((other) => isOneLetterApart(word, other))) ||
  word;

const SHORTEST_CORRECTED = 6;
