/** Finds the result images for how-tos and tool pages. */
import type { Tool } from '../../core/define-tool.ts';

/**
 * The how-tos with an image of their result, each with the tool whose page shows it. `npm run how-to-images` creates
 * the images.
 */
export const HOW_TO_IMAGES = {
  'compare-two-configuration-files': 'compare_text',
  'compress-a-scan-for-mail': 'compress_pdf',
  'cut-a-comic-into-panels': 'split_image',
  'fill-a-database-with-test-users': 'generate_fake_data',
  'find-out-why-a-jwt-is-refused': 'decode_jwt',
  'make-a-qr-code-for-print': 'generate_qr_code',
  'make-one-pdf-from-photos': 'images_to_pdf',
  'merge-pdfs-into-one-document': 'merge_pdf',
  'ocr-a-scan-in-german': 'extract_text_ocr',
  'prepare-images-for-a-web-page': 'compress_image',
  'read-the-text-of-any-pdf': 'parse_document',
  'rotate-sideways-pages-of-a-pdf': 'rotate_pdf',
  'send-only-some-pages': 'split_pdf',
  'show-a-preview-of-a-link': 'fetch_site_logo',
  'shrink-a-screen-recording': 'compress_video',
  'watch-what-a-page-looks-like': 'screenshot_url',
} as const;

/** The size of each image in pixels. Pages show images at two thirds of this size. */
export const HOW_TO_IMAGE = { width: 792, height: 480 };

/** Returns the name of the image that shows an example of the tool's result. */
export const exampleImageOf = ({ name }: Tool): string | undefined =>
  Object.entries(HOW_TO_IMAGES).find(([, tool]) => tool === name)?.[0];
