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
          `There is nothing at /${code}. If it is a short link, check its spelling: case matters.`,
        );
      }
      // A link created earlier or under another BASE_URL would redirect in a loop.
      if (links.leadsHere(new URL(url))) {
        throw notFound(
          `The short link /${code} leads to another short link of this service, so it is not followed. Ask its sender for the target address.`,
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
