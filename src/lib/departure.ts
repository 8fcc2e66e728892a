/** When a caller goes away. */

/** Aborts when the caller goes away. workerd does not end a fetch by a request's own signal, but by one made of it. */
export const departureOf = (request: Request): AbortSignal => AbortSignal.any([request.signal]);
