/** Registers the paths of /developers. */
import { type App, endpoint } from '../../http.ts';
import { accountRoutes } from './account-routes.ts';
import { developersPage } from './answers.ts';
import { githubRoutes } from './github-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { noticeOf } from './notices.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { visitOf } from './visit.ts';

export function developersRoutes(app: App): void {
  endpoint(app, '/developers', {
    GET: async (c) => developersPage(c, await visitOf(c), noticeOf(c.req.query('done'))),
  });
  keyRoutes(app);
  passkeyRoutes(app);
  githubRoutes(app);
  oidcRoutes(app);
  accountRoutes(app);
}
