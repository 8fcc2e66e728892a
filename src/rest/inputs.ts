/**
 * Handles POST /api/v1/inputs, which stores a file for 24 hours as input for later calls. The rate limit of upload_file
 * does not apply, because callers of chains send many files (ADR 103).
 */
import type { Admission } from '../access/admission.ts';
import { unsupportedMediaType } from '../core/errors.ts';
import { MAX_BODY_BYTES, OUTPUT_LIFE_SECONDS } from '../core/limits.ts';
import { json } from '../core/tool-output.ts';
import { openCall, prepare } from '../execute/execute.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { bodyType, checkEncoding, checkLength } from '../lib/body.ts';
import { storeUpload, uploadFile } from '../tools/upload_file/upload_file.ts';
import { answerToEnd } from './answer-to-end.ts';
import { MULTIPART, readMultipart } from './multipart.ts';
import { presentOutput } from './present.ts';

export function inputRoutes(app: App): void {
  const POST = (c: AppContext) =>
    answerToEnd(c, 'uploads', (admission) => answerInput(c, admission));
  endpoint(app, '/api/v1/inputs', { POST }, 'uploads');
}

async function answerInput(c: AppContext, admission: Admission): Promise<Response> {
  await admission.chargeGeneral();
  const request = c.req.raw;
  if (bodyType(request) !== MULTIPART)
    throw unsupportedMediaType('Send the file as multipart/form-data, in the part "file".');
  checkEncoding(request);
  checkLength(request, MAX_BODY_BYTES);
  const { caller } = admission;
  const { storage, ports } = c.env.services;
  const call = await readMultipart(
    request,
    storage.spoolsOf(caller),
    c.env.large(caller),
    uploadFile,
  );
  try {
    await openCall(prepare(uploadFile, { ...call, surface: 'rest' }), ports);
    const value = await storeUpload(call.files[0]!, OUTPUT_LIFE_SECONDS, ports.storage, caller);
    return await presentOutput(json(value), call.warnings, c.env);
  } finally {
    if (call.release) c.executionCtx.waitUntil(call.release());
  }
}
