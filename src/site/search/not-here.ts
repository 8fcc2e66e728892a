/** Lists tasks that visitors search for but no tool does, with places to find help. */

interface Missing {
  /** Patterns that must all match the query. */
  patterns: readonly RegExp[];
  text: string;
}

const MISSING: readonly Missing[] = [
  {
    patterns: [/\bpdf to (?:word|docx?|excel|xlsx?|powerpoint|pptx?)\b/],
    text: 'PDFs are not converted to Office files here. Word opens a PDF itself, and so does LibreOffice Draw. The text of a PDF can be read here.',
  },
  {
    patterns: [/\b(?:word|docx?|excel|xlsx?|powerpoint|pptx?|odt|office)\b/, /\bpdfs?\b/],
    text: 'Office files are not converted here. Word and LibreOffice export a PDF themselves; Gotenberg and Stirling PDF do it on a server.',
  },
  {
    patterns: [/\b(?:e-?)?sign(?:ing|ature|atures)?\b(?! (?:in|up|out)\b)/],
    text: 'PDFs are not signed here. Acrobat Reader, the Preview app of macOS and Stirling PDF do it.',
  },
  {
    patterns: [
      /\b(?:redact|blacken|watermark|annotate|fill (?:in |out )?(?:a )?form|edit (?:a )?pdf)/,
    ],
    text: 'The content of PDF pages is not edited here: no redaction, watermarks or form filling. Stirling PDF does these.',
  },
  {
    patterns: [/\b(?:unlock|protect|encrypt|decrypt|password)/, /\bpdfs?\b/],
    text: 'Passwords of PDFs are neither set nor removed here. qpdf and Stirling PDF do both.',
  },
  {
    patterns: [/\bpdf to (?:jpe?g|png|images?|pictures?|webp)\b/],
    text: 'PDF pages are not converted to images here. pdftoppm and Stirling PDF do it.',
  },
  {
    patterns: [/\b(?:remove|erase|transparent) (?:the )?background\b|\bbackground remov/],
    text: 'The background of a photo is not removed here. The photo apps of most phones do it.',
  },
  {
    patterns: [/\b(?:mp3|wav|audio|music)\b/],
    text: 'Audio files are not converted here. Audacity and FFmpeg do it.',
  },
  {
    patterns: [/\btranslat/],
    text: 'Texts are not translated here. DeepL and Google Translate do it.',
  },
];

/** Returns a sentence about a task that no tool does, or undefined if the query does not name such a task. */
export function notHere(query: string): string | undefined {
  const text = query.toLowerCase().replace(/\s+/g, ' ');
  return MISSING.find(({ patterns }) => patterns.every((pattern) => pattern.test(text)))?.text;
}
