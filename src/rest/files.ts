/**
 * GET and DELETE /files/{id}/{filename}: serves and deletes stored files. Ranges and conditional requests are
 * supported. The headers prevent a browser from running a file's content.
 */

import { type ByteRange, parseRange, spanOf } from '../core/byte-range.ts';
import { matchesStrongly, matchesTag } from '../core/entity-tag.ts';
import { badRequest, gone, notFound, ToolError } from '../core/errors.ts';
import { removed } from '../core/moderation.ts';
import type { StoredObject } from '../core/ports.ts';
import { type App, type AppContext, endpoint, limited } from '../http.ts';
import { fileExpiry } from '../lib/file-id.ts';
import { contentDisposition } from '../lib/filename.ts';

export function fileRoutes(app: App): void {
  const handlers = { GET: limited('files', getFile), DELETE: limited('files', deleteFile) };
  endpoint(app, '/files/:id/:filename', handlers, 'files');
}

const TOKEN_HEADER = 'X-Delete-Token';

const DAY_SECONDS = 86_400;
/** The time in seconds for which shared caches may serve a file after an operator has removed it. */
const REMOVAL_SECONDS = 60;

/** Matches the types that a browser may display. Files of all other types are downloaded. */
const SHOWN = /^(image\/(?!svg)|video\/|audio\/|application\/pdf$|text\/plain)/;

/** Returns the ID and the remaining lifetime of the file in the link. Throws 404, and 410 if the file has expired. */
function linkedFile(c: AppContext) {
  const id = c.req.param('id') ?? '';
  const end = fileExpiry(id);
  if (end === null) throw unknownFile();
  const secondsLeft = Math.floor((end - Date.now()) / 1000);
  if (secondsLeft <= 0) throw gone('This link has expired, and its file is no longer available.');
  return { id, secondsLeft };
}

/** Returns the object if its file name matches the link. Throws 404, and 410 if an operator removed the file. */
function namedObject(c: AppContext, object: StoredObject | null | undefined) {
  if (object?.removed) throw removed('file', object.removed);
  const filename = object?.filename;
  if (!object || filename === undefined || filename !== c.req.param('filename'))
    throw unknownFile();
  return { object, filename };
}

/** Deletes a file if the request contains its delete token (ADR 79). The link then returns 404. */
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
      'This delete token is for a different file. Use the deleteToken from the response that returned the link.',
      { status: 403 },
    );
  }
  return new Response(null, { status: 204 });
}

async function getFile(c: AppContext): Promise<Response> {
  const { id, secondsLeft } = linkedFile(c);
  const { storage } = c.env.services;
  if (c.req.method === 'HEAD') {
    return new Response(null, described(c, await storage.head(id), secondsLeft));
  }
  const range = parseRange(c.req.header('Range'));
  const read = await storage.readEvenRemoved(id, { range, onlyIf: onlyIfChanged(c) });
  let unsent = read?.body;
  try {
    const head = described(c, read?.object, secondsLeft);
    if (head.status === 304) return new Response(null, head);
    const isPart = read && range && holdsIfRange(c, read.object);
    if (isPart) narrow(head, range, read.object.size);
    // If the If-Range header names another version, the response needs the whole file, but only the range has been
    // read.
    const isRead = unsent && (isPart || !range);
    const body = isRead ? unsent : (await storage.read(id, isPart ? range : undefined))?.body;
    if (!body) throw unknownFile();
    if (isRead) unsent = null;
    return new Response(body, head);
  } finally {
    await unsent?.cancel();
  }
}

interface Head {
  status: number;
  headers: Record<string, string>;
}

/** Returns the status and headers of a response with the whole file, or of a 304. Throws 404, 410 and 412. */
function described(
  c: AppContext,
  given: StoredObject | null | undefined,
  secondsLeft: number,
): Head {
  const { object, filename } = namedObject(c, given);
  requireUnchanged(c, object);
  const validators = {
    ETag: object.httpEtag,
    'Last-Modified': object.uploaded.toUTCString(),
    'Cache-Control': cacheControl(secondsLeft),
  };
  if (isUnchanged(c, object)) return { status: 304, headers: validators };
  const type = object.contentType ?? 'application/octet-stream';
  const isShown = SHOWN.test(type) && c.req.query('download') === undefined;
  const headers = {
    ...validators,
    'Content-Type': type,
    'Content-Disposition': contentDisposition(isShown ? 'inline' : 'attachment', filename),
    'Content-Length': String(object.size),
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Robots-Tag': 'noindex',
  };
  return { status: 200, headers };
}

/** Changes the status and headers for a response with a range. Throws 416. */
function narrow(head: Head, range: ByteRange, size: number): void {
  const span = spanOf(range, size);
  if (!span) {
    throw new ToolError('bad_request', `The range is outside the file's ${size} bytes.`, {
      status: 416,
      headers: { 'Content-Range': `bytes */${size}` },
    });
  }
  head.status = 206;
  head.headers['Content-Length'] = String(span.length);
  head.headers['Content-Range'] = `bytes ${span.offset}-${span.offset + span.length - 1}/${size}`;
}

/**
 * Browsers cache a file for up to a day. Shared caches store it for a shorter time, so that a removal takes effect. No
 * cache stores it after its link expires.
 */
const cacheControl = (secondsLeft: number) =>
  `public, max-age=${Math.min(secondsLeft, DAY_SECONDS)}, s-maxage=${Math.min(secondsLeft, REMOVAL_SECONDS)}`;

const unknownFile = () => notFound('File not found. Check that the link is complete.');

/** Milliseconds are ignored, because HTTP dates are in whole seconds. */
const lastModified = ({ uploaded }: StoredObject) => Math.floor(uploaded.getTime() / 1000) * 1000;

/**
 * Throws 412 if a precondition fails. If-Match takes precedence over If-Unmodified-Since (RFC 9110, section 13.2.2).
 */
function requireUnchanged(c: AppContext, object: StoredObject): void {
  const tags = c.req.header('If-Match');
  const isChanged = tags
    ? !matchesStrongly(tags, object.httpEtag)
    : lastModified(object) > Date.parse(c.req.header('If-Unmodified-Since') ?? '');
  if (!isChanged) return;
  throw new ToolError(
    'bad_request',
    'The file does not match If-Match or If-Unmodified-Since. Fetch it again.',
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
 * Whether a range may be sent. This is true if there is no If-Range or if it names this version (RFC 9110, section
 * 13.1.5).
 */
function holdsIfRange(c: AppContext, { httpEtag, uploaded }: StoredObject): boolean {
  const condition = c.req.header('If-Range');
  return !condition || condition === httpEtag || condition === uploaded.toUTCString();
}

/**
 * Returns the condition under which storage sends bytes. Storage can compare only one tag or a time, so other
 * conditions are checked in this module.
 */
function onlyIfChanged(c: AppContext): R2Conditional | undefined {
  const tags = c.req.header('If-None-Match');
  if (tags) {
    const [tag, ...others] = tags.match(/"[^"]+"/g) ?? [];
    return tag && others.length === 0 ? { etagDoesNotMatch: tag.slice(1, -1) } : undefined;
  }
  const since = Date.parse(c.req.header('If-Modified-Since') ?? '');
  if (Number.isNaN(since)) return undefined;
  return { uploadedAfter: new Date(since), secondsGranularity: true };
}
