/** Lists ready-made chains for common tasks. */
import { findTool } from '../../tools/find-tool.ts';
import { newStep, type Step } from './steps.ts';

export interface Template {
  /** The name in `/chains?template=`. */
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

/** The template that runs on the home page. */
export const HERO_TEMPLATE = 'photo-to-phone';

export const TEMPLATES: readonly Template[] = [
  template('scan-to-searchable-pdf', 'Turn photos of pages into one small, searchable PDF', [
    ['upload_file', 'photos', 'Choose photos of pages'],
    ['images_to_pdf', 'pages', 'Put each on an A4 page', { pageSize: 'a4' }],
    ['extract_text_ocr', 'scan', 'Add a searchable text layer', { output: 'pdf' }],
  ]),
  template('photos-to-pdf', 'Put photos on A4 pages, in one small PDF', [
    ['upload_file', 'photos', 'Choose photos'],
    ['images_to_pdf', 'pages', 'Put each on an A4 page', { pageSize: 'a4', margin: 36 }],
    ['compress_pdf', 'small', 'Make it small'],
  ]),
  template(HERO_TEMPLATE, 'Open a photo as a PDF on your phone', [
    ['upload_file', 'photo', 'Choose a photo'],
    ['compress_image', 'small', 'Make the photo smaller', { format: 'jpeg', width: 1200 }],
    ['images_to_pdf', 'page', 'Put it on an A4 page', { pageSize: 'a4', margin: 36 }],
    [
      'generate_qr_code',
      'code',
      'Make a QR code for its link',
      { text: '{{steps.page.result.url}}', size: 480 },
    ],
  ]),
  template('page-to-webp', 'Capture a web page as a small image', [
    [
      'screenshot_url',
      'shot',
      'Take a screenshot',
      { url: 'https://example.com', format: 'png', width: 1200 },
    ],
    ['compress_image', 'small', 'Make it WebP', { format: 'webp' }],
  ]),
  template('page-to-pdf', 'Save a web page as a PDF, and read its text', [
    ['screenshot_url', 'print', 'Save it as a PDF', { url: 'https://example.com', output: 'pdf' }],
    ['parse_document', 'text', 'Read the text'],
  ]),
  template('first-pages', 'Keep the first pages of a PDF', [
    ['upload_file', 'document', 'Choose a PDF'],
    ['split_pdf', 'pages', 'Keep the first pages', { ranges: ['1-3'] }],
    ['compress_pdf', 'small', 'Make it small'],
  ]),
  template('link-to-code', 'Shorten a link and print it as a QR code', [
    [
      'shorten_url',
      'short',
      'Shorten the link',
      { url: 'https://example.com/a/long/address?with=parts' },
    ],
    [
      'generate_qr_code',
      'code',
      'Make a QR code for it',
      { text: '{{steps.short.result.shortUrl}}', size: 480 },
    ],
  ]),
  template('base64-to-code', 'Turn Base64-encoded JSON into a QR code', [
    [
      'decode_base64',
      'plain',
      'Decode the text',
      { encoded: 'eyJzc2lkIjoiQ2Fmw6kiLCJwYXNzd29yZCI6ImVzcHJlc3NvIn0=' },
    ],
    ['format_json', 'json', 'Format the JSON in it', { indent: 4 }],
    [
      'generate_qr_code',
      'code',
      'Put it in a QR code',
      { text: '{{steps.json.result.minified}}', size: 400 },
    ],
  ]),
];

export const templateNamed = (name: string): Template | undefined =>
  TEMPLATES.find((one) => one.name === name);

/** Returns the template's text about a step, such as "Make it small", or undefined for a step of another chain. */
export const labelIn = (template: Template | undefined, step: Step): string | undefined =>
  template?.steps.find(({ id, tool }) => id === step.id && tool === step.tool)?.label;

/** Whether the chain still has the template's tools in the same order. Its values can differ. */
export const hasToolsOf = (template: Template, steps: readonly Step[]): boolean =>
  steps.length === template.steps.length &&
  steps.every(({ tool }, index) => tool === template.steps[index]!.tool);
