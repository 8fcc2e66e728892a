/** Recognizes the errors of image decoders, which are usually caused by the image. */

/**
 * Whether sharp, or our code that reads an image, has thrown this error. Both throw plain Errors without a code, unlike
 * Node.
 */
export const isLibvipsError = (error: unknown): error is Error =>
  error instanceof Error && error.constructor === Error && !('code' in error);
