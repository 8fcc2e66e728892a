/** Opens an image for OCR. A TIFF may have several pages, and any other image has one. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkLimit } from '../../work-limit.ts';
import { images } from '../image/process/image-pool.ts';
import type { OperationContext, OperationFile } from '../operation.ts';
import type { DocumentPages } from './document-pages.ts';

/** Throws ToolError 400, 413 or 422 naming the file. */
export async function openImagePages(
  file: OperationFile,
  { directory, signal, limit }: OperationContext,
): Promise<DocumentPages> {
  const { pages, pixels, direct } = await images.run('measure', file, signal, limit);
  return {
    count: pages.length,
    warnings: [],
    asPdf: async () => {
      const path = join(directory, 'pages.pdf');
      const layout = { pageSize: 'physical', margin: 0 } as const;
      const task = { files: [file], output: path, layout, allFrames: false };
      const { warnings } = await images.run('embed', task, signal, limit);
      return { path, unread: [...pages.keys()], warnings };
    },
    prepare: async (index, context) => {
      const output = join(context.directory, `page-${index}.png`);
      if (direct) {
        await copyFile(file.path, output);
        return { path: output, pixels };
      }
      const task = { file, page: pages[index]!, output };
      const drawn = await images.run('draw', task, context.signal, new WorkLimit(file.size));
      return { path: output, pixels: drawn };
    },
  };
}
