/** GET /{code}: the redirect of a short link. */
import { notFound } from '../core/errors.ts';
import { type App, endpoint } from '../http.ts';

export function shortLinkRoute(app: App): void {
  endpoint(app, '/:code{[A-Za-z0-9_-]{3,32}}', {
    GET: async (c) => {
      const code = c.req.param('code') ?? '';
      const { links } = c.env.services;
      const url = await links.find(code);
      if (url === null) {
        throw notFound(
          `There is nothing at /${code}. If it was a short link, compare it with the one you were given: upper and lower case differ.`,
        );
      }
      // A link created earlier or under another BASE_URL would redirect in a loop.
      if (links.leadsHere(new URL(url))) {
        throw notFound(
          `The short link /${code} leads to a short link of this same service, so it is not followed. Ask whoever gave it to you for the address itself.`,
        );
      }
      if (c.req.method === 'GET') links.countVisit(code);
      return new Response(null, {
        status: 302,
        headers: { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
      });
    },
  });
}
