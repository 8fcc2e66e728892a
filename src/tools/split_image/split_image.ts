/** split_image: cuts an image into grid tiles or panels in the media worker and returns a ZIP. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest } from '../../core/errors.ts';
import { MAX_FILE_BYTES } from '../../core/limits.ts';
import { file } from '../../core/tool-output.ts';
import { stemOf } from '../../lib/filename.ts';
import { seenPanels } from './seen-panels.ts';

const count = z.int().min(1).max(20).optional();

export const splitImage = defineTool({
  name: 'split_image',
  title: 'Split an image into panels',
  shortName: 'Split image',
  kind: 'media',
  icon: 'grid-2x2',
  domain: 'media',
  description:
    'Cuts one image into a ZIP of panel-01, panel-02, … in reading order. With rows or cols, the parts are equal. Without ' +
    'either, they are the panels of a comic or sheet, found by the gutters between them or, failing that, by a vision model. Parts are cropped, never resized.',
  input: z.strictObject({
    rows: count.describe('Equal parts from top to bottom; 1 if only cols is given.'),
    cols: count.describe('Equal parts from left to right; 1 if only rows is given.'),
  }),
  produces: ['application/zip'],
  files: { min: 1, max: 1, maxBytes: MAX_FILE_BYTES, kinds: ['image'] },
  example: { parameters: { rows: 2, cols: 2 }, files: ['sheet.png'] },
  form: {
    rows: { help: 'Leave both empty to find the panels of a comic or the parts of a sheet.' },
    cols: { label: 'Columns', help: '1 to 20 equal parts.' },
  },
  synonyms: ['crop', 'cut', 'slice', 'tiles', 'comic panels', 'grid'],
  access: 'anyone',
  limits: [{ calls: 20, per: 'hour', by: 'ip' }],
  // A model is called only if no gutters are found.
  spendsTokens: isAutomatic,
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: true, idempotent: true, openWorld: false, destructive: false },
  needs: ['media', 'models'],
  async run({ rows, cols }, context) {
    const { files, media, models, signal, warn } = context;
    const input = files[0]!;
    const automatic = isAutomatic({ rows, cols });
    const cut = automatic ? {} : { rows: rows ?? 1, cols: cols ?? 1 };
    let result = await media.run('split_image', cut, files, signal);
    if (result.meta.panels === 0) {
      await result.body.cancel();
      const seen = await seenPanels(input, media, models, context);
      if (seen.boxes.length === 0) throw noPanels(input.name);
      result = await media.run('split_image', { ...seen }, files, signal);
    }
    for (const warning of result.meta.warnings as string[]) warn(warning);
    const filename = `${stemOf(input.name)}-panels.zip`;
    return file(result.body, 'application/zip', filename, { size: result.size });
  },
});

function isAutomatic({ rows, cols }: { rows?: number | undefined; cols?: number | undefined }) {
  return rows === undefined && cols === undefined;
}

const noPanels = (name: string) =>
  badRequest(
    `No panels were found in ${name}: it has no gutters. ` +
      'Set rows and cols, such as {"rows": 2, "cols": 3}, to split it into equal parts.',
    'rows',
  );
