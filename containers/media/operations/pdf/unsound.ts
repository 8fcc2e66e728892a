/** Defines errors for files that seemed valid but must be normalized. */
import { PdfDamage } from '../../pdf/objects.ts';
import { ProgramFailure } from '../../program-failure.ts';

export class Unsound extends Error {
  /** The path of the file that failed. */
  readonly path: string | undefined;
  constructor(path?: string) {
    super();
    this.path = path;
  }
}

/** Throws Unsound instead of PdfDamage or ProgramFailure. Rethrows any other error. */
export function unsound(error: unknown): never {
  throw error instanceof ProgramFailure || error instanceof PdfDamage ? new Unsound() : error;
}

/** Returns the result of `read`. Throws Unsound instead of PdfDamage or ProgramFailure. */
export function soundly<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    return unsound(error);
  }
}
