/**
 * Describes a document with its pages, destinations and outlines. All parts of a split use them, so they are read once.
 */
import type { Destinations } from './destinations.ts';
import type { PdfDocument } from './document.ts';
import type { OutlineItem } from './outlines.ts';
import type { Pages } from './pages.ts';

export interface OpenedFile {
  document: PdfDocument;
  pages: Pages;
  destinations: Destinations;
  outlines: readonly OutlineItem[];
  /** Whether each part of a split contains all attachments of the document. */
  keepsAttachments: boolean;
}
