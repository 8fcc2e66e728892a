/** /files/{id}/{filename}: stored files, with ranges and validators, under headers that make them harmless. */

import { matchesStrongly, matchesTag } from '../core/entity-tag.ts';
import { badRequest, gone, notFound, ToolError } from '../core/errors.ts';
import { removed } from '../core/moderation.ts';
import type { StoredObject } from '../core/ports.ts';
import { type App, type AppContext, endpoint, limited } from '../http.ts';
import { endOfFileId } from '../lib/file-id.ts';
import { contentDisposition } from '../lib/filename.ts';

export function fileRoutes(app: App): void {
  const handlers = { GET: limited('files', getFile), DELETE: limited('files', deleteFile) };
  endpoint(app, '/files/:id/:filename', handlers, 'files');
}

/** The header that authorizes a DELETE. */
const TOKEN_HEADER = 'X-Delete-Token';

const DAY_SECONDS = 86_400;
/** How long shared caches may serve a file after an operator has removed it. */
const REMOVAL_SECONDS = 60;

/** Types that a browser may display; everything else is downloaded. */
const SHOWN = /^(image\/(?!svg)|video\/|audio\/|application\/pdf$|text\/plain)/;

/** The id and the remaining life of the file that a link names. Throws 404, and 410 if it has expired. */
function linkedFile(c: AppContext) {
  const id = c.req.param('id') ?? '';
  const end = endOfFileId(id);
  if (end === null) throw unknownFile();
  const secondsLeft = Math.floor((end - Date.now()) / 1000);
  if (secondsLeft <= 0) throw gone('This link has expired and its file was deleted.');
  return { id, secondsLeft };
}

/** The object under its name. Throws 404, and 410 if an operator removed it. */
function namedObject(c: AppContext, object: StoredObject | null | undefined) {
  if (object?.removed) throw removed('file', object.removed);
  const filename = object?.filename;
  if (!object || filename === undefined || filename !== c.req.param('filename'))
    throw unknownFile();
  return { object, filename };
}

/** Headers whose evaluation needs the object's metadata, which is read first, without the bytes. */
const CONDITIONS = [
  ...['Range', 'If-Match', 'If-Unmodified-Since'],
  ...['If-None-Match', 'If-Modified-Since'],
];

/** Deletes a file if the request has its delete token (ADR 79). The link returns 404 afterwards. */
async function deleteFile(c: AppContext): Promise<Response> {
  const token = c.req.header(TOKEN_HEADER);
  if (!token) {
    throw badRequest(`Send the file's deleteToken in the header ${TOKEN_HEADER}.`);
  }
  const { id } = linkedFile(c);
  const { object } = namedObject(c, await c.env.services.storage.head(id));
  requireUnchanged(c, object);
  if (!(await c.env.services.storage.removeWith(token, id))) {
    throw new ToolError(
      'bad_request',
      'This is not the delete token of this file. Use the deleteToken of the response that returned the link.',
      { status: 403 },
    );
  }
  return new Response(null, { status: 204 });
}

async function getFile(c: AppContext): Promise<Response> {
  const { id, secondsLeft } = linkedFile(c);
  const { storage } = c.env.services;
  const isPlain =
    c.req.method === 'GET' && CONDITIONS.every((name) => c.req.header(name) === undefined);
  const whole = isPlain ? await storage.readEvenRemoved(id) : undefined;
  const { object, filename } = namedObject(c, isPlain ? whole?.object : await storage.head(id));
  requireUnchanged(c, object);
  const type = object.contentType ?? 'application/octet-stream';
  const isShown = SHOWN.test(type) && c.req.query('download') === undefined;
  const disposition = isShown ? 'inline' : 'attachment';
  const headers: Record<string, string> = {
    'Content-Type': type,
    'Content-Disposition': contentDisposition(disposition, filename),
    'Content-Length': String(object.size),
    'Accept-Ranges': 'bytes',
    ETag: object.httpEtag,
    'Last-Modified': object.uploaded.toUTCString(),
    'Cache-Control': cacheControl(secondsLeft),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Robots-Tag': 'noindex',
  };
  if (isUnchanged(c, object)) {
    const { ETag, 'Cache-Control': cacheControl, 'Last-Modified': modified } = headers;
    return new Response(null, {
      status: 304,
      headers: { ETag: ETag!, 'Cache-Control': cacheControl!, 'Last-Modified': modified! },
    });
  }
  const range = c.req.method === 'GET' ? requestedRange(c, object) : null;
  if (range) {
    headers['Content-Length'] = String(range.length);
    headers['Content-Range'] =
      `bytes ${range.offset}-${range.offset + range.length - 1}/${object.size}`;
  }
  if (c.req.method === 'HEAD') return new Response(null, { headers });
  const found = whole ?? (await storage.read(id, range ?? undefined));
  if (!found) throw unknownFile();
  return new Response(found.body, { status: range ? 206 : 200, headers });
}

/**
 * Browsers cache a file for a day, shared caches only until a removal must take effect. Both stop when the link
 * expires.
 */
const cacheControl = (secondsLeft: number) =>
  `public, max-age=${Math.min(secondsLeft, DAY_SECONDS)}, s-maxage=${Math.min(secondsLeft, REMOVAL_SECONDS)}`;

const unknownFile = () => notFound('There is no such file. Copy the whole link.');

/** HTTP dates have no milliseconds. */
const lastModified = ({ uploaded }: StoredObject) => Math.floor(uploaded.getTime() / 1000) * 1000;

/** Throws 412. If-Match takes precedence over If-Unmodified-Since (RFC 9110, section 13.2.2). */
function requireUnchanged(c: AppContext, object: StoredObject): void {
  const tags = c.req.header('If-Match');
  const isChanged = tags
    ? !matchesStrongly(tags, object.httpEtag)
    : lastModified(object) > Date.parse(c.req.header('If-Unmodified-Since') ?? '');
  if (!isChanged) return;
  throw new ToolError(
    'bad_request',
    'The file does not match If-Match or If-Unmodified-Since. Get it again.',
    {
      status: 412,
    },
  );
}

/** If-None-Match takes precedence over If-Modified-Since (RFC 9110, section 13.2.2). */
function isUnchanged(c: AppContext, object: StoredObject): boolean {
  const tags = c.req.header('If-None-Match');
  if (tags) return matchesTag(tags, object.httpEtag);
  const since = Date.parse(c.req.header('If-Modified-Since') ?? '');
  return since >= lastModified(object);
}

/**
 * The requested range, or null for the whole file: no range, several ranges, or an If-Range that does not match (RFC
 * 9110, section 14.2). A range past the end is 416.
 */
function requestedRange(
  c: AppContext,
  object: StoredObject,
): { offset: number; length: number } | null {
  const match = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(c.req.header('Range') ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const condition = c.req.header('If-Range');
  if (condition && condition !== object.httpEtag && condition !== object.uploaded.toUTCString()) {
    return null;
  }
  const [, first, last] = match;
  const offset = first === '' ? Math.max(0, object.size - Number(last)) : Number(first);
  const end =
    first === '' || last === '' ? object.size - 1 : Math.min(Number(last), object.size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  if (offset >= object.size || end < offset) {
    throw new ToolError('bad_request', `The range is outside the file's ${object.size} bytes.`, {
      status: 416,
      headers: { 'Content-Range': `bytes */${object.size}` },
    });
  }
  return { offset, length: end - offset + 1 };
}
