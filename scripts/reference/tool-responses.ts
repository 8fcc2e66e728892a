/**
 * Lists the API reference's example responses for tools whose documents show only part of the response.
 * test/rest/reference-examples.test.ts checks their fields and types.
 */
import type { Tool } from '../../src/core/define-tool.ts';

export interface ToolResponse {
  /** The response headers, if the response is a file. */
  headers?: Record<string, string>;
  json?: unknown;
}

const file = (type: string, filename: string, others: Record<string, string> = {}) => ({
  headers: {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${filename}"`,
    ...others,
  },
});

/**
 * Returns the response to the first example of a tool's document. `json` is the JSON that the document shows, if any. A
 * file without a listed response has only the headers that the tool's definition determines.
 */
export function exampleResponse({ name, produces }: Tool, json: unknown): ToolResponse {
  const listed = TOOL_RESPONSES[name];
  if (listed) return listed;
  return json === undefined && produces ? file(produces[0]!, defaultFilename(produces)) : { json };
}

/** Returns a file name whose extension is the subtype of the first media type, as in `application/pdf`. */
export const defaultFilename = ([type = '']: readonly string[]): string =>
  `result.${type.split('/')[1]}`;

const facts = (value: object) => ({ 'X-File-Facts': JSON.stringify(value) });
const bytes = (input: number, output: number) => ({
  'X-Input-Bytes': String(input),
  'X-Output-Bytes': String(output),
});

const ICON = {
  url: 'https://shop.example/touch.png',
  source: 'touch-icon',
  format: 'png',
  width: 180,
  height: 180,
  bytes: 947,
  rehostedUrl: '…/files/…/icon.png',
};

export const TOOL_RESPONSES: Record<string, ToolResponse> = {
  compress_image: file('image/webp', 'photo.webp', {
    ...facts({ width: 1200, height: 1600, inputBytes: 360_942 }),
    ...bytes(360_942, 294_040),
  }),
  compress_pdf: file('application/pdf', 'scan-compressed.pdf', {
    'X-Compression-Note': 'Saved: images 256.5 kB, streams 2.9 kB.',
    ...facts({ pages: 2, inputBytes: 298_080 }),
    ...bytes(298_080, 38_817),
  }),
  fetch_site_logo: {
    json: {
      url: 'https://shop.example',
      finalUrl: 'https://shop.example/',
      title: 'Tea and biscuits',
      description: 'Forty teas, and what goes with them.',
      themeColor: '#008080',
      image: 'https://shop.example/card.png',
      logo: ICON,
      icons: [ICON, '…'],
      '…': '…',
    },
  },
  generate_image: file('image/png', 'image.png', facts({ width: 1024, height: 1024 })),
  images_to_pdf: file('application/pdf', 'images.pdf', facts({ pages: 2, inputBytes: 370_148 })),
  merge_pdf: file('application/pdf', 'merged.pdf', facts({ pages: 13, inputBytes: 13_475 })),
  split_image: file('application/zip', 'screenshot-panels.zip', facts({ inputBytes: 75_343 })),
  split_pdf: file('application/zip', 'report-split.zip', facts({ inputBytes: 11_096 })),
};
