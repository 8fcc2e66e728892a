/** Runs the tool of a form on the service: once, or once for each of several files. */
import type { JobState } from '../../tool/progress-text.ts';
import { warningsIn } from '../../tool/warning-text.ts';
import { callForm, errorIn } from './api.ts';
import { asArranged } from './arranged-pages.ts';
import { type Batch, showBatch } from './batch.ts';
import { type BatchRow, rowsOf } from './batch-row.ts';
import { make } from './elements.ts';
import { forgetFiles } from './file-result.ts';
import { action, fileBox, form, parameters, tool } from './form-elements.ts';
import { end, showResponse } from './form-response.ts';
import { recordBatch, shownRows } from './form-work.ts';
import { readQuota, showQuota } from './quota.ts';
import { runJob } from './run-job.ts';
import { textFileOf } from './text-file.ts';
import { bringIntoView, nextTools, readResult, showParts, showProgress } from './tool-result.ts';

/** Runs the tool once on all files, and shows the result. */
export async function runOnce(sent: readonly File[], signal: AbortSignal): Promise<void> {
  const rotator = fileBox?.dataset.pages;
  const whole = await Promise.all(sent.map((file) => asArranged(file, rotator, signal)));
  await showResponse(await call(whole, signal, showProgress), whole);
}

/** Runs the tool once for each file, and shows a row for each. */
export async function runEach(sent: readonly File[], signal: AbortSignal): Promise<void> {
  const last = batchParameters === JSON.stringify(parameters()) ? shownRows() : [];
  await showRows(rowsOf(sent, last)).run(signal);
  // The files are sent concurrently, so the last response may not contain the latest quota.
  void readQuota(`${action}/left`);
  end();
  bringIntoView();
}

/** The parameters of the shown batch, as JSON. */
let batchParameters = '';

/** Shows the rows of a batch. */
export function showRows(rows: readonly BatchRow[]): Batch {
  forgetFiles();
  batchParameters = JSON.stringify(parameters());
  const box = make('div', { className: 'stack' });
  showParts([box], []);
  const zipName = `${tool.replaceAll('_', '-')}-results.zip`;
  const batch = showBatch(rows, box, zipName, nextTools(), async (file, ofFile, onProgress) => {
    const response = await call([file], ofFile, onProgress);
    showQuota(response.headers);
    if (!response.ok) throw await errorIn(response);
    const made = await readResult(response, tool, [file]);
    const result = typeof made === 'string' ? textFileOf(made, file) : made;
    return { result, warnings: warningsIn(response.headers.get('X-Tool-Warnings')) };
  });
  recordBatch(batch);
  return batch;
}

function call(
  sent: readonly File[],
  signal: AbortSignal,
  onProgress: (state: JobState) => void,
): Promise<Response> {
  const body = callForm(tool, sent, parameters());
  return 'long' in form.dataset
    ? runJob(action, body, signal, onProgress)
    : fetch(`${action}/run`, { method: 'POST', body, signal });
}
