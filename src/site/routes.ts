/** The pages of the site. */
import { type App, endpoint } from '../http.ts';
import passkeyScript from './developers/passkey.client.js';
import { developersRoutes } from './developers/routes.ts';
import hashTextScript from './hash-text.client.js';
import { HashTextPage } from './hash-text-page.tsx';
import { HomePage } from './home-page.tsx';
import { page } from './page.ts';

export function siteRoutes(app: App): void {
  endpoint(app, '/', { GET: (c) => page(HomePage(c.env.services.config)) });
  endpoint(app, '/tools/hash_text', {
    GET: (c) => page(HashTextPage(c.env.services.config)),
  });
  developersRoutes(app);
  endpoint(app, '/assets/passkey.js', { GET: () => script(passkeyScript) });
  endpoint(app, '/assets/hash-text.js', { GET: () => script(hashTextScript) });
}

const script = (text: string) =>
  new Response(text, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
    },
  });
