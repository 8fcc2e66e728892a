/**
 * Finds the site's scripts and styles, which scripts/static-files.ts bundles. Their paths contain a hash or a version,
 * so that browsers can cache them for a year.
 */
import siteFiles from '../../.static/site-files.json' with { type: 'json' };
import { isExecutable } from '../catalogue/catalogue.ts';
import type { Tool } from '../core/define-tool.ts';
import { notFound } from '../core/errors.ts';
import { type App, endpoint } from '../http.ts';
import { CachedBody } from './cached-body.ts';

const PATHS: Record<string, string> = siteFiles.paths;

/** The styles that are inlined into every page (client/header.css), with their hash for the content security policy. */
export const HEADER_STYLES = { text: siteFiles.header, hash: `sha256-${siteFiles.hash}` };

/** The SVG shapes of the site's icons (scripts/site-icons.ts), by name. */
export const ICONS: Record<string, string> = siteFiles.icons;

/** Returns the path of an asset, or undefined if it does not exist. */
export const findAsset = (name: string): string | undefined => PATHS[name];

/** Returns the path of a script, stylesheet, font or image, given its name without the hash, such as `home.js`. */
export function asset(name: string): string {
  const path = findAsset(name);
  if (!path) throw new Error(`There is no asset ${name}.`);
  return path;
}

/** Returns the path of the script that runs a tool in its page, or undefined if the page calls the service. */
export const toolScript = ({ name }: Tool): string | undefined => findAsset(`${name}.js`);

/** Whether a tool runs in its page. The page then sends the visitor's input only if JavaScript is disabled. */
export const staysInBrowser = (tool: Tool): boolean =>
  toolScript(tool) !== undefined || !isExecutable(tool);

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  bcmap: 'application/octet-stream',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

/** A name with a hash, or a part of pdf.js in a folder with its version. */
const NAME =
  /^\/assets\/(?:[\w.-]+-[0-9A-Z]{8}|pdfjs-[\d.]+\/[\w-]+)\.(bcmap|css|m?js|webp|woff2)$/;

const bodies = new Map<string, CachedBody>();

export function assetRoutes(app: App): void {
  endpoint(app, '/assets/:file{.+}', {
    GET: async (c) => {
      const { path } = c.req;
      const body = bodies.get(path) ?? (await read(path, c.env.services.staticFile));
      bodies.set(path, body);
      return body.answer(c.req.raw);
    },
  });
}

async function read(
  path: string,
  staticFile: (name: string) => Promise<Response>,
): Promise<CachedBody> {
  const extension = NAME.exec(path)?.[1];
  const file = extension ? await staticFile(path.slice(1)) : undefined;
  if (!extension || !file?.ok)
    throw notFound('This file does not exist, or a newer version replaced it. Reload the page.');
  return CachedBody.of(new Uint8Array(await file.arrayBuffer()), {
    'Content-Type': TYPES[extension]!,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
}
