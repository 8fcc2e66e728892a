/** The layout of /docs: the list of pages beside the current one. */
import type { Child } from 'hono/jsx';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import type { DocsLink } from './pages.ts';

interface DocsLayoutProps {
  site: Site;
  /** The written pages, for navigation. */
  pages: readonly DocsLink[];
  title: string;
  summary: string;
  /** The headings of this page. */
  headings?: readonly { id: string; name: string }[];
  scripts?: readonly string[];
  children: Child;
}

export function DocsLayout(props: DocsLayoutProps) {
  const { site, title, summary, headings = [], scripts, children } = props;
  const pages = [...props.pages, { path: '/docs/api', name: 'API reference' }];
  return (
    <Layout
      site={site}
      title={`${title} · ${site.serviceName} docs`}
      description={summary}
      scripts={scripts}
    >
      <div class="docs">
        <nav class="contents" aria-label="Docs">
          <ul>
            {pages.map(({ path, name }) => (
              <li>
                <a href={path} aria-current={path === site.path ? 'page' : undefined}>
                  {name}
                </a>
                {path === site.path && headings.length > 0 && (
                  <ul class="places">
                    {headings.map(({ id, name: location }) => (
                      <li>
                        <a href={`#${id}`}>{location}</a>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </nav>
        <div class="stack loose">
          <div class="stack tight">
            <h1>{title}</h1>
            <p class="lead">{summary}</p>
          </div>
          {children}
        </div>
      </div>
    </Layout>
  );
}
