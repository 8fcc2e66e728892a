/**
 * Handles jobs over REST. `Prefer: respond-async` (RFC 7240, section 4.1) creates a job, and /api/v1/jobs/{id} returns
 * its state.
 */
import type { Admission } from '../access/admission.ts';
import type { Caller } from '../core/caller.ts';
import { gone, notFound } from '../core/errors.ts';
import type { InputFile } from '../core/input-file.ts';
import { type JobCall, type JobFile, jobOwner, type Webhook } from '../core/jobs.ts';
import { UPLOAD_LIFE_SECONDS } from '../core/limits.ts';
import type { SpooledFile } from '../core/ports.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { fileExpiry } from '../lib/file-id.ts';

const EVENT_STREAM = 'text/event-stream';

export function jobRoutes(app: App): void {
  endpoint(app, '/api/v1/jobs/:id', { GET: getJob, DELETE: deleteJob }, 'jobs');
}

/** Creates a job for a call that was validated and admitted. Returns 202 with the job's URL. */
export async function startJob(
  c: AppContext,
  admission: Admission,
  call: JobCall,
  warnings: string[],
  webhook: Webhook | undefined,
): Promise<Response> {
  const tool = call.kind === 'execute' ? call.tool : 'chain';
  const id = await c.env.services.jobs.create({
    caller: admission.caller,
    owner: jobOwner(admission.caller),
    tool,
    call: JSON.stringify(call),
    inputs: call.kind === 'execute' ? call.files.map(({ id }) => id) : [],
    warnings,
    ...(webhook && { webhook }),
    traceparent: c.env.record.trace.traceparent,
  });
  return Response.json(
    { id, tool, status: 'queued', progress: 0 },
    {
      status: 202,
      headers: { Location: `/api/v1/jobs/${id}`, 'Preference-Applied': 'respond-async' },
    },
  );
}

/** Stores the files of a request, so that its job can read them. */
export async function storeInputs(
  c: AppContext,
  files: readonly InputFile[],
  caller: Caller,
): Promise<JobFile[]> {
  const { storage } = c.env.services;
  const stored: JobFile[] = [];
  for (const file of files) {
    const { name, declaredType } = file;
    const served = (file as Partial<SpooledFile>).spool;
    const { id } = await storage.keep(file, {
      filename: served?.filename ?? name,
      contentType: served?.contentType ?? declaredType ?? 'application/octet-stream',
      // A spooled file has the same lifetime as a job's file, so it is stored without a copy. The job deletes the file
      // when it finishes.
      lifeSeconds: UPLOAD_LIFE_SECONDS,
      caller,
    });
    stored.push({ id, name, declaredType });
  }
  return stored;
}

async function getJob(c: AppContext): Promise<Response> {
  const { id, owner } = await admitForJob(c);
  const { jobs } = c.env.services;
  if (c.req.method === 'GET' && (c.req.header('Accept') ?? '').includes(EVENT_STREAM)) {
    const events = await jobs.watch(id, owner);
    if (!events) throw unknownJob();
    return new Response(events, {
      headers: { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store', Vary: 'Accept' },
    });
  }
  const job = await jobs.read(id, owner);
  if (!job) throw unknownJob();
  return new Response(job, {
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Vary: 'Accept',
    },
  });
}

async function deleteJob(c: AppContext): Promise<Response> {
  const { id, owner } = await admitForJob(c);
  if (!(await c.env.services.jobs.remove(id, owner))) throw unknownJob();
  return new Response(null, { status: 204 });
}

/** Admits the request and returns the ID of its job. Throws 404 for an invalid ID, and 410 for an expired one. */
async function admitForJob(c: AppContext): Promise<{ id: string; owner: string | null }> {
  const admission = await c.env.startAdmission('jobs');
  await admission.chargeGeneral();
  const id = c.req.param('id') ?? '';
  const end = fileExpiry(id);
  if (end === null) throw unknownJob();
  if (end <= Date.now())
    throw gone(
      'This job has finished, and its result expired after 24 hours. Send the call again.',
    );
  return { id, owner: jobOwner(admission.caller) };
}

const unknownJob = () =>
  notFound(
    'There is no such job. Its ID is in the Location header of the 202 response; a job created with a key is visible only with that key or its account.',
  );
