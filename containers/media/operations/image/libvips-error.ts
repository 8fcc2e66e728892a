/** Recognizes the errors that sharp reports for libvips and libheif, which are usually caused by the image. */

/** Whether sharp has thrown this error. It throws plain Errors without a code, unlike Node and our code. */
export const isLibvipsError = (error: unknown): error is Error =>
  error instanceof Error && error.constructor === Error && !('code' in error);
