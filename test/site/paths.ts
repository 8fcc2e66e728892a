export const TOOL_PATHS: readonly string[] = TOOLS.map(({ name }) => `/tools/${name}`);

/** The paths of the site for axe and screenshots. If there are many similar pages, only one of them is included. */
import { DOCS_PATHS } from '../../src/site/docs/pages.ts';
import { TOOLS } from '../../src/tools/registry.ts';

export const PATHS: readonly string[] = [
  ...['/', '/search', '/search?q=merge', '/search?q=zzzzzz', '/chains', '/chains?add=merge_pdf'],
  ...[...DOCS_PATHS, '/docs/api', '/docs/api/merge_pdf', '/docs/api/getUsage'],
  ...['/blog', '/blog/exact-limits-at-the-edge', '/how-to', '/how-to/merge-pdfs-into-one-document'],
  ...['/compare', '/compare/gotenberg-and-stirling-pdf'],
  ...['/privacy', '/terms', '/contact', '/abuse'],
  ...['/developers', '/status', '/tools/no_such_tool', '/there-is-no-such-page'],
  ...TOOL_PATHS,
];
