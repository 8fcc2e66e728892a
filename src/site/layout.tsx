/** What every page has: head, styles, width. */
import type { Child } from 'hono/jsx';

interface LayoutProps {
  title: string;
  description: string;
  /** Path of the page's script, if it has one. */
  script?: string;
  children: Child;
}

export function Layout({ title, description, script, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <link rel="icon" href="data:," />
        <style>{STYLE}</style>
        {script && <script type="module" src={script} />}
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
pre, output { padding: .75rem; border-radius: .375rem; background: color-mix(in srgb, CanvasText 7%, Canvas); }
pre { overflow-x: auto; }
code, pre, textarea, output { font-family: ui-monospace, monospace; font-size: .9375rem; }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; }
label { display: block; font-weight: 600; margin: 1.25rem 0 .25rem; }
textarea, select, button { font: inherit; padding: .5rem .75rem; border: 1px solid GrayText; border-radius: .375rem; box-sizing: border-box; }
textarea { width: 100%; resize: vertical; }
output { display: block; min-height: 1.5rem; overflow-wrap: anywhere; }
button { margin-top: 1rem; cursor: pointer; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 1px; }
`;
