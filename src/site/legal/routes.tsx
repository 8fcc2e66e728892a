/** Registers /privacy, /terms, /contact and security.txt. */
import { raw } from 'hono/html';
import { notFound } from '../../core/errors.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { Layout } from '../design/layout.tsx';
import { cachedPage } from '../page.ts';
import { siteOf } from '../site.ts';
import { filled, type LegalFile, securityText } from './legal-text.ts';

export function legalRoutes(app: App): void {
  for (const name of ['privacy', 'terms', 'contact']) {
    endpoint(app, `/${name}`, { GET: (c) => legalPage(c, name) });
  }
  endpoint(app, '/.well-known/security.txt', {
    GET: (c) =>
      new Response(securityText(c.env.services.config, Date.now()), {
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'max-age=3600' },
      }),
  });
}

function legalPage(c: AppContext, name: string): Promise<Response> {
  const site = siteOf(c);
  const { config, staticFile } = c.env.services;
  return cachedPage(site, '', async () => {
    const file = await (await staticFile('legal.json')).json<LegalFile>();
    const template = file[name];
    if (!template) throw notFound('There is no such page.');
    const { title, description, markdown } = filled(template, config);
    const { markdownHtml } = await import('../markdown.ts');
    return (
      <Layout site={site} title={`${title} · ${site.serviceName}`} description={description}>
        <article class="stack loose prose">
          <div class="stack tight">
            <h1>{title}</h1>
            <p class="lead">{description}</p>
          </div>
          <div class="prose">{raw(markdownHtml(markdown))}</div>
        </article>
      </Layout>
    );
  });
}
