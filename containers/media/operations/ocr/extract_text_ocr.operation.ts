/** Implements extract_text_ocr, which recognizes the text on the pages of an image or PDF. */
import { badRequest } from '../../../../src/core/errors.ts';
import {
  OCR_LANGUAGES,
  type OcrLanguage,
} from '../../../../src/tools/extract_text_ocr/ocr-languages.ts';
import { images } from '../image/process/image-pool.ts';
import { joinPages } from '../join-pages.ts';
import { onlyFile } from '../only-file.ts';
import type { Operation } from '../operation.ts';
import type { DocumentPages } from './document-pages.ts';
import { otherLanguageWarnings } from './other-language.ts';
import { openPages } from './pages.ts';
import { confidenceOf, type RecognizedPage } from './read-page.ts';
import { readPages, recognitionWarnings, TIME_LIMIT_MS } from './read-pages.ts';
import { searchablePdf } from './searchable-pdf.ts';

export const operation: Operation = {
  kind: 'ocr',
  prepare: () => images.warm(),
  timeLimitMs: TIME_LIMIT_MS,
  async run(params, files, context) {
    const languages = (params.languages ?? [params.language]) as OcrLanguage[];
    const file = onlyFile(files, 'extract_text_ocr');
    if (!languages.every((language) => Object.hasOwn(OCR_LANGUAGES, language))) {
      throw badRequest(`Languages must be among ${Object.keys(OCR_LANGUAGES).join(', ')}.`);
    }
    const document = await openPages(file, context);
    if (params.output === 'pdf') return searchablePdf(file, document, languages, context);
    const all = Array.from({ length: document.count }, (_, index) => index);
    const pages = await readPages(file, document, all, languages, context);
    const text = joinPages(pages.map((page) => page.text));
    const warnings = [
      ...document.warnings,
      ...recognitionWarnings(pages, all),
      ...otherLanguageWarnings(
        pages.map((page) => page.text),
        languages,
      ),
    ];
    const body = Buffer.from(
      JSON.stringify({
        text,
        language: languages[0],
        ...(params.languages !== undefined && { languages }),
        confidence: confidenceOf(pages),
        ...(params.output === 'words' && { pages: pages.map(wordsOf(document)) }),
      }),
    );
    return {
      contentType: 'application/json',
      size: body.length,
      open: () => [body],
      meta: { pages: document.count, warnings },
    };
  },
};

/** Returns the words of a page for the result, in pixels of an image or in points of a PDF page. */
const wordsOf =
  ({ pixelsPerPoint }: DocumentPages) =>
  ({ words, width, height }: RecognizedPage, index: number) => {
    const scale = pixelsPerPoint?.[index] ?? 1;
    const lengths = (given: Record<string, number>) =>
      Object.fromEntries(
        Object.entries(given).map(([name, pixels]) => [
          name,
          Math.round((pixels / scale) * 10) / 10,
        ]),
      );
    return {
      page: index + 1,
      unit: pixelsPerPoint ? 'pt' : 'px',
      ...lengths({ width, height }),
      words: words.map(({ text, confidence, x, y, width, height }) => ({
        text,
        confidence: Math.round(confidence * 1000) / 1000,
        ...lengths({ x, y, width, height }),
      })),
    };
  };
