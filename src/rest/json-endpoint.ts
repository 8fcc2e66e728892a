/**
 * Declares POST endpoints that accept a JSON object. Requests are rate-limited, limited in size and validated. A
 * request with an `Idempotency-Key` is executed only once.
 */
import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import type { GeneralLimit } from '../access/general-limits.ts';
import { badRequest } from '../core/errors.ts';
import { type App, type AppContext, type AppEnv, endpoint, type Handler } from '../http.ts';
import { readJson } from '../lib/body.ts';
import { sha256 } from '../lib/sha256.ts';
import { answerOnce } from './answer-once.ts';

const MAX_NAMED_FIELDS = 5;
const MAX_NAME_LENGTH = 40;

interface JsonEndpoint<Schema extends z.ZodObject> {
  path: string;
  limit: GeneralLimit;
  /** Describes the expected body in the message of a 415 response. */
  what: string;
  /** The schema of the request. Its messages are shown to callers, with the name of the field as `param`. */
  schema: Schema;
  answer(c: AppContext, body: z.output<Schema>): Response | Promise<Response>;
}

type Validated<Schema extends z.ZodObject> = Context<
  AppEnv,
  string,
  { out: { json: z.output<Schema> } }
>;

export function jsonEndpoint<Schema extends z.ZodObject>(
  app: App,
  { path, limit, what, schema, answer }: JsonEndpoint<Schema>,
): void {
  const validate: MiddlewareHandler<AppEnv> = zValidator('json', schema, (result) => {
    if (result.success) return;
    const [issue] = result.error.issues;
    throw badRequest(issue!.message, String(issue!.path[0]));
  });
  const answerValid = async (c: Validated<Schema>, sent: Record<string, unknown>) => {
    await validate(c, async () => {});
    const response = await answer(c, c.req.valid('json'));
    const ignored = Object.keys(sent).filter((name) => !Object.hasOwn(schema.shape, name));
    if (ignored.length > 0) response.headers.set('X-Tool-Warnings', ignoredFields(ignored));
    return response;
  };
  const POST: Handler = async (c) => {
    const admission = await c.env.startAdmission(limit);
    await admission.chargeGeneral();
    const large = c.env.large(admission.caller);
    const sent = await readJson(c.req.raw, what, () => large);
    large.pause();
    // The validator reads the body from this cache. If it read the body from the request, the size would not be
    // limited.
    c.req.bodyCache.json = Promise.resolve(sent);
    return answerOnce(
      c,
      admission,
      () => sha256(JSON.stringify(sent)),
      () => answerValid(c as Validated<Schema>, sent),
    );
  };
  endpoint(app, path, { POST }, limit);
}

const ignoredFields = (names: readonly string[]): string =>
  `Ignored unknown fields: ${names
    .slice(0, MAX_NAMED_FIELDS)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()))
    .join(', ')}`;
