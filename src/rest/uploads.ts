/**
 * Handles POST /api/v1/uploads, which returns a one-time URL. A PUT to this URL uploads a file as upload_file
 * does.
 */
import type * as z from 'zod';
import type { Admission } from '../access/admission.ts';
import { uploadRequest } from '../catalogue/request-bodies.ts';
import { notFound, tooLarge, unsupportedMediaType } from '../core/errors.ts';
import { HEAD_BYTES, type InputFile, memoryFile } from '../core/input-file.ts';
import { MAX_FILE_BYTES, MB } from '../core/limits.ts';
import type { SpooledFile, SpoolPort } from '../core/ports.ts';
import { type Executed, execute, openCall, prepare } from '../execute/execute.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { bodyType, checkEncoding } from '../lib/body.ts';
import { fileExpiry } from '../lib/file-id.ts';
import { safeFilename } from '../lib/filename.ts';
import { PackedBytes } from '../lib/packed-bytes.ts';
import { promisedType } from '../tools/upload_file/promised-type.ts';
import { uploadFile } from '../tools/upload_file/upload_file.ts';
import { answerToEnd } from './answer-to-end.ts';
import { IncomingFile } from './incoming-file.ts';
import { jsonEndpoint } from './json-endpoint.ts';
import { MULTIPART } from './multipart.ts';
import { presentOutput } from './present.ts';

const MEMORY_BYTES = 8 * MB;

export function uploadRoutes(app: App): void {
  jsonEndpoint(app, {
    path: '/api/v1/uploads',
    limit: 'uploads',
    what: 'the name of the file as application/json',
    schema: uploadRequest,
    answer: createUpload,
  });
  const PUT = (c: AppContext) =>
    answerToEnd(c, 'uploads', (admission) => answerUpload(c, admission));
  endpoint(app, '/api/v1/uploads/:secret', { PUT }, 'uploads');
}

async function createUpload(
  c: AppContext,
  { filename: given, contentType: declared }: z.output<typeof uploadRequest>,
): Promise<Response> {
  const filename = safeFilename(given);
  const contentType = promisedType(filename, declared);
  const { config, uploads } = c.env.services;
  const { secret, expiresAt } = await uploads.create({ filename, contentType }, Date.now());
  const body = {
    uploadUrl: `${config.baseUrl}/api/v1/uploads/${secret}`,
    method: 'PUT',
    expiresAt: new Date(expiresAt).toISOString(),
    maxBytes: MAX_FILE_BYTES,
  };
  return Response.json(body, { status: 201, headers: { 'Cache-Control': 'no-store' } });
}

async function answerUpload(c: AppContext, admission: Admission): Promise<Response> {
  await admission.chargeGeneral();
  const length = Number(c.req.header('Content-Length') ?? 0);
  if (length > MAX_FILE_BYTES) throw fileTooLarge();
  checkBytes(c.req.raw);
  const { ports, storage, uploads } = c.env.services;
  const secret = c.req.param('secret') ?? '';
  const promised = await uploads.find(secret, Date.now());
  if (!promised) throw unknownAddress();
  await admission.refuseIfToolExhausted(uploadFile);
  let agent: string | null = null;
  // A rejected file type is not counted as a call and does not use up the URL (decisions.md, Limits).
  const accept = async (beginning: InputFile) => {
    await openCall(callOf(beginning), ports);
    await admission.admit([uploadFile]);
    const taken = await uploads.take(secret, Date.now());
    if (!taken) throw unknownAddress();
    agent = taken.agent;
  };
  const spooling = storage.spoolsOf(admission.caller);
  const file = await readFile(c.req.raw, promised, spooling, accept);
  try {
    const { output, warnings } = await store(c, admission, file);
    if (agent !== null && output.kind === 'json') {
      await assign(c, secret, agent, String(output.value.fileId));
    }
    return presentOutput(output, warnings, c.env);
  } finally {
    if ('spool' in file) c.executionCtx.waitUntil(spooling.discard(file));
  }
}

/**
 * Assigns the uploaded file to the URL. The agent that created the URL can then use it as a link to the file.
 */
async function assign(c: AppContext, secret: string, agent: string, id: string): Promise<void> {
  const { uploads, agentFiles, storage } = c.env.services;
  const expiresAt = fileExpiry(id)!;
  await uploads.assign(secret, { id, expiresAt });
  const object = agent === '' ? null : await storage.head(id);
  if (!object) return;
  const { filename = 'file', contentType = 'application/octet-stream', size } = object;
  await agentFiles.add(agent, { id, filename, contentType, size, expiresAt });
}

const callOf = (file: InputFile) =>
  prepare(uploadFile, { parameters: {}, files: [file], surface: 'rest' });

/** Throws 415 if the body does not consist of the file's bytes. The URL can still be used after that. */
function checkBytes(request: Request): void {
  checkEncoding(request);
  if (bodyType(request) !== MULTIPART) return;
  throw unsupportedMediaType(
    'Send only the bytes of the file, not multipart/form-data. With curl: curl -T NAME, not -F.',
  );
}

async function store(c: AppContext, admission: Admission, file: InputFile): Promise<Executed> {
  const { ports } = c.env.services;
  return execute(
    await openCall(callOf(file), ports),
    { caller: admission.caller, requestId: c.env.requestId, signal: () => c.env.callerSignal() },
    ports,
  );
}

/**
 * Reads the file from the body.
 * @param accept receives the beginning of the file. It throws if the rest must not be read.
 */
async function readFile(
  request: Request,
  { filename, contentType }: { filename: string; contentType: string | null },
  spooling: SpoolPort,
  accept: (beginning: InputFile) => Promise<void>,
): Promise<InputFile | SpooledFile> {
  const declaredType = contentType ?? undefined;
  const length = request.headers.get('Content-Length');
  let remainingBytes = length === null ? undefined : Number(length);
  const file = new IncomingFile({
    name: filename,
    declaredType,
    spooling,
    memoryBytes: MEMORY_BYTES,
    remainingBytes: () => remainingBytes,
  });
  const beginning = new PackedBytes();
  let isAccepted = false;
  const acceptBeginning = async () => {
    await accept(memoryFile(filename, beginning.join(), declaredType));
    isAccepted = true;
  };
  try {
    for await (const chunk of request.body ?? []) {
      if (file.size + chunk.byteLength > MAX_FILE_BYTES) throw fileTooLarge();
      if (!isAccepted) {
        beginning.append(chunk.subarray(0, HEAD_BYTES - beginning.size));
        if (beginning.size === HEAD_BYTES) await acceptBeginning();
      }
      await file.write(chunk);
      if (remainingBytes !== undefined) remainingBytes -= chunk.byteLength;
    }
    if (!isAccepted) await acceptBeginning();
    return await file.finish();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

const unknownAddress = () =>
  notFound(
    'This upload URL is unknown, already used or expired. Get a new one with POST /api/v1/uploads.',
  );

const fileTooLarge = () =>
  tooLarge(`The file is larger than the ${MAX_FILE_BYTES / MB} MB limit of upload_file.`, 'file');
