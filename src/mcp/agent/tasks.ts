/**
 * Implements the tasks of MCP 2026-07-28 (SEP-2663). If the client supports tasks, a call of a long-running tool that
 * does not finish quickly returns a task, which the client polls. Each task is a job.
 */
import type { Tool } from '../../core/define-tool.ts';
import { ToolError } from '../../core/errors.ts';
import { JOB_LIFE_MS, jobOwner } from '../../core/jobs.ts';
import { OUTPUT_LIFE_SECONDS } from '../../core/limits.ts';
import { fileExpiry } from '../../lib/file-id.ts';
import { transcodeVideo } from '../../tools/compress_video/transcode-video.ts';
import type { CheckedCall, McpContext } from '../checked-call.ts';
import { RPC } from '../json-rpc.ts';
import { callAsJob, finishedCall, isOver, type JobReport, waitForJob } from './jobs.ts';

/**
 * A call that finishes within this number of seconds returns its result instead of a task. A call that transcodes a
 * video always returns a task.
 */
const PATIENCE_SECONDS = 5;
/**
 * The interval in milliseconds at which clients should poll. Polling at this interval uses less than half of an
 * anonymous caller's request limit.
 */
const POLL_MS = 5000;
const MINUTE_MS = 60_000;

export async function checkTask(
  tool: Tool,
  given: Record<string, unknown>,
  context: McpContext,
): Promise<CheckedCall> {
  const seconds = tool.name === transcodeVideo.name ? 0 : PATIENCE_SECONDS;
  return callAsJob(tool, given, context, seconds, async (report) =>
    isOver(report)
      ? finishedCall(report, context)
      : { content: [], resultType: 'task', ...taskOf(report) },
  );
}

/** Returns the task with its result, as `tasks/get` presents it. Returns null if the caller has no such task. */
export async function readTask(
  id: string,
  context: McpContext,
): Promise<Record<string, unknown> | null> {
  const report = await reportOf(id, context);
  if (!report) return null;
  const task = taskOf(report);
  const { error } = report;
  if (task.status !== 'completed') return task;
  if (error?.status === 500) {
    return { ...task, status: 'failed', error: { code: RPC.internal, message: error.error } };
  }
  const result = await finishedCall(report, context);
  return { ...task, result: { resultType: 'complete', ...result } };
}

/** Cancels a task that has not finished. Returns null if the caller has no such task. */
export async function cancelTask(
  id: string,
  context: McpContext,
): Promise<Record<string, never> | null> {
  const report = await reportOf(id, context);
  if (!report) return null;
  const { services, admission } = context;
  // A finished job is not removed, because the client may still request its result.
  if (!isOver(report)) await services.jobs.remove(id, jobOwner(admission.caller));
  return {};
}

const reportOf = (id: string, context: McpContext): Promise<JobReport | null> =>
  waitForJob(id, 0, context).catch((error: unknown) => {
    if (error instanceof ToolError && error.status === 404) return null;
    throw error;
  });

/**
 * Describes the task of a job. Its creation time is derived from the ID, which contains the minute of the job's expiry.
 * The task may therefore exist slightly longer than stated.
 */
function taskOf(report: JobReport) {
  const { id, status, progress, message } = report;
  const createdAt = fileExpiry(id)! - JOB_LIFE_MS - MINUTE_MS;
  const isWorking = !isOver(report);
  return {
    taskId: id,
    status: isWorking ? 'working' : status === 'cancelled' ? 'cancelled' : 'completed',
    ...(isWorking && {
      statusMessage: [status, message, `${Math.round(progress * 100)} %`]
        .filter(Boolean)
        .join(', '),
    }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: OUTPUT_LIFE_SECONDS * 1000,
    pollIntervalMs: POLL_MS,
  };
}
