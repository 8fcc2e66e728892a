/** An HTML answer: under a strict policy, with nothing from anywhere else. */

interface PageOptions {
  status?: number;
  /** What only its reader may see: not cached, and forms tell this service where they come from. */
  personal?: boolean;
  /** Other origins that a form may lead to. */
  formTargets?: readonly string[];
  /** Further headers. */
  headers?: Record<string, string>;
}

const policy = (formTargets: readonly string[]) =>
  `default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action ${["'self'", ...formTargets].join(' ')}; frame-ancestors 'none'`;

/** The markup of a whole document as an answer. */
export async function page(
  markup: { toString(): string } | Promise<{ toString(): string }>,
  { status = 200, personal = false, formTargets = [], headers = {} }: PageOptions = {},
): Promise<Response> {
  return new Response(`<!doctype html>${String(await markup)}`, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(formTargets),
      'X-Content-Type-Options': 'nosniff',
      // With no-referrer a form's POST would say "Origin: null".
      'Referrer-Policy': personal ? 'same-origin' : 'no-referrer',
      ...(personal && { 'Cache-Control': 'no-store' }),
      ...headers,
    },
  });
}
