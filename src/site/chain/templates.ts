/** Ready-made chains for common tasks. */
import { findTool } from '../../tools/find-tool.ts';
import { newStep, type Step } from './steps.ts';

interface Template {
  /** Its name in `/chains?template=`. */
  name: string;
  title: string;
  steps: (Step & { label: string })[];
}

type Row = [tool: string, id: string, label: string, parameters?: Record<string, unknown>];

const template = (name: string, title: string, rows: readonly Row[]): Template => ({
  name,
  title,
  steps: rows.map(([tool, id, label, parameters]) => ({
    ...newStep(findTool(tool)!, id, parameters),
    label,
  })),
});

/** Runs on the home page. */
export const HERO_TEMPLATE = 'photo-to-phone';

export const TEMPLATES: readonly Template[] = [
  template('scan-to-searchable-pdf', 'Scan → searchable PDF → small', [
    ['upload_file', 'paper', 'Upload'],
    ['extract_text_ocr', 'scan', 'Make it searchable', { output: 'pdf' }],
    ['compress_pdf', 'small', 'Make it small'],
  ]),
  template('photos-to-pdf', 'Photos → A4 pages → small PDF', [
    ['upload_file', 'photos', 'Upload'],
    ['images_to_pdf', 'pages', 'One A4 page each', { pageSize: 'a4', margin: 36 }],
    ['compress_pdf', 'small', 'Make it small'],
  ]),
  template(HERO_TEMPLATE, 'Photo → PDF → open it on your phone', [
    ['upload_file', 'photo', 'Upload'],
    ['compress_image', 'small', 'Make the photo smaller', { format: 'jpeg', width: 1200 }],
    ['images_to_pdf', 'page', 'Put it on an A4 page', { pageSize: 'a4', margin: 36 }],
    [
      'generate_qr_code',
      'code',
      'Make a QR code of its link',
      { text: '{{steps.page.result.url}}', size: 480 },
    ],
  ]),
  template('page-to-webp', 'Web page → screenshot → WebP 1200 pixels wide', [
    ['screenshot_url', 'shot', 'Screenshot', { url: 'https://example.com', format: 'png' }],
    ['compress_image', 'small', 'WebP, 1200 pixels', { format: 'webp', width: 1200 }],
  ]),
  template('page-to-pdf', 'Web page → PDF → its text', [
    ['screenshot_url', 'print', 'Print', { url: 'https://example.com', output: 'pdf' }],
    ['parse_document', 'text', 'Read the text'],
  ]),
  template('first-pages', 'PDF → first three pages → small', [
    ['upload_file', 'document', 'Upload'],
    ['split_pdf', 'pages', 'Pages 1 to 3', { ranges: ['1-3'] }],
    ['compress_pdf', 'small', 'Make it small'],
  ]),
  template('link-to-code', 'Long link → short link → QR code', [
    ['shorten_url', 'short', 'Shorten', { url: 'https://example.com/a/long/address?with=parts' }],
    ['generate_qr_code', 'code', 'QR code', { text: '{{steps.short.result.shortUrl}}', size: 480 }],
  ]),
  template('read-a-token', 'Base64 → JSON → QR code', [
    [
      'decode_base64',
      'plain',
      'Decode',
      { encoded: 'eyJzc2lkIjoiQ2Fmw6kiLCJwYXNzd29yZCI6ImVzcHJlc3NvIn0=' },
    ],
    ['format_json', 'json', 'Format', { indent: 4 }],
    ['generate_qr_code', 'code', 'QR code', { text: '{{steps.json.result.minified}}', size: 400 }],
  ]),
];

export const templateNamed = (name: string): Template | undefined =>
  TEMPLATES.find((one) => one.name === name);
