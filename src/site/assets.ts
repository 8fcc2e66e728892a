/** The site's own files: scripts and styles under names that carry a hash of their bytes, so that they keep for ever. */
import siteFiles from '../../.static/site-files.json' with { type: 'json' };
import marked from '../../node_modules/marked/lib/marked.umd.js';
import { version as pdfVersion } from '../../node_modules/pdfjs-dist/package.json';
import qrDecode from '../../node_modules/qr/decode.js';
import qrTables from '../../node_modules/qr/index.js';
import { notFound } from '../core/errors.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { crc32 } from '../lib/crc32.ts';
import convertTimestamp from './browser-tools/convert-timestamp.client.js';
import decodeQrCode from './browser-tools/decode-qr-code.client.js';
import generatePassword from './browser-tools/generate-password.client.js';
import hashText from './browser-tools/hash-text.client.js';
import previewMarkdown from './browser-tools/preview-markdown.client.js';
import testRegex from './browser-tools/test-regex.client.js';
import testRegexWorker from './browser-tools/test-regex-worker.client.js';
import chain from './chain/chain.client.js';
import siteScript from './design/site.client.js';
import { STYLESHEET } from './design/stylesheet.ts';
import passkey from './developers/passkey.client.js';
import requestConsole from './docs/console.client.js';
import { KeptBody } from './kept-body.ts';
import { markdownWith } from './markdown-with.ts';
import search from './search/search.client.js';
import { callCode, pythonLiteral, quoted } from './tool/call-code.ts';
import fileList from './tool/file-list.client.js';
import fileResult from './tool/file-result.client.js';
import job from './tool/job.client.js';
import { leftText } from './tool/left-text.ts';
import pdfPages from './tool/pdf-pages.client.js';
import { sizeText } from './tool/size-text.ts';
import toolForm from './tool/tool-form.client.js';
import { valueIn } from './tool/value-in.ts';
import { warningText } from './tool/warning-text.ts';
import zipEntries from './tool/zip-entries.client.js';

/** Functions of the server as a script: each stands by itself, so its source is all that the page needs. */
const scriptOf = (functions: Record<string, (...given: never[]) => unknown>): string =>
  Object.entries(functions)
    .map(([name, itself]) => `export const ${name} = ${itself};`)
    .join('\n');

/** A script may import those above it by `./name.js`. */
const SOURCES: Record<string, string> = {
  'site.css': STYLESHEET,
  'search.js': search,
  'site.js': siteScript,
  'both-sides.js': scriptOf({ leftText, sizeText, valueIn, warningText }),
  'call-code.js': scriptOf({ callCode, pythonLiteral, quoted }),
  'chain.js': chain,
  'zip-entries.js': zipEntries,
  'pdf-pages.js': pdfPages,
  'file-list.js': fileList,
  'file-result.js': fileResult,
  'job.js': job,
  'tool-form.js': toolForm,
  'passkey.js': passkey,
  'console.js': requestConsole,
  'hash-text.js': hashText,
  'generate-password.js': generatePassword,
  'convert-timestamp.js': convertTimestamp,
  'test-regex-worker.js': testRegexWorker,
  'test-regex.js': testRegex,
  'marked.js': marked,
  'markdown-with.js': scriptOf({ markdownWith }),
  'preview-markdown.js': previewMarkdown,
  // Their types say that they are code; here they come as text.
  'index.js': String(qrTables),
  'qr-decode.js': String(qrDecode),
  'decode-qr-code.js': decodeQrCode,
};

/** Scripts that the bundle does not carry: the files they come from, and the version that makes their names. */
const LARGE: Record<string, { file: string; version: string }> = {
  'pdf.js': { file: 'pdf.min.mjs', version: pdfVersion },
  'pdf-worker.js': { file: 'pdf.worker.min.mjs', version: pdfVersion },
};

interface Asset {
  /** Its path, hash or version included. */
  path: string;
  text(services: AppContext['env']['services']): string | Promise<string>;
}

let built: Map<string, Asset> | undefined;

function assets(): Map<string, Asset> {
  if (built) return built;
  built = new Map();
  for (const [name, { file, version }] of Object.entries(LARGE)) {
    built.set(name, {
      path: `/assets/${name.replace('.', `-${version}.`)}`,
      text: async ({ staticFile }) => (await staticFile(file)).text(),
    });
  }
  for (const [name, source] of Object.entries(SOURCES)) {
    const text = source
      .replace(
        /((?:from|import|resolve) ?\(?')\.\/([\w-]+\.js)'/g,
        (whole, before: string, file: string) => {
          const imported = built?.get(file);
          return imported ? `${before}${imported.path}'` : whole;
        },
      )
      .replace(/\n\/\/# sourceMappingURL=.*/, '');
    const hash = crc32(new TextEncoder().encode(text)).toString(36);
    built.set(name, { path: `/assets/${name.replace('.', `-${hash}.`)}`, text: () => text });
  }
  return built;
}

/** Bundled by scripts/static-files.ts: paths by the name of the entry point. */
const FILES: Record<string, { path: string; imports: string[] }> = siteFiles;

/** The path of the asset of this name. */
export function asset(name: string): string {
  const known = FILES[name] ?? assets().get(name);
  if (!known) throw new Error(`there is no asset ${name}`);
  return known.path;
}

const bodies = new Map<string, KeptBody>();

export function assetRoutes(app: App): void {
  let byPath: Map<string, Asset> | undefined;
  endpoint(app, '/assets/:file', {
    GET: async (c) => {
      const { path } = c.req;
      byPath ??= new Map([...assets().values()].map((known) => [known.path, known]));
      const known = byPath.get(path) ?? (await bundled(c));
      if (!known) throw notFound('This file of the site has another name now: reload the page.');
      let body = bodies.get(path);
      if (!body) {
        const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
        body = await KeptBody.of(await known.text(c.env.services), {
          'Content-Type': `${type}; charset=utf-8`,
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
        });
        bodies.set(path, body);
      }
      return body.answer(c.req.raw);
    },
  });
}

/** A file that scripts/static-files.ts has written, if there is one of this name. */
async function bundled(c: AppContext): Promise<Asset | undefined> {
  const { path } = c.req;
  if (!/^\/assets\/[\w.-]+-[0-9A-Z]{8}\.(js|css)$/.test(path)) return undefined;
  const file = await c.env.services.staticFile(path.slice(1));
  return file.ok ? { path, text: () => file.text() } : undefined;
}
