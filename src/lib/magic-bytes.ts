/** Detects file types from the first bytes. */

const PDF_HEADER = [0x25, 0x50, 0x44, 0x46, 0x2d];
const ZIP_HEADER = [0x50, 0x4b, 0x03, 0x04];

/**
 * Returns the byte offset of `%PDF-`, or -1 if the file is not a PDF. Readers look for it within the first 1,024 bytes
 * (PDF Reference 1.7, Appendix H, implementation note 13). A ZIP whose first entry is an uncompressed PDF also contains
 * this text.
 */
export function pdfHeaderOffset(head: Uint8Array): number {
  if (ZIP_HEADER.every((code, index) => head[index] === code)) return -1;
  const last = Math.min(head.length, 1024) - PDF_HEADER.length;
  for (let at = 0; at <= last; at += 1) {
    if (PDF_HEADER.every((code, index) => head[at + index] === code)) return at;
  }
  return -1;
}

export const isPdf = (head: Uint8Array): boolean => pdfHeaderOffset(head) >= 0;
