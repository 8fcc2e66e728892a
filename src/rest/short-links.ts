/** GET /{code}: redirects a short link to its target. */
import { notFound, ToolError } from '../core/errors.ts';
import { type Reason, removed } from '../core/moderation.ts';
import { type App, type AppContext, endpoint } from '../http.ts';

/** The page that is shown before a redirect to a suspicious target. */
export type WarningPage = (
  c: AppContext,
  target: URL,
  reason: Reason | undefined,
) => Promise<Response>;

export function shortLinkRoute(app: App, warningPage: WarningPage): void {
  endpoint(app, '/:code{[A-Za-z0-9_-]{3,32}}', {
    GET: async (c) => {
      const code = c.req.param('code') ?? '';
      const { links, access, blocks, reputation } = c.env.services;
      await access.refuseBlockedAddress(c.req.raw);
      const link = await links.find(code);
      if (link === null) {
        throw notFound(
          `There is nothing at /${code}. If it is a short link, check its spelling: case matters.`,
        );
      }
      if (link.removed) throw removed('link', link.removed);
      const target = new URL(link.url);
      // A link to another short link could redirect in a loop. Such a link may have been created earlier or under
      // another BASE_URL.
      if (links.leadsHere(target)) {
        throw notFound(
          `The short link /${code} points to another short link on this service, so it is not followed. Ask the sender for the target URL.`,
        );
      }
      if (blocks.blocksHost(target.hostname)) throw blockedHost(target.hostname);
      if (link.warned) return warningPage(c, target, link.warned);
      if (await reputation.isThreat(link.url)) return warningPage(c, target, undefined);
      if (c.req.method === 'GET') links.countVisit(code);
      return new Response(null, {
        status: 302,
        headers: {
          Location: link.url,
          'Cache-Control': 'no-store',
          'Referrer-Policy': 'no-referrer',
          'X-Robots-Tag': 'noindex',
        },
      });
    },
  });
}

const blockedHost = (hostname: string) =>
  new ToolError(
    'not_found',
    `The operator blocked short links to ${hostname.slice(0, 100)}. To object, see /contact.`,
    { status: 410, extra: { reason: 'host' } },
  );
