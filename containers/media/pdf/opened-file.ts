/** A document with the parts that several operations read, each read once. */
import type { Destinations } from './destinations.ts';
import type { PdfDocument } from './document.ts';
import type { OutlineItem } from './outlines.ts';
import type { Pages } from './pages.ts';

export interface OpenedFile {
  document: PdfDocument;
  pages: Pages;
  destinations: Destinations;
  outlines: readonly OutlineItem[];
  /** Whether each part contains the attachments of the whole document. */
  keepsAttachments: boolean;
}
