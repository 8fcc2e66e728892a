/**
 * Renders the page that precedes the target of a short link, if an operator or the reputation service considers the
 * target dangerous.
 */
import { REASONS, type Reason } from '../core/moderation.ts';
import type { AppContext } from '../http.ts';
import { Layout } from './design/layout.tsx';
import { page } from './page.ts';
import { siteOf } from './site.ts';

export function linkWarning(
  c: AppContext,
  target: URL,
  reason: Reason | undefined,
): Promise<Response> {
  const site = siteOf(c);
  const title = 'This link may be dangerous';
  const markup = (
    <Layout site={site} title={`${title} · ${site.serviceName}`} description={title}>
      <div class="stack loose prose">
        <div class="stack tight">
          <h1>{title}</h1>
          <p class="lead">
            It leads to <strong>{target.hostname}</strong>,{' '}
            {reason
              ? `and the operator of this service warns of ${REASONS[reason]}.`
              : 'which a reputation service reports as harmful.'}
          </p>
        </div>
        <p>Do not enter passwords or open files there.</p>
        <p>
          <a href={target.href} rel="noreferrer nofollow">
            Continue to <code>{target.href.slice(0, 300)}</code>
          </a>
        </p>
      </div>
    </Layout>
  );
  return page(markup, { personal: true, headers: { 'X-Robots-Tag': 'noindex' } });
}
