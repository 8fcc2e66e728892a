/** Renders the parts of every page: the head, the header with the navigation, and the footer. */
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { asset, HEADER_STYLES } from '../assets.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '../images/card.ts';
import { cardPath } from '../images/routes.ts';
import type { Site } from '../site.ts';
import { Icon } from './icon.tsx';
import { Mark, ThemeIcon } from './icons.tsx';
import { type SystemTheme, type Theme, themeAfter } from './theme-order.ts';

interface LayoutProps {
  site: Site;
  title: string;
  description: string;
  /** The names of the page's additional scripts. */
  scripts?: readonly string[];
  /** The names of the page's additional stylesheets. */
  styles?: readonly string[];
  children: Child;
}

const NAVIGATION = [
  ['/', 'Tools'],
  ['/chains', 'Chains'],
  ['/docs', 'Docs'],
  ['/developers', 'Developers'],
] as const;

const FOOTER = [
  [
    ['/docs', 'Docs'],
    ['/docs/api', 'API reference'],
    ['/api/v1/openapi.json', 'OpenAPI'],
    ['/status', 'Status'],
  ],
  [
    ['/how-to', 'How-to'],
    ['/compare', 'Comparisons'],
    ['/blog', 'Blog'],
  ],
  [
    ['/privacy', 'Privacy'],
    ['/terms', 'Terms'],
    ['/contact', 'Contact'],
    ['/abuse', 'Report abuse'],
  ],
] as const;

export function Layout({
  site,
  title,
  description,
  scripts = [],
  styles = [],
  children,
}: LayoutProps) {
  return (
    <html lang="en" data-theme={site.theme === 'system' ? undefined : site.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" property="og:description" content={description} />
        <meta property="og:title" content={title} />
        <meta property="og:url" content={site.baseUrl + site.path} />
        <meta property="og:image" content={site.baseUrl + cardPath(site.path)} />
        <meta property="og:image:width" content={String(CARD_WIDTH)} />
        <meta property="og:image:height" content={String(CARD_HEIGHT)} />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={site.serviceName} />
        <meta name="twitter:card" content="summary_large_image" />
        <style>{raw(HEADER_STYLES.text)}</style>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="alternate" href="/feed.xml" type="application/atom+xml" title="Blog" />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="bar">
          <div>
            <a class="brand" href="/" aria-label={`${site.serviceName}, home`}>
              <Mark />
              <span>{site.serviceName}</span>
            </a>
            <nav class="nav" aria-label="Site">
              {NAVIGATION.map(([path, name]) => (
                <a href={path} aria-current={isAt(site.path, path) ? 'page' : undefined}>
                  {name}
                </a>
              ))}
            </nav>
            <a
              class="icon search-link"
              href="/search"
              data-script={asset('match-names.js')}
              aria-keyshortcuts="/"
              title="Search everything (/)"
            >
              <Icon name="search" />
              <span class="hidden">Search everything</span>
            </a>
            <form class="theme" method="post" action="/theme">
              <input type="hidden" name="to" value={site.back ?? site.path} />
              <ThemeButton theme={site.theme} system="light" />
              <ThemeButton theme={site.theme} system="dark" />
            </form>
          </div>
        </header>
        {/* The stylesheets are in the body, so that the browser paints the content above them first. */}
        {['site.css', ...styles].map((name) => (
          <link rel="stylesheet" href={asset(name)} />
        ))}
        <main id="main">{children}</main>
        <footer class="foot">
          <div>
            <p>
              {site.serviceName}
              {site.requireSignIn
                ? ': sign in on the Developers page to use the tools.'
                : ': nothing to install, and most tools need no account.'}
            </p>
            {FOOTER.map((links) => (
              <ul>
                {links.map(([path, name]) => (
                  <li>
                    <a href={path}>{name}</a>
                  </li>
                ))}
              </ul>
            ))}
          </div>
        </footer>
        {['site.js', ...scripts].map((name) => (
          <script type="module" src={asset(name)} fetchpriority="low" />
        ))}
      </body>
    </html>
  );
}

interface ThemeButtonProps {
  theme: Theme;
  system: SystemTheme;
}

/** Renders a button that switches the theme. It is visible only if the visitor's system has the theme `system`. */
function ThemeButton({ theme, system }: ThemeButtonProps) {
  const { next, label } = themeAfter(theme, system);
  return (
    <button
      class="icon"
      type="submit"
      name="theme"
      value={next}
      aria-label={label}
      title={label}
      data-system={system}
    >
      <ThemeIcon />
    </button>
  );
}

const isAt = (path: string, target: string) =>
  target === '/'
    ? path === '/' || path.startsWith('/tools/')
    : path === target || path.startsWith(`${target}/`);
