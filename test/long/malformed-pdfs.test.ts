/**
 * Runs the Worker's PDF tools on 20,000 plain files with values of the wrong type. Each file must be processed or
 * passed to the media worker.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ToolError } from '../../src/core/errors.ts';
import { memoryFile } from '../../src/core/input-file.ts';
import type { MediaPort, MediaResult } from '../../src/core/ports.ts';
import { mergePdf } from '../../src/tools/merge_pdf/merge_pdf.ts';
import { splitPdf } from '../../src/tools/split_pdf/split_pdf.ts';
import { malformedPdf } from '../fuzz/malformed-values.ts';
import { runTool } from '../support/run-tool.ts';

const FILES = 20_000;
const TIMEOUT_MS = 1_200_000;

/** A fake media worker that counts its calls. */
class Counter implements MediaPort {
  calls = 0;

  async run(): Promise<MediaResult> {
    this.calls += 1;
    const body = new Blob(['done']).stream();
    return { body, contentType: 'application/pdf', size: 4, meta: {} };
  }
}

/** Resolves if the call succeeds or its input is rejected. Rejects if the call fails in another way. */
async function answered(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ToolError) || error.status >= 500) throw error;
  }
}

it('every malformed file is split, merged, or passed to the media worker', {
  timeout: TIMEOUT_MS,
}, async () => {
  const media = new Counter();
  const property = fc.asyncProperty(malformedPdf, async (bytes) => {
    const files = [memoryFile('a.pdf', bytes)];
    const ports = { media };
    await answered(runTool(splitPdf, { ranges: ['1', '2'] }, { files, ports }));
    await answered(runTool(mergePdf, {}, { files: [...files, ...files], ports }));
  });
  await fc.assert(property, { numRuns: FILES, seed: 1 });
  // The upper bound ensures that some files were processed by pdf-lib and not by the media worker.
  expect(media.calls).toBeGreaterThan(FILES / 10);
  expect(media.calls).toBeLessThan(FILES * 1.5);
});
