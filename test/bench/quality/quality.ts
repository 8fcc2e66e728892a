/** Compares the quality of results with that of common alternative programs. Each tool has its own file. */
import type { Row } from '../row.ts';

const TOOLS: Record<string, () => Promise<Row[]>> = {
  compress_pdf: async () => (await import('./compress-pdf.ts')).compressPdfRows(),
  extract_text_ocr: async () => (await import('./extract-text-ocr.ts')).extractTextOcrRows(),
  compare_text: async () => (await import('./compare-text.ts')).compareTextRows(),
  parse_document: async () => (await import('./parse-document.ts')).parseDocumentRows(),
  images_to_pdf: async () => (await import('./images-to-pdf.ts')).imagesToPdfRows(),
  merge_pdf: async () => (await import('./merge-pdf.ts')).mergePdfRows(),
  compress_video: async () => (await import('./compress-video.ts')).compressVideoRows(),
  compress_image: async () => (await import('./compress-image.ts')).compressImageRows(),
};

/** Returns the rows of all tools, or of the tools in BENCH_TOOLS, which is a comma-separated list. */
export async function qualityRows(): Promise<Row[]> {
  const wanted = process.env.BENCH_TOOLS?.split(',');
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(TOOLS)) {
    if (!wanted || wanted.includes(name)) rows.push(...(await measure()));
  }
  return rows;
}
