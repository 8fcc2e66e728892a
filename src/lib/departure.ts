/** Detects that a caller disconnects. */

/** Aborts when the caller disconnects. workerd ignores a request's own signal in fetch, but not one derived from it. */
export const departureOf = (request: Request): AbortSignal => AbortSignal.any([request.signal]);
