/** images_to_pdf: combines images and PDFs in the given order into one PDF, in the media worker. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { MB } from '../../core/limits.ts';
import { file } from '../../core/tool-output.ts';
import { PAPER } from '../../lib/page-layout.ts';
import { pagesOf } from '../media-facts.ts';

const MAX_MARGIN = 5000;

export const imagesToPdf = defineTool({
  name: 'images_to_pdf',
  title: 'Images to PDF',
  shortName: 'Make PDF',
  kind: 'pdf',
  icon: 'file-image',
  domain: 'documents',
  description:
    'Makes a PDF from images, one page each, in the given order; PDFs are inserted whole. JPEG and PNG ' +
    'are embedded losslessly, other formats become PNG. At most 100 files, 50 MB.',
  input: z.strictObject({
    pageSize: z
      .enum(['fit', 'a4', 'letter'])
      .default('fit')
      .describe('fit: one point per pixel. a4, letter: the image is scaled to fit.'),
    orientation: z
      .enum(['portrait', 'auto'])
      .default('portrait')
      .describe('auto: landscape if wide.'),
    margin: z.number().min(0).max(MAX_MARGIN).default(0).describe('Border in points, 72 per inch.'),
    frames: z.enum(['first', 'all']).default('first').describe('all: one page per frame.'),
  }),
  produces: ['application/pdf'],
  files: {
    min: 1,
    max: 100,
    maxBytes: 50 * MB,
    maxTotalBytes: 50 * MB,
    kinds: ['image', 'pdf'],
  },
  example: { parameters: { pageSize: 'a4', margin: 36 }, files: ['one.jpg', 'two.png'] },
  form: {
    pageSize: {
      control: 'page-size',
      help: '',
      choices: {
        a4: 'A4, 210 × 297 mm',
        letter: 'Letter, 8.5 × 11 in',
        fit: 'As large as each image',
      },
      initial: 'a4',
    },
    orientation: {
      help: 'Applies to A4 and Letter.',
      choices: { auto: 'As each image', portrait: 'Always portrait' },
      initial: 'auto',
    },
    margin: {
      label: 'Margin',
      help: 'The space around each image.',
      choices: {
        0: 'None',
        14: '5 mm',
        28: '10 mm',
        36: '13 mm, half an inch',
        57: '20 mm',
        72: '25 mm, an inch',
      },
    },
    frames: {
      label: 'Animations',
      help: 'All pages of a TIFF are always included.',
      choices: { first: 'The first frame', all: 'A page for each frame' },
      isAdvanced: true,
    },
  },
  synonyms: ['photo to pdf', 'jpg to pdf', 'png to pdf', 'scan', 'picture'],
  access: 'anyone',
  limits: [{ calls: 20, per: 'hour', by: 'ip' }],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media'],
  check: ({ pageSize, margin }) => {
    if (pageSize === 'fit') return;
    const [shorterSide] = PAPER[pageSize];
    if (margin * 2 >= shorterSide) {
      throw badRequest(
        `A margin of ${margin} points leaves no space on ${pageSize}; it must be less than ${shorterSide / 2}.`,
        'margin',
      );
    }
  },
  async run(parameters, { files, media, signal, warn }) {
    const result = await media.run('images_to_pdf', parameters, files, signal);
    for (const warning of result.meta.warnings as string[]) warn(warning);
    return file(result.body, 'application/pdf', 'images.pdf', {
      size: result.size,
      facts: pagesOf(result.meta),
    });
  },
});
