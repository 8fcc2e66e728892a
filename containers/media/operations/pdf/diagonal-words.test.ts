/** Tests diagonal text, such as watermarks. */
import { afterAll, expect, it } from 'vitest';
import { emptyFolder, operate, put } from './test-files.ts';
import { file, simple } from './test-hostile-files.ts';

afterAll(emptyFolder);

it('parse_document reads a watermark after the text that it crosses', async () => {
  const lines = Array.from(
    { length: 24 },
    (_, at) =>
      `BT /F1 11 Tf 72 ${700 - at * 14} Td (line ${at} of the text that the mark crosses) Tj ET`,
  );
  const mark = 'BT /F1 90 Tf 0.7071 0.7071 -0.7071 0.7071 150 400 Tm (DRAFT) Tj ET';
  const content = [mark, ...lines].join('\n');
  const path = put(
    'watermark.pdf',
    file({
      ...simple({
        4: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
        5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      }),
      3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    }),
  );
  const { bytes } = await operate('parse_document', { format: 'markdown' }, [path]);
  const text = lines.map((_, at) => `line ${at} of the text that the mark crosses`).join(' ');
  expect(JSON.parse(bytes.toString()).text).toBe(`${text}\n\nDRAFT`);
});
