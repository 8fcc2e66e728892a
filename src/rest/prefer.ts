/** The `Prefer` header (RFC 7240), of which the service supports `respond-async`. */

/** Whether the caller asks for a job instead of waiting for the result (section 4.1). */
export const prefersAsync = (request: Request): boolean =>
  (request.headers.get('Prefer') ?? '')
    .split(',')
    .some((preference) => preference.split(';', 1)[0]!.trim().toLowerCase() === 'respond-async');
