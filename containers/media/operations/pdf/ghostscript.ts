/** Ghostscript's /ebook preset: writes a PDF wholly anew, with images at 150 dpi. */
import { runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';

const CEILING = { seconds: 60 };

/**
 * Writes `to`. That `from` is a PDF has been seen before: Ghostscript would run PostScript as well. What it leaves
 * out it does not say, so its result must be compared. Throws ProgramFailure, ToolError, or the reason of an abort.
 */
export async function distil(from: string, to: string, context: OperationContext): Promise<void> {
  await runProgram(
    'gs',
    [
      '-q',
      '-dSAFER',
      '-dBATCH',
      '-dNOPAUSE',
      '-sDEVICE=pdfwrite',
      '-dPDFSETTINGS=/ebook',
      // The preset turns pages the way most of their text runs, and colours into sRGB, losing some images.
      '-dAutoRotatePages=/None',
      '-dColorConversionStrategy=/LeaveColorUnchanged',
      '-dCompatibilityLevel=1.7',
      `-sOutputFile=${to}`,
      '-f',
      from,
    ],
    { signal: context.signal, ...context.limit.within(CEILING), cwd: context.directory },
  );
}
