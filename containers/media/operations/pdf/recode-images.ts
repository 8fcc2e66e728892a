/**
 * A program of its own, so that it can be killed: writes the images of a PDF anew, at 150 dpi, and appends them.
 * Arguments: the file, the file to write, a JSON list of images (`{ number, generation, ppi }`).
 * Prints the object numbers of those that it replaced, as JSON; writes nothing where there are none.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import sharp from 'sharp';
import { PdfDocument } from '../../../../src/pdf/document.ts';
import { IncrementalUpdate } from '../../../../src/pdf/incremental-update.ts';
import { PdfReference } from '../../../../src/pdf/objects.ts';
import { recodableImage } from '../../../../src/pdf/recodable-image.ts';
import { allowLoaders } from '../image/sharp-loaders.ts';
import { deflate, inflate } from './qpdf.ts';
import { recodedImage } from './recode-image.ts';
import type { ShownImage } from './shown-images.ts';

allowLoaders('Jpeg');
// Images take place side by side; each by itself.
sharp.concurrency(1);

const [input = '', output = '', list = ''] = process.argv.slice(2);
const images: ShownImage[] = JSON.parse(readFileSync(list, 'utf8'));
const document = new PdfDocument(readFileSync(input), inflate);
const update = new IncrementalUpdate(document, deflate);
const replaced: number[] = [];

async function lane(): Promise<void> {
  for (let shown = images.pop(); shown; shown = images.pop()) {
    const reference = new PdfReference(shown.number, shown.generation);
    const image = recodableImage(document, reference);
    // One that cannot be read stays as it is.
    const stream = image && (await recodedImage(image, shown.ppi).catch(() => undefined));
    if (!stream) continue;
    update.set(reference, stream);
    replaced.push(shown.number);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, lane));
if (replaced.length > 0) {
  writeFileSync(output, document.bytes);
  writeFileSync(output, update.build(), { flag: 'a' });
}
process.stdout.write(JSON.stringify(replaced));
