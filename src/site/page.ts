/** An HTML answer: under a strict policy, with nothing from anywhere else. */

const POLICY =
  "default-src 'none'; script-src 'self'; img-src data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The markup of a whole document as an answer. */
export async function page(
  markup: { toString(): string } | Promise<{ toString(): string }>,
): Promise<Response> {
  return new Response(`<!doctype html>${String(await markup)}`, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  });
}
