/**
 * Implements `Idempotency-Key`. If a request is repeated with the same key and body within 24 hours, it gets the first
 * response again.
 */
import type { Admission } from '../access/admission.ts';
import { callerSubject } from '../access/charges.ts';
import type { Caller } from '../core/caller.ts';
import { badRequest, conflict, ToolError } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { MAX_STORED_JSON_BYTES } from '../core/limits.ts';
import type { StoredAnswer } from '../core/stored-answers.ts';
import { RECORD_BYTES } from '../core/stored-bytes.ts';
import { resultTooLarge } from '../execute/result-size.ts';
import type { AppContext } from '../http.ts';
import { isJsonType, mediaTypeOf, readBounded } from '../lib/body.ts';
import { hex, sha256 } from '../lib/sha256.ts';
import { presentError, presentErrorAgain } from './present.ts';
import type { RestCall } from './rest-call.ts';

const LIFE_SECONDS = 24 * 3600;
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
/**
 * The statuses of responses that are not stored, because they depend on the time of the request. They report failed
 * authentication, exhausted limits and outages.
 */
const NOT_STORED = [401, 429, 503];
/** Matches the response headers that belong to the current request, so they are not stored. */
const OWN = /^(?:x-request-id|access-control-|ratelimit|x-ratelimit-|retry-after|content-length)/i;

/**
 * Runs `work`, or returns the stored response if the key was used before. `fingerprint` identifies the request's body.
 */
export function answerOnce(
  c: AppContext,
  admission: Admission,
  fingerprint: () => Promise<string>,
  work: () => Promise<Response>,
): Promise<Response> {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return work();
  // The work continues if the caller disconnects, because the caller will repeat the request with the same key.
  const answered = answerKeyed(c, admission, key, fingerprint, work);
  c.executionCtx.waitUntil(answered.catch(() => {}));
  return answered;
}

async function answerKeyed(
  c: AppContext,
  admission: Admission,
  key: string,
  fingerprint: () => Promise<string>,
  work: () => Promise<Response>,
): Promise<Response> {
  const { answers, budget, disk, storage } = c.env.services;
  if (!KEY.test(key)) {
    throw badRequest(
      'An Idempotency-Key must be 1 to 255 printable ASCII characters, such as a random UUID.',
      'Idempotency-Key',
    );
  }
  // The request is charged first, because each key creates a Durable Object. A caller without remaining quota must not
  // be able to create one.
  await admission.ensureCharged();
  const { method, path } = c.req;
  const name = await sha256([callerSubject(admission.caller), method, path, key].join('\n'));
  const claim = await answers.claim(name, await fingerprint());
  if (claim.kind === 'another') throw anotherBody();
  if (claim.kind === 'running') throw stillRunning();
  if (claim.kind === 'stored') return replay(c, claim.answer, { 'Idempotent-Replayed': 'true' });
  const { lock } = claim;
  const record = budget.reservation(admission.caller, Date.now() + LIFE_SECONDS * 1000);
  try {
    // The storage space is reserved first, because work must not begin if its response cannot be stored.
    await record.add(RECORD_BYTES);
    // The error is presented here, because a failed call is charged and its response is stored.
    const answer = await admission
      .run(async () => storable(await work()))
      .catch(async (error) => presentError(await disk.explain(error), c.env));
    if (NOT_STORED.includes(answer.status) || (c.req.raw.signal.aborted && !answer.ok)) {
      await record.release();
      return answer;
    }
    const storedAnswer = await keep(answer, storage, admission.caller);
    await lock.keep(storedAnswer);
    return await replay(c, storedAnswer);
  } catch (error) {
    await record.release();
    throw error;
  } finally {
    lock[Symbol.dispose]();
  }
}

const isJson = (answer: Response) => isJsonType(mediaTypeOf(answer.headers.get('Content-Type')));

/** Returns the response with its JSON in memory. Throws 422 if the JSON is too large to store. */
async function storable(answer: Response): Promise<Response> {
  if (!isJson(answer)) return answer;
  const tooLong = () => resultTooLarge(MAX_STORED_JSON_BYTES);
  return new Response(await readBounded(answer.body, MAX_STORED_JSON_BYTES, tooLong), answer);
}

/**
 * Identifies the body of a call by its tool, parameters, files and webhook. The encoding of the body does not matter.
 */
export async function callFingerprint({
  tool,
  parameters,
  files,
  webhook,
}: RestCall): Promise<string> {
  const contents: unknown[] = [];
  for (const file of files) contents.push([file.name, file.declaredType, await digestOf(file)]);
  const hook = webhook === undefined ? [] : [webhook];
  return sha256(JSON.stringify([tool.name, parameters, contents, ...hook]));
}

async function digestOf(file: InputFile): Promise<string> {
  const digest = new crypto.DigestStream('SHA-256');
  await (await file.stream()).pipeTo(digest);
  return hex(await digest.digest);
}

async function keep(
  answer: Response,
  storage: AppContext['env']['services']['storage'],
  caller: Caller,
): Promise<StoredAnswer> {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.test(name)));
  const options = {
    filename: 'answer',
    contentType: 'application/octet-stream',
    lifeSeconds: LIFE_SECONDS,
    caller,
    compress: isJson(answer),
  };
  const whole = options.compress || !answer.body;
  const body = whole
    ? new Uint8Array(await answer.arrayBuffer())
    : { stream: answer.body!, size: undefined };
  const { id, size } = await storage.store(body, options);
  return {
    status: answer.status,
    headers: { ...headers, 'content-length': String(size) },
    body: id,
  };
}

async function replay(
  c: AppContext,
  { status, headers, body }: StoredAnswer,
  more: Record<string, string> = {},
): Promise<Response> {
  const stored = await c.env.services.storage.read(body);
  if (!stored) throw new Error('the body of a stored response is missing');
  if (status < 400) {
    return new Response(stored.body, { status, headers: c.env.headers({ ...headers, ...more }) });
  }
  const { 'content-length': _, 'content-type': __, ...others } = headers;
  const sent = await new Response(stored.body).json<Record<string, unknown>>();
  return presentErrorAgain(status, sent, c.env.headers({ ...others, ...more }), c.env);
}

const anotherBody = () =>
  new ToolError(
    'bad_request',
    'This Idempotency-Key was used for a different request. Use a new key unless you repeat an identical request.',
    { status: 422, param: 'Idempotency-Key' },
  );

const stillRunning = () =>
  conflict(
    'The first request with this Idempotency-Key is still running. Try again in a moment.',
    'Idempotency-Key',
  );
