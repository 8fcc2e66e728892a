/** Implements transcode_video and get_job, which run calls as jobs and wait for them. */
import { createParser } from 'eventsource-parser';
import { AGENT_ENDPOINT } from '../../catalogue/mcp-endpoints.ts';
import { linkNameOf, type Tool } from '../../core/define-tool.ts';
import { notFound } from '../../core/errors.ts';
import { type JobCall, type JobStatus, jobOwner } from '../../core/jobs.ts';
import type { Failure } from '../../execute/failure.ts';
import { fileExpiry } from '../../lib/file-id.ts';
import { transcodeVideo } from '../../tools/compress_video/transcode-video.ts';
import type { CheckedCall, McpContext, Progress } from '../checked-call.ts';
import { type ToolResult, text } from '../present-result.ts';
import { storedLinkOf } from './agent-links.ts';
import { type FileLink, presentStored, presentValue } from './agent-result.ts';
import { openAgentCall } from './open-agent-call.ts';

/**
 * The time that a call waits for its job, in seconds. Most jobs finish within this time, so get_job is rarely needed.
 */
const FIRST_WAIT_SECONDS = 20;

/** A job as /api/v1/jobs returns it. */
export interface JobReport {
  id: string;
  tool: string;
  status: JobStatus;
  progress: number;
  message?: string;
  error?: Failure;
  warnings?: string[];
  result?: Record<string, unknown>;
}

export async function checkTranscode(
  tool: Tool,
  given: Record<string, unknown>,
  context: McpContext,
): Promise<CheckedCall> {
  return callAsJob(tool, given, context, FIRST_WAIT_SECONDS, (report) =>
    jobResult(report, context),
  );
}

/** Checks a call that runs as a job. The call waits for its job for up to `seconds` and presents the report. */
export async function callAsJob(
  tool: Tool,
  given: Record<string, unknown>,
  context: McpContext,
  seconds: number,
  present: (report: JobReport) => ReturnType<CheckedCall['run']>,
): Promise<CheckedCall> {
  const job = await checkJob(tool, given, context);
  return {
    tools: [tool],
    cost: 1,
    run: async (progress) =>
      present(await waitForJob(await job.start(), seconds, context, progress)),
  };
}

/** Checks a call. `start` creates its job once the call is admitted. */
async function checkJob(
  tool: Tool,
  given: Record<string, unknown>,
  context: McpContext,
): Promise<{ start(): Promise<string> }> {
  const { services, admission, record } = context;
  const { parameters, links, warnings } = await openAgentCall(tool, given, context);
  const link = linkNameOf(tool);
  return {
    start: async () => {
      const stored = await Promise.all(links.map((one) => storedLinkOf(one, context)));
      const linked = link === null ? {} : { [link]: link === 'fileUrl' ? stored[0] : stored };
      const jobCall: JobCall = {
        kind: 'execute',
        tool: tool.name,
        parameters: { ...parameters, ...linked },
        files: [],
      };
      return services.jobs.create({
        caller: admission.caller,
        owner: jobOwner(admission.caller),
        tool: tool.name,
        call: JSON.stringify(jobCall),
        inputs: [],
        warnings,
        traceparent: record.trace.traceparent,
      });
    },
  };
}

export function checkGetJob(parameters: Record<string, unknown>, context: McpContext): CheckedCall {
  const { jobId, waitSeconds } = parameters as { jobId: string; waitSeconds: number };
  return {
    tools: [],
    limits: ['jobs'],
    cost: 1,
    run: async (progress) =>
      jobResult(await waitForJob(jobId, waitSeconds, context, progress), context),
  };
}

/**
 * Waits until the job has finished or `seconds` have passed. Returns the job's report. Throws 404 if the caller has no
 * such job.
 */
export async function waitForJob(
  id: string,
  seconds: number,
  { services, admission, signal }: McpContext,
  progress?: Progress,
): Promise<JobReport> {
  const isId = (fileExpiry(id) ?? 0) > Date.now();
  const events = isId ? await services.jobs.watch(id, jobOwner(admission.caller)) : null;
  if (!events) throw notFound('There is no such job, or its result expired after 24 hours.');
  let report: JobReport | undefined;
  const parser = createParser({
    onEvent: ({ data }) => {
      report = JSON.parse(data) as JobReport;
      progress?.(report.progress, report.message);
    },
  });
  const decoder = new TextDecoder();
  const reader = events.getReader();
  const time = new AbortController();
  const end = scheduler.wait(seconds * 1000, { signal: time.signal }).catch(() => {});
  const stopped = AbortSignal.any([signal(), time.signal]);
  try {
    while (!report || !isOver(report)) {
      const next = await Promise.race([reader.read(), ...(report ? [end] : [])]);
      if (!next || next.done || stopped.aborted) break;
      parser.feed(decoder.decode(next.value, { stream: true }));
    }
  } finally {
    time.abort();
    await reader.cancel().catch(() => {});
  }
  if (!report) throw notFound('The job was removed.');
  return report;
}

export const isOver = ({ status }: JobReport): boolean =>
  status !== 'queued' && status !== 'running';

/** Presents the result of a finished job as a direct call to its tool would. */
export async function finishedCall(report: JobReport, context: McpContext): Promise<ToolResult> {
  const { tool, status, error, warnings = [], result = {} } = report;
  const source = AGENT_ENDPOINT.tools.find(({ name }) => name === tool)!;
  if (tool === transcodeVideo.name) return jobResult(report, context);
  if (status !== 'succeeded') {
    return { content: [text(error?.error ?? 'The call was cancelled.')], isError: true };
  }
  // A tool that produces files may also return text without a file.
  const made =
    source.produces && 'filename' in result
      ? await presentStored(source, result as unknown as FileLink, context)
      : await presentValue(source, result, context);
  if (warnings.length > 0) made.content.push(text(`Note: ${warnings.join('\n')}`));
  return made;
}

/** Presents a job as the result of a call. */
async function jobResult(report: JobReport, context: McpContext): Promise<ToolResult> {
  const { id, status, progress, error, warnings = [], result } = report;
  const facts = { jobId: id, status, progress };
  if (status === 'succeeded') {
    const made = await finishedResult(facts, result ?? {}, context);
    if (warnings.length > 0) made.content.push(text(`Note: ${warnings.join('\n')}`));
    return made;
  }
  if (isOver(report)) {
    const reason = error?.error ?? "It was stopped at the caller's request.";
    return { content: [text(`The status of job ${id} is ${status}: ${reason}`)], isError: true };
  }
  const percent = Math.round(progress * 100);
  return {
    content: [
      text(JSON.stringify(facts)),
      text(`The job is ${status} (${percent} %). Wait for it with get_job {"jobId":"${id}"}.`),
    ],
    structuredContent: facts,
  };
}

const finishedResult = (
  facts: Record<string, unknown>,
  result: Record<string, unknown>,
  context: McpContext,
) => presentValue({ name: 'get_job', untrusted: true }, { ...facts, result }, context);
