/** Ghostscript's /ebook preset: rewrites a whole PDF, with images at 150 dpi. */
import { runProgram } from '../../run-program.ts';
import type { OperationContext } from '../operation.ts';

const CEILING = { seconds: 60 };

/**
 * Writes `to`. Check first that `from` is a PDF, because Ghostscript would also run PostScript. Ghostscript does not
 * report what it drops, so compare the result. Throws ProgramFailure, ToolError, or the reason of an abort.
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
      // The preset rotates pages by the direction of most text, and converts colours to sRGB, losing some images.
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
